import type { RequestLog } from './request-log.ts';
import type { CallResult } from './result.ts';

/**
 * A streamed call from its first delta on, for one request that asked for it: until then it has a
 * {@link CallResult} alone. Its end is a result as well, told once and last.
 */
export interface LiveCall {
  readonly kind: 'live';
  readonly callId: string;
  /** As its caller names it. */
  readonly model: string;
  /** The platform's id of the request, where it has said one. */
  readonly upstreamId: string | undefined;
  /** True where an earlier request with the same key has made the call. */
  readonly isReplayed: boolean;
  /**
   * The number of the last delta that is left out, since its caller has it: it was asked for by
   * `last-event-id`, and is still known. 0: nothing is.
   */
  readonly after: number;
  /**
   * Tells a follower what has come so far, as one delta, and then what comes; before it returns,
   * nothing. To be called once: a call that is not followed goes on all the same.
   */
  follow(follower: Follower): Following;
}

/** What goes on telling a caller its answer. None of these throws, and none of them waits. */
export interface Follower {
  /**
   * Text as it is shown: of an object, its JSON. Never half a code point, and never empty. `number`
   * counts the deltas of the call from 1; of several that come as one it is the last one's. `bytes`
   * of it are content.
   */
  onDelta(text: string, number: number, bytes: number): void;
  /**
   * Once, last: what the call came to. A result that has a cost is durably settled; a failure
   * without `billed` is not yet.
   */
  onEnd(result: CallResult): void;
}

/** How the follower gets on. After the end of the call, and after `leave`, nothing happens. */
export interface Following {
  /**
   * Tells it no further delta until `release`; the end comes all the same, with what is left. The
   * platform is held back while no follower takes what it writes.
   */
  hold(): void;
  release(): void;
  /** So many bytes of the deltas' content were accepted by the caller's socket. */
  delivered(bytes: number): void;
  /** Its caller has gone, or reads nothing: it is told nothing more. */
  leave(why: 'left' | 'stalled'): void;
}

/** A streamed call of this process, for every request that may follow it. */
export interface SharedStream {
  readonly kind: 'stream';
  /** Comes with the first delta; never where there is none. */
  readonly begun: Promise<void>;
  hasBegun(): boolean;
  /** From its first delta on. */
  live(by: FollowingRequest): LiveCall;
}

/** A request that follows a streamed call. */
export interface FollowingRequest {
  readonly isReplayed: boolean;
  /** The number of the last delta that its caller has; counts where it is still known. */
  readonly after: number;
  readonly log: RequestLog;
}
