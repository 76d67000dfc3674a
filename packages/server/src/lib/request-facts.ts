/** Ended by a last event, by a caller that disconnected or stopped reading, or by a time limit. */
export type StreamEnd = 'finish' | 'error' | 'left' | 'stalled' | 'idle' | 'total';

/**
 * Why the gateway answered 429, apart from the key's rate limit. The app's `ratePerSecond`,
 * requests or bodies in flight, the key's slow bodies, streams, or the app's processor share.
 */
export type LimitReason =
  | 'app-rate'
  | 'in-flight'
  | 'body-bytes'
  | 'slow-bodies'
  | 'streams'
  | 'processor';

/** Has few reasons; an existing key has its id and app. */
export interface RejectedKey {
  readonly reason: string;
  readonly keyId?: string;
  readonly app?: string;
}

/** Undefined: the request ended before that step. */
export interface RequestFacts {
  readonly keyId: string | undefined;
  readonly app: string | undefined;
  readonly keyRejection: RejectedKey | undefined;
  readonly limitedBy: LimitReason | undefined;
  readonly traceId: string | undefined;
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
  /** For a rejected caller; might quote the caller's input. */
  readonly message: string | undefined;
  readonly reserveMs: number | undefined;
  readonly modelMs: number | undefined;
  readonly settleMs: number | undefined;
  readonly firstMs: number | undefined;
  readonly deltas: number | undefined;
  readonly end: StreamEnd | undefined;
}
