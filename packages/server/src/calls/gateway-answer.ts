import { type GatewayErrorName, gatewayErrors, headerNames } from '@model-gateway/contract';
import type { Answer } from './answer.ts';

/** The gateway's answers that a client must not repeat. Source: contract, section 1. */
const neverRetried: readonly GatewayErrorName[] = ['BAD_REQUEST', 'FORBIDDEN', 'REQUEST_TOO_LONG'];

/** An answer of the gateway: `{"message"}` alone. */
export function gatewayAnswer(name: GatewayErrorName, retryAfterSeconds?: number): Answer {
  const { status, message } = gatewayErrors[name];
  const headers: Record<string, string> = {};
  if (neverRetried.includes(name)) headers[headerNames.shouldRetry] = 'false';
  if (retryAfterSeconds !== undefined) {
    headers[headerNames.retryAfter] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  }
  return { status, body: JSON.stringify({ message }), headers, refusal: name };
}
