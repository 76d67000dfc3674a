import type { SharedCount, SharedTally } from '../lib/shared-count.ts';

/** What the request threads of a process count together, since its limits are of them all. */
export interface ProcessCounts {
  readonly threads: number;
  /** Of the gate, which requests and drains have. */
  readonly places: SharedCount;
  /** Memory in which they note which apps are there; left out where there is but one thread. */
  readonly apps?: SharedArrayBuffer;
  /** Memory in which they count what each app takes of the processor. */
  readonly processor: SharedArrayBuffer;
  /** Bytes of bodies, and of answers that their clients have not taken. */
  readonly bodyBytes: SharedCount;
  readonly streams: SharedCount;
  /** As `apps`, of streams. */
  readonly streamApps?: SharedArrayBuffer;
  /** Bodies that take long, by the id of their key. */
  readonly slowBodies: SharedTally;
  /** Calls that go on behind an answer, and can be cut for a request that needs their place. */
  readonly detached: SharedDetached;
}

/** Detached calls of all threads. */
export interface SharedDetached {
  /** Changes how many this thread has. */
  add(change: number): void;
  /** How many the others have. */
  others(): number;
  /**
   * Has another thread cut one, whose place is free when that one has heard of it: within a turn of
   * its event loop. False when there is none.
   */
  cutElsewhere(): boolean;
}
