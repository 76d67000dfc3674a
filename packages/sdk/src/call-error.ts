import type { Bill } from './bill.ts';
import type { Ending } from './deadline.ts';
import type { Failure } from './failure.ts';
import { LlmError } from './llm-error.ts';
import type { Redactor } from './redact.ts';

/** What an error needs to know of its call. */
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
    message: redactor.text(failure.message),
    status: failure.status,
    code: redactor.text(failure.code),
    attempts,
    gatewayRequestId: clean(failure.head?.gatewayRequestId),
    requestId: clean(failure.requestId),
    model: clean(failure.model),
    retryAfterMs: failure.retryAfterMs,
    idempotencyKey,
    costUsd: bill.totalUsd() ?? undefined,
    partialText,
    ...failure.found,
    cause: redactor.cause(failure.cause),
  });
}

/** The error of a call that its time or its caller has ended. */
export function endedError(
  { redactor, checked, idempotencyKey, bill }: FailedCall,
  state: {
    readonly ending: Ending;
    readonly attempts: number;
    readonly lastError: LlmError | undefined;
    readonly partialText?: string | undefined;
  },
): LlmError {
  const { ending, attempts, lastError, partialText } = state;
  const costUsd = bill.totalUsd() ?? undefined;
  const details = { status: 0, attempts, idempotencyKey, costUsd, lastError, partialText };
  if (ending.kind === 'aborted') return abortedError(details, redactor.cause(ending.reason));
  const collect = idempotencyKey === undefined ? '' : '; its idempotencyKey collects a late answer';
  const message = `no answer within timeoutMs, ${checked.timeoutMs} ms${collect}`;
  return new LlmError({ ...details, code: 'TIMEOUT', message, cause: lastError });
}

/** The error of what its caller's signal has ended, with the reason that the signal gave. */
export function abortedError(
  details: {
    readonly attempts: number;
    readonly idempotencyKey?: string | undefined;
    readonly costUsd?: string | undefined;
    readonly lastError?: LlmError | undefined;
    readonly partialText?: string | undefined;
  },
  cause: unknown,
): LlmError {
  const { lastError } = details;
  const after =
    lastError === undefined
      ? ''
      : `, after attempt ${lastError.attempts} had failed with ${lastError.code}`;
  const message = `the caller aborted it${after}`;
  return new LlmError({ ...details, status: 0, code: 'ABORTED', message, cause });
}
