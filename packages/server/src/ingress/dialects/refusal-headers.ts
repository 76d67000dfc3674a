import { apiErrors, type GatewayErrorName, headerNames } from '@model-gateway/contract';
import { CallError } from '../../calls/model/call-error.ts';
import type { GatewayRefusal, Refusal } from '../exchange/refusal.ts';

/** The same in every API format. Contract, sections 1 and 4. */
export function refusalHeaders(refusal: Refusal): Record<string, string> {
  return refusal instanceof CallError ? errorHeaders(refusal) : gatewayHeaders(refusal);
}

/** Contract, section 1. */
const neverRetried: readonly GatewayErrorName[] = ['BAD_REQUEST', 'FORBIDDEN', 'REQUEST_TOO_LONG'];

function gatewayHeaders({ name, retryAfterSeconds }: GatewayRefusal): Record<string, string> {
  const headers: Record<string, string> = {};
  if (neverRetried.includes(name)) headers[headerNames.shouldRetry] = 'false';
  if (retryAfterSeconds !== undefined) {
    headers[headerNames.retryAfter] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  }
  return headers;
}

function errorHeaders(error: CallError): Record<string, string> {
  const { retryAfterSeconds, costUsd, budgetScope, reason } = error.details;
  const headers: Record<string, string> = {};
  if (!mayRetry(error)) headers[headerNames.shouldRetry] = 'false';
  if (error.details.isReplayed === true) headers[headerNames.idempotentReplayed] = 'true';
  if (reason !== undefined) headers[headerNames.errorReason] = reason;
  if (budgetScope !== undefined) headers[headerNames.budgetScope] = budgetScope;
  if (costUsd !== undefined) headers[headerNames.costUsd] = costUsd;
  if (retryAfterSeconds !== undefined) {
    headers[headerNames.retryAfter] = String(Math.ceil(retryAfterSeconds));
  }
  return headers;
}

function mayRetry({ code, details }: CallError): boolean {
  if (details.shouldRetry === false) return false;
  const { status } = apiErrors[code];
  return code === 'THROTTLED' || (status >= 500 && status !== 501);
}
