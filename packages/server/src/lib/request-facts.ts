/** How a stream ended: by a last event, by a caller that left or read nothing, or by its time. */
export type StreamEnd = 'finish' | 'error' | 'left' | 'stalled' | 'idle' | 'total';

/**
 * What a request lacked that the gateway answered with 429, where that is not a token of its key's
 * plan: a token of its app's `ratePerSecond`, room among requests or bodies in flight, room among
 * its key's slow bodies, a stream, its app's share of the processor.
 */
export type LimitReason =
  | 'app-rate'
  | 'in-flight'
  | 'body-bytes'
  | 'slow-bodies'
  | 'streams'
  | 'processor';

/** A rejected key: the reason is one of few, and an existing key has its id and its app. */
export interface RejectedKey {
  readonly reason: string;
  readonly keyId?: string;
  readonly app?: string;
}

/** What is known of a request at its end; undefined is what it never came to. */
export interface RequestFacts {
  readonly keyId: string | undefined;
  readonly app: string | undefined;
  /** Why its key was rejected; set where it was. */
  readonly keyRejection: RejectedKey | undefined;
  /** Which limit refused it, where the code does not say. */
  readonly limitedBy: LimitReason | undefined;
  readonly traceId: string | undefined;
  /** The same, where spans of the request are recorded. */
  readonly recordedTraceId: string | undefined;
  readonly model: string | undefined;
  readonly servedBy: string | undefined;
  readonly callId: string | undefined;
  readonly code: string | undefined;
  readonly isWaiting: boolean | undefined;
  readonly attempts: number | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly costUsd: string | null | undefined;
  readonly estimated: boolean | undefined;
  readonly cause: string | undefined;
  /** What a refused caller is told; it may quote what the caller sent. */
  readonly message: string | undefined;
  readonly reserveMs: number | undefined;
  readonly modelMs: number | undefined;
  readonly settleMs: number | undefined;
  readonly firstMs: number | undefined;
  readonly deltas: number | undefined;
  readonly end: StreamEnd | undefined;
}
