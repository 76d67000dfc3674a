import type { Answer } from '../calls/answer.ts';
import { ApiError, errorAnswer } from '../calls/call-error.ts';
import type { RequestLog } from '../calls/request-log.ts';
import { StoreError } from '../store/port.ts';

/**
 * The answer to a request that ended with `error`: an ApiError as it is, anything else as INTERNAL.
 * The request's log is told what happened; the caller gets nothing but code and sentence.
 */
export function caughtAnswer(error: unknown, requestLog: RequestLog): Answer {
  const known = error instanceof ApiError ? error : undefined;
  const cause = known === undefined ? error : known.cause;
  if (cause !== undefined) requestLog.cause = cause instanceof Error ? clip(cause) : String(cause);
  const answer = known ?? unexpected(error);
  requestLog.code = answer.code;
  return errorAnswer(answer);
}

function unexpected(error: unknown): ApiError {
  const message = 'Something went wrong in the gateway; try again in a moment.';
  return new ApiError('INTERNAL', message, {
    retryAfterSeconds: error instanceof StoreError ? 1 : undefined,
  });
}

/** An error object may carry a prompt, so only its first lines are kept. */
function clip(error: Error): string {
  return (error.stack ?? error.message).slice(0, 1_000);
}
