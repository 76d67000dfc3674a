import { LlmError } from '../call/llm-error.ts';

// The AI SDK tells its errors by these, across copies and versions of itself.
const anyError = Symbol.for('vercel.ai.error');
const callError = Symbol.for('vercel.ai.error.AI_APICallError');
const unsupportedError = Symbol.for('vercel.ai.error.AI_UnsupportedFunctionalityError');

/** What failed, and what it was asked. */
export interface FailedRequest {
  readonly error: unknown;
  readonly request: object;
  readonly signal: AbortSignal | undefined;
}

/**
 * What the AI SDK is thrown: the same `LlmError`, from now on with the marks and the fields of its
 * `APICallError`; for an abort, the caller's own reason. A spent budget is a 402. Only a THROTTLED
 * may be tried again: all else the client has tried again itself, or it would be paid again.
 */
export function asAiError({ error, request, signal }: FailedRequest): unknown {
  if (!LlmError.is(error)) return error;
  const { code, status } = error;
  if (code === 'ABORTED' && signal?.aborted === true) return signal.reason;
  const isSpent = code === 'BUDGET_EXCEEDED' || code === 'INSUFFICIENT_CREDITS';
  const shown = {
    statusCode: isSpent ? 402 : status === 0 ? undefined : status,
    isRetryable: code === 'THROTTLED',
    responseHeaders: headersOf(error),
  };
  // The request is the conversation, and so it is in no print and no JSON of the error.
  const hidden = { url: '/v1', requestBodyValues: request, [anyError]: true, [callError]: true };
  for (const [fields, enumerable] of [[shown, true] as const, [hidden, false] as const]) {
    for (const key of Reflect.ownKeys(fields)) {
      const value: unknown = Reflect.get(fields, key);
      Object.defineProperty(error, key, { value, enumerable, configurable: true });
    }
  }
  return error;
}

/** What its own retries go by. */
function headersOf({ retryAfterMs, gatewayRequestId }: LlmError): Record<string, string> {
  return {
    ...(retryAfterMs === undefined ? {} : { 'retry-after-ms': `${retryAfterMs}` }),
    ...(gatewayRequestId === undefined ? {} : { 'x-request-id': gatewayRequestId }),
  };
}

/** The AI SDK's error for what the gateway has no word for, and what to do about it. */
export function unsupported(functionality: string, cure: string): Error {
  const error = new Error(`The gateway does not support ${functionality}; ${cure}.`);
  error.name = 'AI_UnsupportedFunctionalityError';
  return Object.assign(error, { functionality, [anyError]: true, [unsupportedError]: true });
}
