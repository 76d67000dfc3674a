import { CallError } from '../../../calls/model/call-error.ts';
import type { Answer } from '../../exchange/answer.ts';
import type { RequestHead } from '../../exchange/dialect.ts';
import type { Refusal } from '../../exchange/refusal.ts';
import { describeRefusal, type ErrorName } from '../compatible/refusal.ts';

interface ErrorShape {
  readonly status: number;
  readonly type: string;
}

const invalid = { status: 400, type: 'invalid_request_error' };
const noKey = { status: 401, type: 'authentication_error' };
const noMoney = { status: 402, type: 'billing_error' };
const notPermitted = { status: 403, type: 'permission_error' };
const tooMany = { status: 429, type: 'rate_limit_error' };
const broken = { status: 500, type: 'api_error' };
const overloaded = { status: 529, type: 'overloaded_error' };
const timeout = { status: 504, type: 'timeout_error' };

/** `docs/compatible.md` has the table. */
const errorShapes: Readonly<Record<ErrorName, ErrorShape>> = {
  ...{ INVALID: invalid, USER_REQUIRED: invalid, MODEL_NOT_PRICED: invalid, BAD_REQUEST: invalid },
  ...{ FORBIDDEN: noKey, UNAUTHORIZED: noKey },
  ...{ BUDGET_EXCEEDED: noMoney, INSUFFICIENT_CREDITS: noMoney },
  ...{ NO_SERVICE: notPermitted, DISABLED: notPermitted },
  ...{ MODEL_NOT_ALLOWED: notPermitted, AUTH: notPermitted },
  NOT_FOUND: { status: 404, type: 'not_found_error' },
  REQUEST_TIMEOUT: { ...invalid, status: 408 },
  CREDITS_NOT_ENABLED: { ...invalid, status: 409 },
  REQUEST_TOO_LONG: { status: 413, type: 'request_too_large' },
  EXPECTATION_FAILED: { ...invalid, status: 417 },
  ...{ THROTTLED: tooMany, TOO_MANY_REQUESTS: tooMany, LIMIT_EXCEEDED: tooMany },
  HEADERS_TOO_LARGE: { ...invalid, status: 431 },
  ABORTED: { ...invalid, status: 499 },
  NOT_IMPLEMENTED: { ...invalid, status: 501 },
  ...{ SERVER: broken, INTERNAL: broken, WALLET_BUSY: broken },
  ...{ TRUNCATED: broken, BAD_OUTPUT: broken },
  ...{ TIMEOUT: timeout, GATEWAY_TIMEOUT: timeout },
};

export function refuse(refusal: Refusal, request?: RequestHead): Answer {
  const { name, message, headers } = describeRefusal(refusal, request);
  const { status, type } = errorShapeOf(refusal, name);
  const body = errorBody(type, message);
  if (refusal instanceof CallError) return { status, body, headers };
  return { status, body, headers, refusal: refusal.name };
}

export function errorEvent(error: CallError): string {
  const { type } = errorShapeOf(error, error.code);
  const data = JSON.stringify({ type: 'error', error: { type, message: error.message } });
  return `event: error\ndata: ${data}\n\n`;
}

export function withRequestId(answer: Answer, requestId: string): Answer {
  const headers = { ...answer.headers, 'request-id': requestId };
  const { body } = answer;
  if (!body.endsWith(unnamed)) return { ...answer, headers };
  const named = `${body.slice(0, -unnamed.length)},"request_id":${JSON.stringify(requestId)}}`;
  return { ...answer, headers, body: named };
}

const unnamed = ',"request_id":null}';

function errorBody(type: string, message: string): string {
  return JSON.stringify({ type: 'error', error: { type, message }, request_id: null });
}

/** Keeps a platform's error class. A model that is paused for some seconds is overloaded. */
function errorShapeOf(refusal: Refusal, name: ErrorName): ErrorShape {
  if (!(refusal instanceof CallError) || name !== 'SERVER') return errorShapes[name];
  const { retryAfterSeconds, platformStatus } = refusal.details;
  if (retryAfterSeconds !== undefined || platformStatus === 529) return overloaded;
  return platformStatus === 429 ? tooMany : errorShapes[name];
}
