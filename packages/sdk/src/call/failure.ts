import type { Cost, GatewayErrorName, gatewayErrors, Usage } from '@model-gateway/contract';
import { isError } from '../lib/is-error.ts';
import { isRecord } from '../lib/is-record.ts';
import { type AnswerHead, readHead } from './answer-head.ts';

/** What one attempt came to. `ended` means that the deadline or the caller ended the call. */
export type Outcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly headers: Headers }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'ended' };

/** Why an attempt failed. Its texts are the server's: whole, and not cleared of the key. */
export interface Failure {
  /** The HTTP status; 0 when there was no complete answer. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly model?: string | undefined;
  /** What `retry-after` asks for, in milliseconds, not capped. */
  readonly retryAfterMs?: number | undefined;
  /** True when the body has an `error`, so that it was made by the API, not in front of it. */
  readonly isApiError?: boolean;
  /** True when the answer says `x-should-retry: false`. */
  readonly refusesRetry?: boolean;
  readonly cause?: unknown;
  /** What the headers say; absent when there was no answer. */
  readonly head?: AnswerHead;
  /** True for one that uses no attempt up: the call is at work, and its answer to be collected. */
  readonly isFree?: boolean;
  /** What there was of an answer, or all of one that only the caller's own schema refused. */
  readonly paidAnswer?: PaidAnswer;
}

/** An answer that was paid for, and is none for its caller. */
export interface PaidAnswer {
  readonly object?: unknown;
  readonly usage?: Usage | undefined;
  readonly cost?: Cost | undefined;
}

/** An answer's head, and its body as far as it could be read. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The moment of the answer, for a `retry-after` that is a date. */
  readonly epochMs: number;
  /** What broke the reading of an error's body, if anything did. */
  readonly cause?: unknown;
}

/** The codes that the client gives to bodies of the gateway, `{"message"}` alone. */
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

/** The failure that a broken or refused connection is. */
export function networkFailure(cause: unknown): Failure {
  const reason = isError(cause) ? innermostMessage(cause) : noReason;
  return {
    status: 0,
    code: 'NETWORK',
    message: `the API could not be reached: ${reason}`,
    cause,
  };
}

/** The failure that an answer with an error status is. */
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
 * The failure that a success status with an unusable body is: `what` it is not. It may have been
 * paid for.
 */
export function badResponseFailure(received: ReceivedAnswer, what: string): Failure {
  const { status, headers, text } = received;
  return {
    status,
    code: 'BAD_RESPONSE',
    // Never the body itself: it may hold what the model wrote, and messages end up in logs.
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

/** What an `error` of the API says; `otherwise` is its code where it has none. */
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

/** The value of a JSON text, or `undefined` when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: no value, which every caller of this takes for an answer in itself.
    return undefined;
  }
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `fetch` says "fetch failed"; what helps is the system's error at the end of its causes. */
function innermostMessage(error: Error): string {
  let current = error;
  for (let depth = 0; depth < 5 && isError(current.cause); depth++) current = current.cause;
  const { message } = current;
  // The first Nodes with a fetch lost the reason of a refused connection on its way.
  if (message !== '' && message !== '[object Object]') return message;
  // The error of a host with several addresses has no message of its own, but a code.
  const code: unknown = Reflect.get(current, 'code');
  return readText(code) ?? (message === '' ? current.name : noReason);
}

const secondsForm = /^\d+(\.\d+)?$/;
const dateForm = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*[ ,]/;

/**
 * How long a server asks to wait, in milliseconds, not yet capped; a date that has passed is 0.
 * `undefined` when the header is missing or is neither seconds nor a date: a negative number, too.
 */
export function parseRetryAfterMs(header: string | null, epochMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (secondsForm.test(text)) {
    return Math.min(Math.round(Number(text) * 1_000), Number.MAX_SAFE_INTEGER);
  }

  // `Date.parse` takes "-1" for the year 2001, so only what begins with a weekday is given to it.
  if (!dateForm.test(text)) return undefined;
  // The oldest of HTTP's three date forms has no time zone; all three mean GMT.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - epochMs);
}
