import type { Redactor } from '../lib/redact.ts';
import type { Bill } from './bill.ts';
import type { Ending } from './deadline.ts';
import type { Failure } from './failure.ts';
import { LlmError } from './llm-error.ts';
import { isRetried } from './retry.ts';

/** The parts of a call that its error needs. */
export interface FailedCall {
  readonly redactor: Redactor;
  readonly idempotencyKey: string | undefined;
  readonly bill: Bill;
  readonly checked: { readonly timeoutMs: number };
}

/** The error of a call whose last attempt failed. */
export function failedError(
  call: FailedCall,
  state: {
    readonly failure: Failure;
    readonly attempts: number;
    readonly partialText?: string | undefined;
  },
): LlmError {
  const { failure, attempts, partialText } = state;
  const { redactor, idempotencyKey, bill } = call;
  const clean = (text: string | undefined) => text && redactor.text(text);
  return new LlmError({
    // Shortened after the key was removed: otherwise half of a key could stay.
    message: redactor.text(failure.message).replace(/^(.{2000}).+/s, '$1…'),
    status: failure.status,
    code: redactor.text(failure.code),
    attempts,
    retryable: failure.code === 'THROTTLED' || isRetried(failure),
    gatewayRequestId: clean(failure.head?.gatewayRequestId),
    requestId: clean(failure.requestId),
    model: clean(failure.model),
    budgetScope: clean(failure.head?.budgetScope),
    retryAfterMs: failure.retryAfterMs,
    idempotencyKey,
    costUsd: bill.totalUsd() ?? undefined,
    partialText,
    ...failure.paidAnswer,
    cause: redactor.cause(failure.cause),
  });
}

/** The error of a call that its time limit or its caller has ended. */
export function endedError(
  { redactor, checked, idempotencyKey, bill }: FailedCall,
  state: Pick<EndedState, 'ending' | 'attempts' | 'lastError' | 'partialText'>,
): LlmError {
  const costUsd = bill.totalUsd() ?? undefined;
  const collect =
    idempotencyKey === undefined ? '' : '; retry with the same idempotencyKey to get the response';
  const message = `no response within timeoutMs (${checked.timeoutMs} ms)${collect}`;
  return errorOfEnding(redactor, message, { ...state, idempotencyKey, costUsd });
}

/** The progress at the end by time limit or caller. */
export interface EndedState {
  readonly ending: Ending | undefined;
  readonly attempts: number;
  readonly idempotencyKey: string | undefined;
  readonly costUsd: string | undefined;
  readonly lastError: LlmError | undefined;
  readonly partialText?: string | undefined;
}

/** The error after the end by the caller's signal, or by the time limit with `timeoutMessage`. */
export function errorOfEnding(
  redactor: Redactor,
  timeoutMessage: string,
  state: EndedState,
): LlmError {
  const { ending, ...details } = state;
  const { lastError } = details;
  const timed = {
    ...details,
    status: 0,
    code: 'TIMEOUT',
    message: timeoutMessage,
    cause: lastError,
  };
  if (ending?.kind !== 'aborted') return new LlmError({ ...timed, retryable: true });
  const after = lastError && ` after attempt ${lastError.attempts} failed with ${lastError.code}`;
  const message = `the caller aborted the call${after ?? ''}`;
  const cause = redactor.cause(ending.reason);
  return new LlmError({ ...timed, code: 'ABORTED', message, cause });
}
