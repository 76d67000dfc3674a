import { LlmError } from '../call/llm-error.ts';

// The AI SDK recognizes its errors by these, across its copies and versions.
const anyError = Symbol.for('vercel.ai.error');
const callError = Symbol.for('vercel.ai.error.AI_APICallError');
const unsupportedError = Symbol.for('vercel.ai.error.AI_UnsupportedFunctionalityError');

/** The error, and the request that failed. */
export interface FailedRequest {
  readonly error: unknown;
  readonly request: object;
  readonly signal: AbortSignal | undefined;
}

/**
 * The error for the AI SDK: the same `LlmError` with the marks and fields of its `APICallError`;
 * for an abort, the caller's own reason. A spent budget is a 402. Only THROTTLED is retryable: the
 * client has retried all others, or a retry would be paid again.
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
  // The request is the conversation, so prints and JSON of the error leave it out.
  const hidden = { url: '/v1', requestBodyValues: request, [anyError]: true, [callError]: true };
  for (const [fields, enumerable] of [[shown, true] as const, [hidden, false] as const]) {
    for (const key of Reflect.ownKeys(fields)) {
      const value: unknown = Reflect.get(fields, key);
      Object.defineProperty(error, key, { value, enumerable, configurable: true });
    }
  }
  return error;
}

/** The headers that control its own retries. */
function headersOf({ retryAfterMs, gatewayRequestId }: LlmError): Record<string, string> {
  return {
    ...(retryAfterMs === undefined ? {} : { 'retry-after-ms': `${retryAfterMs}` }),
    ...(gatewayRequestId === undefined ? {} : { 'x-request-id': gatewayRequestId }),
  };
}

/** The AI SDK's error for an unsupported feature, with the correction. */
export function unsupported(functionality: string, cure: string): Error {
  const error = new Error(`The gateway does not support ${functionality}; ${cure}.`);
  error.name = 'AI_UnsupportedFunctionalityError';
  return Object.assign(error, { functionality, [anyError]: true, [unsupportedError]: true });
}
