import type {
  ApiErrorCode,
  apiErrors,
  FinishReason,
  gatewayErrors,
  Operation,
  Usage,
} from '@model-gateway/contract';
import type { GatewayCode } from '../failure.ts';

/** What a scripted model answers, once. */
export type FakeAnswer =
  | ({ readonly text: string; readonly finishReason?: FinishReason | undefined } & FakeCost)
  | ({ readonly object: unknown } & FakeCost)
  | ({ readonly toolCalls: readonly FakeToolCall[]; readonly text?: string } & FakeCost)
  | { readonly error: FakeError | FakeErrorCode }
  | { readonly body: object }
  | { readonly hangs: true };

/** What an answer took. */
export interface FakeCost {
  /** Default: none of any kind. */
  readonly usage?: Partial<Usage> | undefined;
  /** Default `"0"`; `null` is a model without a price. */
  readonly costUsd?: string | null | undefined;
}

/** A tool that the scripted model asks for. */
export interface FakeToolCall {
  readonly name: string;
  readonly input: unknown;
  /** Default: one that no other call of the script has. */
  readonly id?: string | undefined;
}

/** A code whose status is known; `NETWORK` and `BAD_RESPONSE` are the client's own. */
export type FakeErrorCode =
  | ApiErrorCode
  | GatewayCode
  | 'NETWORK'
  | 'BAD_RESPONSE'
  | `HTTP_${number}`;

/** An error with more than its code. */
export interface FakeError {
  readonly code: FakeErrorCode;
  readonly message?: string | undefined;
  readonly requestId?: string | undefined;
  readonly model?: string | undefined;
  /** In seconds, as the header is. */
  readonly retryAfter?: number | undefined;
}

const apiStatuses: { readonly [Code in ApiErrorCode]: (typeof apiErrors)[Code]['status'] } = {
  INVALID: 400,
  USER_REQUIRED: 400,
  MODEL_NOT_PRICED: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_CREDITS: 402,
  NO_SERVICE: 403,
  DISABLED: 403,
  MODEL_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  CREDITS_NOT_ENABLED: 409,
  BUDGET_EXCEEDED: 429,
  INTERNAL: 500,
  NOT_IMPLEMENTED: 501,
  WALLET_BUSY: 503,
  BAD_REQUEST: 400,
  AUTH: 403,
  TRUNCATED: 422,
  THROTTLED: 429,
  ABORTED: 499,
  BAD_OUTPUT: 502,
  SERVER: 502,
  TIMEOUT: 504,
};

const gatewayAnswers: {
  readonly [Code in GatewayCode]: Pick<(typeof gatewayErrors)[Code], 'status' | 'message'>;
} = {
  FORBIDDEN: { status: 403, message: 'Forbidden' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too Many Requests' },
  LIMIT_EXCEEDED: { status: 429, message: 'Limit Exceeded' },
  REQUEST_TOO_LONG: { status: 413, message: 'Request Too Long' },
  GATEWAY_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
};

/** What a scripted answer is made for. */
export interface FakeAsked {
  /** `undefined` for what is not a model's: usage, models and credits. */
  readonly operation: Operation | undefined;
  readonly model: unknown;
  /** The number of the call; the first is 1. */
  readonly number: number;
}

/** The gateway's answer that stands for a scripted one; throws when it does not fit the call. */
export function writeAnswer(answer: FakeAnswer, asked: FakeAsked): Response {
  const { operation } = asked;
  if ('body' in answer) return json(200, answer.body);
  if ('error' in answer) return writeError(answer.error);
  if ('object' in answer && operation === 'objects') {
    return json(200, { ...shared(answer, asked), object: answer.object });
  }
  if ('toolCalls' in answer && operation === 'agents') return json(200, writeTurn(answer, asked));
  if ('text' in answer && operation === 'agents') {
    return json(200, writeTurn({ ...answer, toolCalls: [] }, asked));
  }
  if ('text' in answer && !('toolCalls' in answer) && operation === 'chat') {
    const { text, finishReason = 'stop' } = answer;
    return json(200, { ...shared(answer, asked), text, finishReason });
  }
  const given = Object.keys(answer).join(', ');
  throw new Error(
    `step ${asked.number} of the script gives ${given}, which no call of ${operation} answers`,
  );
}

function shared({ usage, costUsd = '0' }: FakeCost, { model, number }: FakeAsked): object {
  const none = { inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 };
  return {
    id: `fake-${number}`,
    model,
    requestId: null,
    usage: { ...none, outputTokens: 0, reasoningTokens: 0, ...usage },
    cost: { usd: costUsd, estimated: false },
  };
}

function writeTurn(
  answer: { readonly toolCalls: readonly FakeToolCall[]; readonly text?: string } & FakeCost,
  asked: FakeAsked,
): object {
  const { text } = answer;
  const toolCalls = answer.toolCalls.map(({ name, input, id }, index) => ({
    id: id ?? `call-${asked.number}-${index + 1}`,
    name,
    input,
  }));
  const done = toolCalls.length === 0;
  const message = { role: 'assistant', content: text, ...(done ? {} : { toolCalls }) };
  return { ...shared(answer, asked), done, text, toolCalls, message };
}

function writeError(error: FakeError | FakeErrorCode): Response {
  const { code, message, requestId, model, retryAfter }: FakeError =
    typeof error === 'string' ? { code: error } : error;
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  if (code === 'NETWORK') throw new TypeError(message ?? 'fetch failed');
  if (code === 'BAD_RESPONSE') return new Response('not JSON', { status: 200 });
  if (isIn(apiStatuses, code)) {
    const fields = { code, message: message ?? `scripted ${code}`, requestId, model };
    return json(apiStatuses[code], { error: fields }, headers);
  }
  if (isIn(gatewayAnswers, code)) {
    const gateway = gatewayAnswers[code];
    return json(gateway.status, { message: gateway.message }, headers);
  }
  return new Response('', { status: Number(code.replace('HTTP_', '')), headers });
}

function isIn<Table extends object>(table: Table, code: PropertyKey): code is keyof Table {
  return code in table;
}

/** `Response.json` is missing in early Node 18. */
function json(status: number, body: object, headers: Record<string, string> = {}): Response {
  const type = { 'content-type': 'application/json' };
  return new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } });
}
