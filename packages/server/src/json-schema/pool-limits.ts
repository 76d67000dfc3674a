import type { Fit } from './compile.ts';
import type { Refused } from './messages.ts';

/** What a job came to. */
export type PoolOutcome =
  | { readonly kind: 'compiled' }
  | Refused
  | Fit
  /** It took more time or memory than there is for it; starved, it may have got no processor. */
  | { readonly kind: 'exhausted'; readonly isStarved?: true }
  /** No thread was free in time; or the app has had its processor time, until `waitMs` from now. */
  | { readonly kind: 'crowded'; readonly waitMs?: number };

/** What jobs may take, in the machine's own time: no test's clock holds a thread. */
export interface PoolLimits {
  readonly threadsMax: number;
  /** Of the thread's own processor time, so that no app pays for the load of the machine. */
  readonly compileMs: number;
  readonly checkMs: number;
  /** By the wall, whatever the machine does: below the time that a call has. */
  readonly wallMs: number;
  /** How long a schema waits for a thread. */
  readonly waitMs: number;
  /** How long an answer does: it has been paid for, and the one before it may take all its time. */
  readonly answerWaitMs: number;
  readonly memoryMb: number;
  /** Ajv and V8 go down into a schema by the stack. */
  readonly stackMb: number;
}

/** The limits of every service. */
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
