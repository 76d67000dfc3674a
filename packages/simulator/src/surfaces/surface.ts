import type { ModelRequest, Surface } from '../model-request.ts';
import type { StatedFirst, StatedUsage } from '../outcome.ts';
import type { PlatformErrorParts } from '../platform-error.ts';
import type { Produced } from '../produce.ts';
import type { StreamEncoder } from '../stream/encoder.ts';
import type { StreamPlan } from '../stream/plan.ts';
import type { Exchange } from '../wire.ts';

/** One way to ask a model: how its requests are read, its answers and errors written. */
export interface SurfaceWire {
  readonly surface: Surface;
  /** Its path as error messages name it. */
  readonly path: string;
  /** The request header that names the project. */
  readonly projectHeader: string;
  /** The answer's header with the request's id; `x-request-id` unless told. */
  readonly requestIdHeader?: string;
  /** A header without which a request is refused. */
  readonly requiredHeader?: string;
  /** Throws a `PlatformError` for a body that the platform refuses, with these headers. */
  decode(bodyText: string, header: Exchange['header']): ModelRequest;
  encode(answer: AnswerParts): string;
  /** A new one for each streamed answer; absent where no answer is streamed. */
  createStreamEncoder?(answer: AnswerParts, stream: StreamParts): StreamEncoder;
  encodeError(error: PlatformErrorParts, requestId: string): string;
}

/** What a streamed answer needs beside. */
export interface StreamParts {
  readonly includeUsage: boolean;
  readonly counts: StreamPlan['counts'];
}

/** What an answer's body is made of. */
export interface AnswerParts {
  readonly model: string;
  readonly produced: Produced;
  readonly request: ModelRequest;
  /** Of an answer with another number of embeddings than was asked for. */
  readonly vectors: number | undefined;
  /** What the body says about usage; `absent` leaves it out, undefined states the true counts. */
  readonly statedUsage: 'absent' | StatedUsage | undefined;
  /** What the body says about usage before that; undefined for nothing. */
  readonly statedFirst: StatedFirst | undefined;
  /** Seconds since 1970, UTC. */
  readonly createdAtSeconds: number;
  /** A new id with that prefix: of the answer, of each tool call. */
  nextId(prefix: string): string;
}
