import type { PlatformErrorParts } from '../lib/platform-error.ts';
import type { Exchange } from '../lib/wire.ts';
import type { ModelRequest, Surface } from '../model/model-request.ts';
import type { ReportedFirst, ReportedUsage } from '../model/outcome.ts';
import type { Produced } from '../model/produce.ts';
import type { StreamPlan } from '../model/stream-plan.ts';
import type { StreamEncoder } from '../stream/encoder.ts';

export interface SurfaceWire {
  readonly surface: Surface;
  readonly path: string;
  readonly projectHeader: string;
  /** By default `x-request-id`. */
  readonly requestIdHeader?: string;
  /** A request without it is rejected. */
  readonly requiredHeader?: string;
  /** Throws a `PlatformError` for a rejected body. */
  decode(bodyText: string, header: Exchange['header']): ModelRequest;
  encode(answer: AnswerParts): string;
  /** One per streamed response; absent without streaming. */
  createStreamEncoder?(answer: AnswerParts, stream: StreamParts): StreamEncoder;
  encodeError(error: PlatformErrorParts, requestId: string): string;
}

export interface StreamParts {
  readonly includeUsage: boolean;
  readonly counts: StreamPlan['counts'];
}

export interface AnswerParts {
  readonly model: string;
  readonly produced: Produced;
  readonly request: ModelRequest;
  /** Only if the number differs from the request. */
  readonly vectors: number | undefined;
  /** `absent` leaves it out, undefined reports the true counts. */
  readonly reportedUsage: 'absent' | ReportedUsage | undefined;
  /** Reported before `reportedUsage`. */
  readonly reportedFirst: ReportedFirst | undefined;
  /** Seconds since 1970, UTC. */
  readonly createdAtSeconds: number;
  nextId(prefix: string): string;
}
