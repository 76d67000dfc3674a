import { headerNames } from '@model-gateway/contract';
import type { Answer } from '../answer.ts';
import { ApiError } from '../call-error.ts';

/** How a call ended: an answer, or the error that stands for it. */
export type Result = Answer | ApiError;

/** The result as its caller gets it. */
export function deliver(result: Result): Answer {
  if (result instanceof ApiError) throw result;
  return result;
}

/** The result of an earlier or running request with the same key: nothing is charged for it. */
export function deliverAgain(result: Result): Answer {
  if (result instanceof ApiError) {
    throw new ApiError(result.code, result.message, { ...result.details, isReplayed: true });
  }
  const replayed = { [headerNames.idempotentReplayed]: 'true' };
  return { ...result, headers: { ...result.headers, ...replayed } };
}

/** What becomes of a call's idempotency key. Source: ledger, section 6. */
export function keyOutcomeOf(
  result: Result,
  storesAnswers: boolean,
): 'answered' | 'unstored' | 'failed' | 'forgotten' {
  if (!(result instanceof ApiError) || result.code === 'TRUNCATED') {
    return storesAnswers ? 'answered' : 'unstored';
  }
  const isPlatformRefusal = ['BAD_REQUEST', 'AUTH', 'NOT_FOUND'].includes(result.code);
  return isPlatformRefusal ? 'forgotten' : 'failed';
}
