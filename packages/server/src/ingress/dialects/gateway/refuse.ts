import type { GatewayErrorName } from '@model-gateway/contract';
import { apiErrors, type ErrorBody, gatewayErrors, headerNames } from '@model-gateway/contract';
import { CallError } from '../../../calls/call-error.ts';
import type { Answer } from '../../http/answer.ts';
import type { GatewayRefusal, Refusal } from '../../refusal.ts';

/** The answer to a request that is refused, be it by the gateway or by the API. */
export function refuse(refusal: Refusal): Answer {
  return refusal instanceof CallError ? errorAnswer(refusal) : gatewayAnswer(refusal);
}

/** The gateway's answers that a client must not repeat. Source: contract, section 1. */
const neverRetried: readonly GatewayErrorName[] = ['BAD_REQUEST', 'FORBIDDEN', 'REQUEST_TOO_LONG'];

/** An answer of the gateway: `{"message"}` alone. */
function gatewayAnswer({ name, retryAfterSeconds }: GatewayRefusal): Answer {
  const { status, message } = gatewayErrors[name];
  const headers: Record<string, string> = {};
  if (neverRetried.includes(name)) headers[headerNames.shouldRetry] = 'false';
  if (retryAfterSeconds !== undefined) {
    headers[headerNames.retryAfter] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  }
  return { status, body: JSON.stringify({ message }), headers, refusal: name };
}

/** The HTTP answer of an error. Source: contract, sections 1 and 4. */
function errorAnswer(error: CallError): Answer {
  const { retryAfterSeconds, costUsd } = error.details;
  const { status } = apiErrors[error.code];
  const body: ErrorBody = { error: errorOf(error) };
  const headers: Record<string, string> = {};
  if (!mayRetry(error, status)) headers[headerNames.shouldRetry] = 'false';
  if (error.details.isReplayed === true) headers[headerNames.idempotentReplayed] = 'true';
  if (costUsd !== undefined) headers[headerNames.costUsd] = costUsd;
  if (retryAfterSeconds !== undefined) {
    headers[headerNames.retryAfter] = String(Math.ceil(retryAfterSeconds));
  }
  return { status, body: JSON.stringify(body), headers };
}

/** What is told of an error. */
export function errorOf({ code, message, details }: CallError): ErrorBody['error'] {
  const { requestId, model } = details;
  return {
    ...{ code, message },
    ...(requestId === undefined ? {} : { requestId }),
    ...(model === undefined ? {} : { model }),
  };
}

function mayRetry(error: CallError, status: number): boolean {
  if (error.details.shouldRetry === false) return false;
  return error.code === 'THROTTLED' || (status >= 500 && status !== 501);
}
