import type { Fit } from './compile.ts';
import type { Refused } from './messages.ts';

export type PoolOutcome =
  | { readonly kind: 'compiled' }
  | Refused
  | Fit
  /** Exceeded time or memory; starved: it may have got no processor. */
  | { readonly kind: 'exhausted'; readonly isStarved?: true }
  /** No thread was free, or the app's time is used up for `waitMs`. */
  | { readonly kind: 'crowded'; readonly waitMs?: number };

/** Real time: no test's clock controls a thread. */
export interface PoolLimits {
  readonly threadsMax: number;
  /** Processor time, so no app pays for the machine's load. */
  readonly compileMs: number;
  readonly checkMs: number;
  /** Wall time; below a call's time. */
  readonly wallMs: number;
  readonly waitMs: number;
  /** An answer's wait: it has been paid for, and the job before it may take its full time. */
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
