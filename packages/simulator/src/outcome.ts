import type { ModelRequest, Surface, ToolCallText } from './model-request.ts';
import type { PlatformErrorParts } from './platform-error.ts';
import type { StreamPlan } from './stream/plan.ts';
import type { RejectionShape } from './surfaces/rejections.ts';
import type { OtherWords } from './surfaces/reported-otherwise.ts';
import type { TokenCounts } from './usage.ts';
import type { SocketFault } from './wire.ts';

/** One admitted call, as a script sees it. */
export interface ModelCall {
  readonly requestId: string;
  /** The project that pays, `default` when the request named none. */
  readonly projectId: string;
  readonly surface: Surface;
  readonly request: ModelRequest;
  /** The request's body, byte for byte what the client sent. */
  readonly bodyText: string;
  /** Input tokens by the counting rule. */
  readonly inputTokens: number;
  /** The most that may be produced: what was asked for, at most the model's maximum. */
  readonly outputTokensMax: number;
}

/** What a model does with one call, apart from the surface's encoding. */
export type Outcome = Answer | Failure | Rejection | RawReply | Silence;

/** Decides what a call comes to; undefined leaves it to the model's own behaviour. */
export type Script = (call: ModelCall) => Outcome | undefined;

/** The model produces an answer. It is billed, whatever happens to the answer afterwards. */
export interface Answer {
  readonly kind: 'answer';
  /** A name of the caller's for it, which its line in the bill carries. */
  readonly label?: string;
  /** Cut at a stop sequence and at the most output tokens. */
  readonly text?: string;
  readonly toolCalls?: readonly ToolCallText[];
  /** So many embeddings, in the place of one for each text. */
  readonly vectors?: number;
  /** Why it ended; by default `tool-calls` or `stop`. A cut at the maximum makes it `length`. */
  readonly finish?: FinishReason;
  /** Output tokens spent on thinking, before the first token of text. */
  readonly reasoningTokens?: number;
  /** Counts that are billed in place of those of the counting rule. */
  readonly usage?: Partial<TokenCounts>;
  /** What the answer says about usage; by default what is billed. */
  readonly statedUsage?: 'absent' | StatedUsage;
  /** What the answer says about usage before that. */
  readonly statedFirst?: StatedFirst;
  /** A vendor's way to report usage, terms or a cost, in the place of the surface's own. */
  readonly reports?: OtherWords;
  /** What happens to the answer on its way to the client. */
  readonly fault?: AnswerFault;
  /** Whether it has its delays, fault and stop of a stream the first of two times only. */
  readonly isFaultyOnce?: boolean;
  /** Milliseconds until the answer is produced and billed. */
  readonly delayMs?: number;
  /** Milliseconds between the billing and the handing over; of a stream, from head to content. */
  readonly handoverDelayMs?: number;
  /** How it comes where it is asked for as a stream. */
  readonly stream?: StreamPlan;
}

/** Why an answer ended. */
export type FinishReason = 'stop' | 'stop-sequence' | 'length' | 'tool-calls' | 'content-filter';

/** Counts as an answer states them: any JSON scalar, since a test may want a wrong one. */
export interface StatedUsage {
  readonly inputTokens: number | string | null;
  readonly outputTokens: number | string | null;
}

/**
 * Counts that an answer states first, and other ones after them. `start`: in the first event;
 * `before`: in an event before the last counts; `object`: with `usage` twice in one JSON object;
 * `names`: with each count twice in one `usage`. An answer that is whole has no events.
 */
export interface StatedFirst extends StatedUsage {
  readonly how: 'start' | 'before' | 'object' | 'names';
}

/** A connection that dies, half the bytes, or another reply in the place of the answer. */
export type AnswerFault = SocketFault | 'half' | RawReply;

/** The platform refuses or fails with its own error body. Nothing is billed. */
export interface Failure {
  readonly kind: 'error';
  readonly error: PlatformErrorParts;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
}

/** The platform rejects the call with status 200. It bills only counts that it reports. */
export interface Rejection {
  readonly kind: 'rejection';
  readonly label?: string;
  readonly shape: RejectionShape;
  /**
   * Where a stream has it: `first` is its first event, `started` comes after its opening events,
   * which report zeros, `counted` after opening events that report the input and a token of output.
   * `whole` is JSON in the place of the stream.
   */
  readonly at: 'first' | 'started' | 'counted' | 'whole';
  /** Reported and billed where it is `counted`. */
  readonly usage?: Partial<TokenCounts>;
  readonly delayMs?: number;
}

/** A reply written out: what a proxy or a load balancer answers. By itself, nothing is billed. */
export interface RawReply {
  readonly kind: 'raw';
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly fault?: SocketFault;
  readonly delayMs?: number;
}

/** No answer, ever, and no bill. */
export interface Silence {
  readonly kind: 'silence';
}
