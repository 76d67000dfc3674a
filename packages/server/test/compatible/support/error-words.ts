import type { ApiErrorCode, GatewayErrorName } from '@model-gateway/contract';

/** An error of ours, by its code or by its name. */
export type OurError = ApiErrorCode | GatewayErrorName;

/** An error in each vendor's words, typed in from the contract and not from the product. */
export interface Words {
  /** Status, type and code. */
  readonly openai: readonly [number, string, string];
  /** Status and type. */
  readonly anthropic: readonly [number, string];
  /** Why callers of these routes never receive it, if so. */
  readonly never?: string;
}

const invalid = (code: string): Words => ({
  openai: [400, 'invalid_request_error', code],
  anthropic: [400, 'invalid_request_error'],
});
const refusedBy = (status: number, code: string): Words => ({
  openai: [status, 'invalid_request_error', code],
  anthropic: [status, 'invalid_request_error'],
});
const noKey: Words = {
  openai: [401, 'invalid_request_error', 'invalid_api_key'],
  anthropic: [401, 'authentication_error'],
};
const notPermitted = (code: string): Words => ({
  openai: [403, 'permission_error', code],
  anthropic: [403, 'permission_error'],
});
const noMoney: Words = {
  openai: [402, 'insufficient_quota', 'insufficient_quota'],
  anthropic: [402, 'billing_error'],
};
const tooMany: Words = {
  openai: [429, 'rate_limit_error', 'rate_limit_exceeded'],
  anthropic: [429, 'rate_limit_error'],
};
const broken = (code: string): Words => ({
  openai: [503, 'server_error', code],
  anthropic: [500, 'api_error'],
});
const late: Words = {
  openai: [504, 'server_error', 'timeout'],
  anthropic: [504, 'timeout_error'],
};

export const errorWords: Readonly<Record<OurError, Words>> = {
  INVALID: invalid('INVALID'),
  USER_REQUIRED: invalid('USER_REQUIRED'),
  MODEL_NOT_PRICED: invalid('MODEL_NOT_PRICED'),
  BAD_REQUEST: invalid('BAD_REQUEST'),
  FORBIDDEN: noKey,
  UNAUTHORIZED: noKey,
  INSUFFICIENT_CREDITS: noMoney,
  BUDGET_EXCEEDED: noMoney,
  NO_SERVICE: notPermitted('NO_SERVICE'),
  DISABLED: notPermitted('DISABLED'),
  MODEL_NOT_ALLOWED: notPermitted('MODEL_NOT_ALLOWED'),
  AUTH: notPermitted('AUTH'),
  NOT_FOUND: {
    openai: [404, 'invalid_request_error', 'model_not_found'],
    anthropic: [404, 'not_found_error'],
  },
  REQUEST_TIMEOUT: refusedBy(408, 'REQUEST_TIMEOUT'),
  CREDITS_NOT_ENABLED: {
    ...refusedBy(409, 'CREDITS_NOT_ENABLED'),
    never: 'no route here asks for credits',
  },
  REQUEST_TOO_LONG: {
    openai: [413, 'invalid_request_error', 'REQUEST_TOO_LONG'],
    anthropic: [413, 'request_too_large'],
  },
  EXPECTATION_FAILED: refusedBy(417, 'EXPECTATION_FAILED'),
  TRUNCATED: { ...broken('TRUNCATED'), never: 'an output that is cut off is an answer here' },
  THROTTLED: tooMany,
  TOO_MANY_REQUESTS: tooMany,
  LIMIT_EXCEEDED: tooMany,
  HEADERS_TOO_LARGE: refusedBy(431, 'HEADERS_TOO_LARGE'),
  ABORTED: { ...refusedBy(499, 'ABORTED'), never: 'who has left is told nothing' },
  NOT_IMPLEMENTED: refusedBy(501, 'NOT_IMPLEMENTED'),
  SERVER: broken('SERVER'),
  INTERNAL: broken('INTERNAL'),
  WALLET_BUSY: broken('WALLET_BUSY'),
  BAD_OUTPUT: broken('BAD_OUTPUT'),
  TIMEOUT: late,
  GATEWAY_TIMEOUT: late,
};
