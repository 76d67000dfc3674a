import type { RequestLog } from './request-log.ts';
import type { CallResult } from './result.ts';

/**
 * Exists from the first delta on; earlier failures are only a {@link CallResult}. Its end is also a
 * result, sent once and last.
 */
export interface LiveCall {
  readonly kind: 'live';
  readonly callId: string;
  readonly model: string;
  readonly upstreamId: string | undefined;
  /** An earlier request with the same key made the call. */
  readonly isReplayed: boolean;
  /** Deltas up to this one are skipped, as requested by `last-event-id`. 0: none. */
  readonly after: number;
  /**
   * Joins past text into one delta. Calls no follower before it returns. Call once; a call without
   * followers continues anyway.
   */
  follow(follower: Follower): Following;
}

/** Its methods never throw or wait. */
export interface Follower {
  /**
   * For an object, its JSON. Never empty, never half a code point. `number` counts from 1; joined
   * deltas have the last number. `bytes`: content bytes in it.
   */
  onDelta(text: string, number: number, bytes: number): void;
  /**
   * Called once, last. A result with a cost is durably settled; a failure without `billed` is not
   * yet settled.
   */
  onEnd(result: CallResult): void;
}

/** No effect after the call's end or `leave`. */
export interface Following {
  /**
   * Stops deltas until `release`; the end still comes, with the remaining text. Pauses the platform
   * while every follower holds.
   */
  hold(): void;
  release(): void;
  /** Content bytes that the caller's socket accepted. */
  delivered(bytes: number): void;
  leave(why: 'left' | 'stalled'): void;
}

export interface SharedStream {
  readonly kind: 'stream';
  /** Never resolves if no delta comes. */
  readonly begun: Promise<void>;
  hasBegun(): boolean;
  live(by: FollowingRequest): LiveCall;
}

export interface FollowingRequest {
  readonly isReplayed: boolean;
  /** Its caller's last delta; ignored if no longer stored. */
  readonly after: number;
  readonly log: RequestLog;
}
