import type { ErrorReason } from '@model-gateway/contract';
import { CallError } from '../../../../calls/model/call-error.ts';
import type { Answer } from '../../../exchange/answer.ts';
import type { RequestHead } from '../../../exchange/dialect.ts';
import type { Refusal } from '../../../exchange/refusal.ts';
import { describeRefusal, type ErrorName } from '../../compatible/refusal.ts';

interface ErrorShape {
  readonly status: number;
  readonly type: string;
  /** Default: the gateway's code. */
  readonly code?: string;
}

const invalid = { status: 400, type: 'invalid_request_error' };
const noKey = { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' };
const noMoney = { status: 402, type: 'insufficient_quota', code: 'insufficient_quota' };
const notPermitted = { status: 403, type: 'permission_error' };
const tooMany = { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' };
const broken = { status: 503, type: 'server_error' };
const timeout = { status: 504, type: 'server_error', code: 'timeout' };

/**
 * With 429 clients would retry without money, and with 502 they would retry a paid call.
 * `docs/compatible.md` has the table.
 */
const errorShapes: Readonly<Record<ErrorName, ErrorShape>> = {
  ...{ INVALID: invalid, USER_REQUIRED: invalid, MODEL_NOT_PRICED: invalid, BAD_REQUEST: invalid },
  ...{ FORBIDDEN: noKey, UNAUTHORIZED: noKey },
  ...{ BUDGET_EXCEEDED: noMoney, INSUFFICIENT_CREDITS: noMoney },
  ...{ NO_SERVICE: notPermitted, DISABLED: notPermitted },
  ...{ MODEL_NOT_ALLOWED: notPermitted, AUTH: notPermitted },
  NOT_FOUND: { ...invalid, status: 404 },
  REQUEST_TIMEOUT: { ...invalid, status: 408 },
  CREDITS_NOT_ENABLED: { ...invalid, status: 409 },
  REQUEST_TOO_LONG: { ...invalid, status: 413 },
  EXPECTATION_FAILED: { ...invalid, status: 417 },
  ...{ THROTTLED: tooMany, TOO_MANY_REQUESTS: tooMany, LIMIT_EXCEEDED: tooMany },
  HEADERS_TOO_LARGE: { ...invalid, status: 431 },
  ABORTED: { ...invalid, status: 499 },
  NOT_IMPLEMENTED: { ...invalid, status: 501 },
  ...{ SERVER: broken, INTERNAL: broken, WALLET_BUSY: broken },
  // Truncated or mismatching output is a normal response in this API format.
  ...{ TRUNCATED: broken, BAD_OUTPUT: broken },
  ...{ TIMEOUT: timeout, GATEWAY_TIMEOUT: timeout },
};

export function refuse(refusal: Refusal, request?: RequestHead): Answer {
  const { name, message, param, headers } = describeRefusal(refusal, request);
  const { status, type, code = name } = errorShapeOf(refusal, name);
  const known = name === 'NOT_FOUND' ? missing(refusal) : (reasonCode(refusal) ?? code);
  // The operator's credential is wrong; for the caller only the model identifies it.
  const about = param ?? (name === 'AUTH' ? 'model' : null);
  const body = JSON.stringify({ error: { message, type, param: about, code: known } });
  if (refusal instanceof CallError) return { status, body, headers };
  return { status, body, headers, refusal: refusal.name };
}

const reasonCodes: Readonly<Record<ErrorReason, string | undefined>> = {
  context_length: 'context_length_exceeded',
  image: 'invalid_image',
  schema: 'invalid_json_schema',
  tool: undefined,
  reasoning: undefined,
  content_policy: 'content_policy_violation',
  parameter: 'unsupported_parameter',
};

function reasonCode(refusal: Refusal): string | undefined {
  if (!(refusal instanceof CallError) || refusal.details.reason === undefined) return undefined;
  const { reason, param } = refusal.details;
  const isTool = reason === 'schema' && param?.startsWith('tools') === true;
  return isTool ? 'invalid_function_parameters' : reasonCodes[reason];
}

/** A throttled stream ends with a throttling error. */
function errorShapeOf(refusal: Refusal, name: ErrorName): ErrorShape {
  const isThrottle =
    refusal instanceof CallError && name === 'SERVER' && refusal.details.platformStatus === 429;
  return isThrottle ? tooMany : errorShapes[name];
}

function missing(refusal: Refusal): string {
  const isModel = refusal instanceof CallError && refusal.details.model !== undefined;
  return isModel ? 'model_not_found' : 'unknown_url';
}
