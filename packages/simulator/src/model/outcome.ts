import type { PlatformErrorParts } from '../lib/platform-error.ts';
import type { SocketFault } from '../lib/wire.ts';
import type { ModelRequest, Surface, ToolCallText } from './model-request.ts';
import type { RejectionShape } from './rejections.ts';
import type { OtherWords } from './reported-otherwise.ts';
import type { StreamPlan } from './stream-plan.ts';
import type { TokenCounts } from './usage.ts';

export interface ModelCall {
  readonly requestId: string;
  /** `default` if the request named none. */
  readonly projectId: string;
  readonly surface: Surface;
  readonly request: ModelRequest;
  readonly bodyText: string;
  readonly inputTokens: number;
  readonly outputTokensMax: number;
}

export type Outcome = Answer | Failure | Rejection | RawReply | Silence;

/** Undefined: the model's own behavior. */
export type Script = (call: ModelCall) => Outcome | undefined;

/** It is billed, whatever happens to the response afterwards. */
export interface Answer {
  readonly kind: 'answer';
  readonly label?: string;
  /** Truncated at a stop sequence and at the maximum number of output tokens. */
  readonly text?: string;
  readonly toolCalls?: readonly ToolCallText[];
  /** The number of embeddings, in place of one per text. */
  readonly vectors?: number;
  /** By default `tool-calls` or `stop`; truncation at the maximum makes it `length`. */
  readonly finish?: FinishReason;
  /** Reasoning before the first token of text. */
  readonly reasoningTokens?: number;
  readonly usage?: Partial<TokenCounts>;
  /** Undefined: as billed. */
  readonly reportedUsage?: 'absent' | ReportedUsage;
  /** Reported before `reportedUsage`. */
  readonly reportedFirst?: ReportedFirst;
  /** A vendor's way to report usage, terms or a cost. */
  readonly reports?: OtherWords;
  readonly fault?: AnswerFault;
  /** Delays, fault and stream stop apply only the first of two times. */
  readonly isFaultyOnce?: boolean;
  /** Milliseconds until the response is produced and billed. */
  readonly delayMs?: number;
  /** Milliseconds from billing to delivery; in a stream, from head to content. */
  readonly handoverDelayMs?: number;
  readonly stream?: StreamPlan;
}

export type FinishReason = 'stop' | 'stop-sequence' | 'length' | 'tool-calls' | 'content-filter';

/** Any JSON scalar, since a test might need an invalid one. */
export interface ReportedUsage {
  readonly inputTokens: number | string | null;
  readonly outputTokens: number | string | null;
}

/**
 * Reported before other counts. `start`: in the first event; `before`: before the last counts;
 * `object`: two `usage` in one object; `names`: each count twice in one `usage`.
 */
export interface ReportedFirst extends ReportedUsage {
  readonly how: 'start' | 'before' | 'object' | 'names';
}

/** A dying connection, half the bytes, or another response. */
export type AnswerFault = SocketFault | 'half' | RawReply;

export interface Failure {
  readonly kind: 'error';
  readonly error: PlatformErrorParts;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
}

/** Status 200. Only counts that it reports are billed. */
export interface Rejection {
  readonly kind: 'rejection';
  readonly label?: string;
  readonly shape: RejectionShape;
  /**
   * `first`: the first event. `started`: after opening events with zeros. `counted`: after events
   * with input and a token of output. `whole`: JSON in place of the stream.
   */
  readonly at: 'first' | 'started' | 'counted' | 'whole';
  /** Only if `at` is `counted`. */
  readonly usage?: Partial<TokenCounts>;
  readonly delayMs?: number;
}

/** Like a proxy or load balancer. By itself, nothing is billed. */
export interface RawReply {
  readonly kind: 'raw';
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly fault?: SocketFault;
  readonly delayMs?: number;
}

export interface Silence {
  readonly kind: 'silence';
}
