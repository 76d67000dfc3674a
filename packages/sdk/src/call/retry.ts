import { limits } from '../lib/limits.ts';
import type { Failure } from './failure.ts';

export interface RetryState {
  readonly failure: Failure;
  /** The attempts made so far, the failed one included. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Milliseconds left until the call's deadline. */
  readonly remainingMs: number;
  /** A number from 0 to 1; called once for each wait. */
  readonly random: () => number;
}

const retriedStatuses: readonly number[] = [500, 502, 503, 504];
const neverRetriedCodes: readonly string[] = ['BUDGET_EXCEEDED', 'INSUFFICIENT_CREDITS'];

const freeDoublingsMax = 3;

/**
 * The milliseconds until the next attempt, `undefined` for no retry: full jitter over an
 * exponential back-off. A `retry-after` of the server is added to the jitter, since all rejected
 * clients got the same one; capped at 20 s. Source: specification, section 7.
 */
export function decideRetry(state: RetryState): number | undefined {
  const { failure, attempts, maxAttempts, remainingMs, random } = state;
  if (attempts >= maxAttempts || !isRetried(failure)) return undefined;

  // A call in progress is polled often.
  const doublings = Math.min(attempts - 1, failure.isFree ? freeDoublingsMax : attempts);
  const backoffMs = random() * Math.min(limits.backoffBaseMs * 2 ** doublings, limits.backoffCapMs);
  const waitMs = Math.min((failure.retryAfterMs ?? 0) + backoffMs, limits.retryAfterMsMax);

  // A wait that cannot end before the deadline would only delay the same error.
  return waitMs < remainingMs ? waitMs : undefined;
}

/** Whether to retry, while attempts and time are left. */
export function isRetried(failure: Failure): boolean {
  if (failure.refusesRetry || neverRetriedCodes.includes(failure.code)) return false;
  // A 429 of the API is a spent budget or a lasting quota error: only the gateway's passes.
  if (failure.status === 429) return !failure.isApiError;
  return failure.status === 0 || retriedStatuses.includes(failure.status);
}
