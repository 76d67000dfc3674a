import type { ApiErrorCode, GatewayErrorName } from '@model-gateway/contract';

/** Any error of ours, by its code or by its name. */
export type ErrorName = ApiErrorCode | GatewayErrorName;

/** An error in OpenAI's words. */
export interface OpenAiWords {
  readonly status: number;
  readonly type: string;
  /** Ours where there is none. */
  readonly code?: string;
}

const invalid = { openai: { status: 400, type: 'invalid_request_error' } };
const noKey = { openai: { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' } };
const noMoney = {
  openai: { status: 402, type: 'insufficient_quota', code: 'insufficient_quota' },
};
const notPermitted = { openai: { status: 403, type: 'permission_error' } };
const tooMany = {
  openai: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
};
const broken = { openai: { status: 503, type: 'server_error' } };
const late = { openai: { status: 504, type: 'server_error', code: 'timeout' } };

/**
 * Every error in the words that each maker's clients know: with 429 all of them would ask again
 * for money that is spent, and with 502 for what is paid. `docs/compatible.md` has the table.
 */
export const compatibleErrors: Readonly<Record<ErrorName, { readonly openai: OpenAiWords }>> = {
  ...{ INVALID: invalid, USER_REQUIRED: invalid, MODEL_NOT_PRICED: invalid, BAD_REQUEST: invalid },
  ...{ FORBIDDEN: noKey, UNAUTHORIZED: noKey },
  ...{ BUDGET_EXCEEDED: noMoney, INSUFFICIENT_CREDITS: noMoney },
  ...{ NO_SERVICE: notPermitted, DISABLED: notPermitted },
  ...{ MODEL_NOT_ALLOWED: notPermitted, AUTH: notPermitted },
  NOT_FOUND: { openai: { ...invalid.openai, status: 404 } },
  REQUEST_TIMEOUT: { openai: { ...invalid.openai, status: 408 } },
  CREDITS_NOT_ENABLED: { openai: { ...invalid.openai, status: 409 } },
  REQUEST_TOO_LONG: { openai: { ...invalid.openai, status: 413 } },
  EXPECTATION_FAILED: { openai: { ...invalid.openai, status: 417 } },
  ...{ THROTTLED: tooMany, TOO_MANY_REQUESTS: tooMany, LIMIT_EXCEEDED: tooMany },
  HEADERS_TOO_LARGE: { openai: { ...invalid.openai, status: 431 } },
  ABORTED: { openai: { ...invalid.openai, status: 499 } },
  NOT_IMPLEMENTED: { openai: { ...invalid.openai, status: 501 } },
  ...{ SERVER: broken, INTERNAL: broken, WALLET_BUSY: broken },
  // An output that is cut off, or that fits nothing, is an answer here.
  ...{ TRUNCATED: broken, BAD_OUTPUT: broken },
  ...{ TIMEOUT: late, GATEWAY_TIMEOUT: late },
};
