import type { Fit } from './compile.ts';
import type { Refused } from './messages.ts';

export type PoolOutcome =
  | { readonly kind: 'compiled' }
  | Refused
  | Fit
  /** Exceeded its time or memory; `isStarved`: perhaps it got no processor. */
  | { readonly kind: 'exhausted'; readonly isStarved?: true }
  /** No thread was free, or the app's time is used up for `waitMs`. */
  | { readonly kind: 'crowded'; readonly waitMs?: number };

/** Real time, because no test clock controls a thread. */
export interface PoolLimits {
  readonly threadsMax: number;
  /** Processor time, so no app pays for the load of the machine. */
  readonly compileMs: number;
  readonly checkMs: number;
  /** Wall time; must be shorter than a call's time. */
  readonly wallMs: number;
  readonly waitMs: number;
  /** A response's wait. The response is paid for, and the previous job may use its full time. */
  readonly answerWaitMs: number;
  readonly memoryMb: number;
  readonly stackMb: number;
}

export const poolLimits: PoolLimits = {
  threadsMax: 2,
  compileMs: 5_000,
  checkMs: 2_000,
  wallMs: 25_000,
  waitMs: 10_000,
  answerWaitMs: 30_000,
  memoryMb: 256,
  stackMb: 32,
};
