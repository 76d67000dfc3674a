import {
  type ApiErrorCode,
  type GatewayErrorName,
  gatewayErrors,
  headerNames,
} from '@model-gateway/contract';
import { CallError } from '../../../calls/model/call-error.ts';
import type { RequestHead } from '../../exchange/dialect.ts';
import type { Refusal } from '../../exchange/refusal.ts';
import { refusalHeaders } from '../refusal-headers.ts';
import { compatibleHeaders } from './header-names.ts';

export type ErrorName = ApiErrorCode | GatewayErrorName;

export interface RefusalDescription {
  readonly name: ErrorName;
  readonly message: string;
  readonly param: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** `request` is undefined for malformed input. */
export function describeRefusal(
  refusal: Refusal,
  request: RequestHead | undefined,
): RefusalDescription {
  const isError = refusal instanceof CallError;
  const name = isError ? refusal.code : refusal.name;
  const headers = refusalHeaders(refusal);
  headers[compatibleHeaders.errorCode] = name;
  if (unauthenticated.includes(name)) headers[compatibleHeaders.challenge] = bearerChallenge;
  const { isAdoptable = false } = isError ? refusal.details : refusal;
  const isFree = isAdoptable || isKeyed(request);
  if (isPaidAgain(refusal, name) && !isFree) headers[headerNames.shouldRetry] = 'false';
  if (name === 'LIMIT_EXCEEDED') headers[headerNames.shouldRetry] = 'false';
  const message = isError ? refusal.message : gatewaySentence(refusal.name);
  return { name, message, param: isError ? refusal.details.param : undefined, headers };
}

/** Status 401. RFC 9110, section 11.6.1. */
const unauthenticated: readonly ErrorName[] = ['FORBIDDEN', 'UNAUTHORIZED'];
const bearerChallenge = 'Bearer realm="model-gateway"';

/** The platform might have billed the call, so a retry without an idempotency key pays again. */
function isPaidAgain(refusal: Refusal, name: ErrorName): boolean {
  if (name === 'TIMEOUT' || name === 'GATEWAY_TIMEOUT') return true;
  return refusal instanceof CallError && refusal.details.costUsd !== undefined;
}

function isKeyed(request: RequestHead | undefined): boolean {
  return request?.method === 'POST' && request.header(headerNames.idempotencyKey) !== undefined;
}

function gatewaySentence(name: keyof typeof gatewayErrors): string {
  if (name === 'FORBIDDEN') return forbidden;
  const { message, when } = gatewayErrors[name];
  return `${message}: ${when}.`;
}

const forbidden =
  'The API key is missing or unknown, or two different keys were sent. Send one key, as "authorization: Bearer KEY" or "x-api-key: KEY".';
