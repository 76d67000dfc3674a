import type { ApiErrorCode, ErrorReason, GatewayErrorName } from '@model-gateway/contract';
import { expect } from 'vitest';
import type { Exchange } from './exchange.ts';

/** An API error as in the contract. */
export interface ExpectedError {
  readonly status: number;
  readonly code: ApiErrorCode;
  /** The required content of the sentence: the wrong value, and the correction. */
  readonly says: readonly string[];
  /** Only on errors of a model: its id as the caller sent it. */
  readonly model?: string;
  /** Only when the model was reached: then the platform's request id is included. */
  readonly isReached?: true;
  readonly retryAfter?: string;
  /**
   * The booked cost of the call, in USD, or that it is some amount; absent if nothing is booked.
   */
  readonly costUsd?: string | typeof anyUsd;
  /** The reason of the platform's rejection, if it reports a known one. */
  readonly reason?: ErrorReason | undefined;
  /** The budget of the rejection, unless it is the app's own of the day. */
  readonly budgetScope?: string;
  /** Only where the same call has the same result, although its status can usually be retried. */
  readonly isFinal?: true;
}

/** An amount above 0, for a test that cannot predict it. */
export const anyUsd = expect.stringMatching(/^(?=.*[1-9])\d+(\.\d+)?$/);

/** Checks status, code and sentence, and that body and headers have exactly these fields. */
export function expectError(exchange: Exchange, expected: ExpectedError) {
  const { status, code, says, model, isReached, retryAfter, costUsd, isFinal } = expected;
  const error = {
    code,
    message: expect.any(String),
    ...(isReached === true ? { requestId: expect.stringMatching(simulatorRequestId) } : {}),
    ...(model === undefined ? {} : { model }),
  };
  expect(exchange.body).toEqual({ error });
  expect(exchange.status).toBe(status);
  for (const part of says) expect(exchange.text).toContain(JSON.stringify(part).slice(1, -1));
  const shouldRetry = isFinal !== true && mayRetry(status, code);
  // An error names the model if a call of it was admitted, and then the call too.
  const hasCallId = model !== undefined;
  const budgetScope = code === 'BUDGET_EXCEEDED' ? (expected.budgetScope ?? 'app-day') : undefined;
  const { reason } = expected;
  expectHeaders(exchange, { retryAfter, shouldRetry, hasCallId, costUsd, budgetScope, reason });
  expectNoPlatformText(exchange);
  if (exchange.error === undefined) return;
  expect(exchange.error).toMatchObject({ status, code });
  expect(exchange.error.requestId !== undefined).toBe(isReached === true);
}

const simulatorRequestId = /^req_[0-9a-v]{52}$/;

/** Source: contract, section 1, `x-should-retry`. */
function mayRetry(status: number, code: ApiErrorCode): boolean {
  if (status >= 400 && status < 500) return code === 'THROTTLED';
  return status !== 501;
}

const gatewayMessages: Readonly<Record<GatewayErrorName, readonly [number, string]>> = {
  BAD_REQUEST: [400, 'Bad Request'],
  FORBIDDEN: [403, 'Forbidden'],
  REQUEST_TIMEOUT: [408, 'Request Timeout'],
  REQUEST_TOO_LONG: [413, 'Request Too Long'],
  EXPECTATION_FAILED: [417, 'Expectation Failed'],
  TOO_MANY_REQUESTS: [429, 'Too Many Requests'],
  LIMIT_EXCEEDED: [429, 'Limit Exceeded'],
  HEADERS_TOO_LARGE: [431, 'Request Header Fields Too Large'],
  GATEWAY_TIMEOUT: [504, 'Endpoint request timed out'],
};

/** Checks a response of the gateway in front of the API: only `{"message"}`. */
export function expectGateway(
  exchange: Exchange,
  name: GatewayErrorName,
  retryAfter: string | undefined = undefined,
) {
  const [status, message] = gatewayMessages[name];
  expect(exchange.text).toBe(JSON.stringify({ message }));
  expect(exchange.status).toBe(status);
  const shouldRetry = ![400, 403, 413].includes(status);
  // Its time may be over before the call is admitted, or after.
  const hasCallId = name === 'GATEWAY_TIMEOUT' && exchange.headers.has('x-call-id');
  expectHeaders(exchange, { retryAfter, shouldRetry, hasCallId });
}

const commonNames = ['cache-control', 'content-type', 'x-content-type-options', 'x-request-id'];

/** Headers that belong to the connection, and not to the response. */
const connectionNames = ['connection', 'content-length', 'date', 'keep-alive'];

/** Checks that a response has exactly the contract's headers. */
export function expectHeaders(
  { headers }: Exchange,
  expected: {
    readonly retryAfter?: string | undefined;
    readonly shouldRetry: boolean;
    readonly hasCallId?: boolean;
    readonly costUsd?: string | typeof anyUsd | undefined;
    readonly budgetScope?: string | undefined;
    readonly reason?: ErrorReason | undefined;
  },
) {
  const { retryAfter, shouldRetry, hasCallId = false, costUsd, budgetScope, reason } = expected;
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  expect(headers.get('retry-after')).toBe(retryAfter ?? null);
  expect(headers.get('x-should-retry')).toBe(shouldRetry ? null : 'false');
  expect(headers.get('x-cost-usd')).toEqual(costUsd ?? null);
  expect(headers.get('x-budget-scope')).toBe(budgetScope ?? null);
  expect(headers.get('x-error-reason')).toBe(reason ?? null);
  if (hasCallId) expect(headers.get('x-call-id')).toMatch(/^call_[0-9a-z]{26}$/);
  const own = [...headers.keys()].filter((name) => !connectionNames.includes(name));
  const more = [
    ...(retryAfter === undefined ? [] : ['retry-after']),
    ...(shouldRetry ? [] : ['x-should-retry']),
    ...(hasCallId ? ['x-call-id'] : []),
    ...(costUsd === undefined ? [] : ['x-cost-usd']),
    ...(budgetScope === undefined ? [] : ['x-budget-scope']),
    ...(reason === undefined ? [] : ['x-error-reason']),
  ];
  expect(own.sort()).toEqual([...commonNames, ...more].sort());
}

/** The parts of the simulator's sentences: accounts, ARNs, the platform's own words. */
const platformTexts = [
  /arn:/i,
  /111122223333/,
  /bedrock|mantle|assumed-role/i,
  /rate limit reached|current quota|billing details/i,
  /server had an error|unsupported parameter|not authorized|signature expired/i,
  /does not exist or account|no access to it|does not support the/i,
  /_error|_exceeded|insufficient_quota|access_denied|model_not_found|overloaded_error/,
];

/** Upstream texts contain account ids: they are logged, never forwarded. */
export function expectNoPlatformText({ text }: Pick<Exchange, 'text'>) {
  for (const platformText of platformTexts) expect(text).not.toMatch(platformText);
}
