import type { Cost, GatewayErrorName, gatewayErrors, Usage } from '@model-gateway/contract';
import { isError } from '../lib/is-error.ts';
import { isRecord } from '../lib/is-record.ts';
import { type AnswerHead, readHead } from './answer-head.ts';

/** The outcome of one attempt. `ended` means that the deadline or the caller ended the call. */
export type Outcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly headers: Headers }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'ended' };

/** Why an attempt failed. Its texts are the server's: complete, and the key is not yet removed. */
export interface Failure {
  /** The HTTP status; 0 when there was no complete response. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly model?: string | undefined;
  /** The wait that `retry-after` requests, in milliseconds, not capped. */
  readonly retryAfterMs?: number | undefined;
  /** True when the body has an `error`: the API made it, not a proxy in front of it. */
  readonly isApiError?: boolean;
  /** True when the response has `x-should-retry: false`. */
  readonly refusesRetry?: boolean;
  readonly cause?: unknown;
  /** The facts from the headers; absent without a response. */
  readonly head?: AnswerHead;
  /**
   * True for a failure that uses no attempt: the call is running, and its response can be
   * collected.
   */
  readonly isFree?: boolean;
  /** The partial response, or the whole one if only the caller's own schema rejected it. */
  readonly paidAnswer?: PaidAnswer;
}

/** A response that was paid for but is unusable for its caller. */
export interface PaidAnswer {
  readonly object?: unknown;
  readonly usage?: Usage | undefined;
  readonly cost?: Cost | undefined;
}

/** A response's head, and the readable part of its body. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The time of the response, for a `retry-after` that is a date. */
  readonly epochMs: number;
  /** The failure to read an error's body, if any. */
  readonly cause?: unknown;
}

/** The client's codes for bodies of the gateway, which contain only `{"message"}`. */
export type GatewayCode = Extract<
  GatewayErrorName,
  'FORBIDDEN' | 'TOO_MANY_REQUESTS' | 'LIMIT_EXCEEDED' | 'REQUEST_TOO_LONG' | 'GATEWAY_TIMEOUT'
>;

const gatewayHints: Readonly<Record<GatewayCode, string>> = {
  FORBIDDEN: 'check apiKey and baseUrl',
  TOO_MANY_REQUESTS: 'the request rate is exceeded, or the gateway is full',
  LIMIT_EXCEEDED: 'the daily request quota is used up until 00:00 UTC',
  REQUEST_TOO_LONG: 'the request body is too large; send less',
  GATEWAY_TIMEOUT: 'the gateway timed out; retry with the same idempotencyKey to get the response',
};

const gatewayCodes: Readonly<Record<number, GatewayCode>> = {
  403: 'FORBIDDEN',
  413: 'REQUEST_TOO_LONG',
  429: 'TOO_MANY_REQUESTS',
  504: 'GATEWAY_TIMEOUT',
};
const limitExceededMessage: (typeof gatewayErrors)['LIMIT_EXCEEDED']['message'] = 'Limit Exceeded';

const noReason = 'no reason given';

/** The failure for a broken or rejected connection. */
export function networkFailure(cause: unknown): Failure {
  const reason = isError(cause) ? innermostMessage(cause) : noReason;
  return {
    status: 0,
    code: 'NETWORK',
    message: `the API could not be reached: ${reason}`,
    cause,
  };
}

/** The failure for a response with an error status. */
export function statusFailure(received: ReceivedAnswer): Failure {
  const { status, headers, epochMs, cause } = received;
  return {
    ...describe(received),
    status,
    retryAfterMs: parseRetryAfterMs(headers.get('retry-after'), epochMs),
    refusesRetry: headers.get('x-should-retry')?.trim().toLowerCase() === 'false',
    cause,
    head: readHead(headers),
  };
}

/**
 * The failure for an unusable body with a success status; `what` names the expected body. It might
 * have been paid for.
 */
export function badResponseFailure(received: ReceivedAnswer, what: string): Failure {
  const { status, headers, text } = received;
  return {
    status,
    code: 'BAD_RESPONSE',
    // Never the body itself: it might contain the model's output, and messages end up in logs.
    message:
      `the response has status ${status}, but its body is not ${what}` +
      ` (${contentTypeOf(headers)}, ${text.length} characters); check baseUrl`,
    head: readHead(headers),
  };
}

type Description = Pick<Failure, 'code' | 'message' | 'requestId' | 'model' | 'isApiError'>;

function describe({ status, headers, text }: ReceivedAnswer): Description {
  const httpCode = `HTTP_${status}`;
  if (status >= 300 && status < 400) {
    const message = `the API redirects (${status}); correct baseUrl`;
    return { code: httpCode, message };
  }

  const body = parseJson(text);
  const error = isRecord(body) ? (body.error ?? undefined) : undefined;
  if (error !== undefined) return describeApiError(error, httpCode);
  if (isRecord(body) && typeof body.message === 'string') {
    const code = gatewayCode(status, body.message);
    const hint = code === undefined ? `status ${status}` : gatewayHints[code];
    const message = `${body.message} (${hint})`;
    return { code: code ?? httpCode, message };
  }
  const message = `the response has status ${status}, but its body is not the API's (${contentTypeOf(headers)})`;
  return { code: httpCode, message };
}

/** The content of an API `error`; `otherwise` is its code where it has none. */
export function describeApiError(error: unknown, otherwise: string): Description {
  const fields = isRecord(error) ? error : {};
  return {
    code: readText(fields.code) ?? otherwise,
    message: readText(fields.message) ?? noReason,
    requestId: readText(fields.requestId),
    model: readText(fields.model),
    isApiError: true,
  };
}

function contentTypeOf(headers: Headers): string {
  return headers.get('content-type') ?? 'no content type';
}

function gatewayCode(status: number, message: string): GatewayCode | undefined {
  // The only branch on a text: the gateway in front of the API has no codes.
  if (status === 429 && message === limitExceededMessage) return 'LIMIT_EXCEEDED';
  return gatewayCodes[status];
}

/** The value of a JSON text, or `undefined` for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: every caller handles `undefined` as a result.
    return undefined;
  }
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `fetch` only reports "fetch failed"; the system's error is at the end of its causes. */
function innermostMessage(error: Error): string {
  let current = error;
  for (let depth = 0; depth < 5 && isError(current.cause); depth++) current = current.cause;
  const { message } = current;
  // The first Nodes with a fetch lost the reason of a rejected connection.
  if (message !== '' && message !== '[object Object]') return message;
  // The error of a host with several addresses has only a code, and no message.
  const code: unknown = Reflect.get(current, 'code');
  return readText(code) ?? (message === '' ? current.name : noReason);
}

const secondsForm = /^\d+(\.\d+)?$/;
const dateForm = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*[ ,]/;

/**
 * The wait that a server requests, in milliseconds, not yet capped; a past date is 0. `undefined`
 * when the header is missing or neither seconds nor a date, such as a negative number.
 */
export function parseRetryAfterMs(header: string | null, epochMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (secondsForm.test(text)) {
    return Math.min(Math.round(Number(text) * 1_000), Number.MAX_SAFE_INTEGER);
  }

  // `Date.parse` reads "-1" as the year 2001, so only texts that begin with a weekday reach it.
  if (!dateForm.test(text)) return undefined;
  // The oldest of HTTP's three date forms has no time zone; all three mean GMT.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - epochMs);
}
