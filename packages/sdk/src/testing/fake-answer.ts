import type {
  ApiErrorCode,
  apiErrors,
  gatewayErrors,
  Operation,
  QuoteAnswer,
} from '@model-gateway/contract';
import type { GatewayCode } from '../call/failure.ts';
import { isRecord } from '../lib/is-record.ts';
import type { FakeAnswer, FakeCost, FakeError, FakeErrorCode, FakeToolCall } from './fake-step.ts';
import { eventsOf, streamResponse } from './fake-stream.ts';
import { FakeScriptError } from './script-error.ts';

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

/** The call of a scripted response. */
export interface AnsweredCall {
  /** Below the base URL. */
  readonly path: string;
  /** `undefined` for a call without a model: usage, models and credits. */
  readonly operation: Operation | undefined;
  /** Whether the response is a stream. */
  readonly isStream: boolean;
  readonly request: Readonly<Record<string, unknown>>;
  /** The number of the step; the first is 1. */
  readonly number: number;
}

/** All scripted responses but `hangs`, which never comes. */
export type WrittenAnswer = Exclude<FakeAnswer, { readonly hangs: true }>;

/** The gateway's response for a scripted one; throws when it does not fit the call. */
export function writeAnswer(answer: WrittenAnswer, call: AnsweredCall): Response {
  const { operation } = call;
  if ('body' in answer) {
    return call.isStream ? answered(answer.body, call) : json(200, answer.body, headersOf(call));
  }
  if ('error' in answer) return writeError(answer.error, call);
  if ('quote' in answer && call.path === '/quote') {
    return json(200, { ...quoteOf(call.request), ...answer.quote }, headersOf(call));
  }
  if ('run' in answer && /^\/runs(\/|$)/.test(call.path)) {
    return json(200, { ...runOf(call), ...answer.run }, headersOf(call));
  }
  if ('object' in answer && operation === 'objects') {
    const object = isWrapped(call.request) ? { value: answer.object } : answer.object;
    return answered({ ...shared(answer, call), object }, call);
  }
  if ('embeddings' in answer && operation === 'embeddings') {
    return answered({ ...shared(answer, call), embeddings: answer.embeddings }, call);
  }
  if ('toolCalls' in answer && operation === 'agents') {
    checkOffered(answer.toolCalls, call);
    return answered(writeTurn(answer, call), call);
  }
  if ('text' in answer && operation === 'agents') {
    return answered(writeTurn({ ...answer, toolCalls: [] }, call), call);
  }
  if ('text' in answer && !('toolCalls' in answer) && operation === 'chat') {
    const { text, finishReason = 'stop' } = answer;
    return answered({ ...shared(answer, call), text, finishReason }, call);
  }
  const given = Object.keys(answer).join(', ');
  const fitting = new Map([
    ['chat', 'text'],
    ['objects', 'object'],
    ['embeddings', 'embeddings'],
    ['agents', 'toolCalls or text'],
    ['/quote', 'quote'],
    ['/runs', 'run'],
  ]).get(operation ?? call.path.replace(/(?<=^\/runs)\/.+/, ''));
  throw new FakeScriptError(
    `step ${call.number} of the script returns ${given}, but the call is to ${call.path}; ` +
      `use ${fitting ?? 'body'}, or error`,
  );
}

/** A call that costs nothing and fits. */
function quoteOf({ request }: AnsweredCall['request']): QuoteAnswer {
  const { model, maxTokens = null } = Object(request);
  return {
    ...{ fits: true, code: null, model, maxCostUsd: '0', inputTokensAtMost: 0 },
    ...{ outputTokensAtMost: maxTokens ?? 0, binding: null, budget: null, wallet: null },
    ...{ maxTokensThatFit: maxTokens, others: [] },
  };
}

/** A run that has spent nothing. */
function runOf({ path, request, number }: AnsweredCall): object {
  const { maxCostUsd = '0', expiresInMs: _, ...narrowed } = request;
  const spend = { maxCostUsd, spentUsd: '0', heldUsd: '0', remainingUsd: maxCostUsd };
  const [, runId] = /^\/runs\/(.+)$/.exec(path) ?? [];
  const state = { ...spend, expiresAt: '2100-01-01T00:00:00.000Z' };
  if (runId !== undefined) return { runId, ...state, endedAt: null, ...narrowed };
  return { runId: `fake-run-${number}`, ...state, key: `fake-run-key-${number}` };
}

/** Whether the client requests a list, an enum or a union, as the one field of an object. */
function isWrapped({ schema }: AnsweredCall['request']): boolean {
  const { properties, required, additionalProperties } = Object(schema);
  const names = [Object.keys(Object(properties)), required];
  return additionalProperties === false && JSON.stringify(names) === '[["value"],["value"]]';
}

/** The service treats a call of another tool as BAD_OUTPUT. */
function checkOffered(calls: readonly FakeToolCall[], { request, number }: AnsweredCall): void {
  const tools: readonly unknown[] = Array.isArray(request.tools) ? request.tools : [];
  const names = tools.map((tool) => (isRecord(tool) ? tool.name : undefined));
  const other = calls.find(({ name }) => !names.includes(name));
  if (other === undefined) return;
  throw new FakeScriptError(
    `step ${number} of the script calls the tool ${other.name}, but the call offers ` +
      `${names.join(', ')}; to simulate such a model, use { error: 'BAD_OUTPUT' }`,
  );
}

function shared({ usage, costUsd = '0' }: FakeCost, { request, number }: AnsweredCall): object {
  const none = { inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 };
  return {
    id: `fake-${number}`,
    model: request.model,
    requestId: null,
    usage: { ...none, outputTokens: 0, reasoningTokens: 0, ...usage },
    cost: { usd: costUsd, estimated: false },
  };
}

function writeTurn(
  answer: { readonly toolCalls: readonly FakeToolCall[]; readonly text?: string } & FakeCost,
  call: AnsweredCall,
): object {
  const { text } = answer;
  const toolCalls = answer.toolCalls.map(({ name, input, id }, index) => ({
    id: id ?? `call-${call.number}-${index + 1}`,
    name,
    input,
  }));
  const done = toolCalls.length === 0;
  const message = { role: 'assistant', content: text, ...(done ? {} : { toolCalls }) };
  return { ...shared(answer, call), done, text, toolCalls, message };
}

function writeError(error: FakeError | FakeErrorCode, call: AnsweredCall): Response {
  const given: FakeError = typeof error === 'string' ? { code: error } : error;
  const { code, message, requestId, model, retryAfter, costUsd, afterText } = given;
  const headers = {
    ...(costUsd === undefined ? headersOf(call) : headersOfCall(call)),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...(costUsd === undefined ? {} : { 'x-cost-usd': costUsd }),
  };
  if (afterText !== undefined) return writeBrokenStream(given, afterText, call);
  if (code === 'NETWORK') throw new TypeError(message ?? 'fetch failed');
  if (code === 'BAD_RESPONSE') return new Response('not JSON', { status: 200, headers });
  if (isIn(apiStatuses, code)) {
    const fields = { code, message: message ?? `scripted ${code}`, requestId, model };
    return json(apiStatuses[code], { error: fields }, headers);
  }
  if (isIn(gatewayAnswers, code)) {
    const gateway = gatewayAnswers[code];
    return json(gateway.status, { message: gateway.message }, headers);
  }
  const status = /^HTTP_([2-5]\d\d)$/.exec(code)?.[1];
  if (status !== undefined) return new Response(null, { status: Number(status), headers });
  throw new FakeScriptError(
    `step ${call.number} of the script: unknown code ${code}; use a code of the ` +
      'service, a client code (NETWORK or BAD_RESPONSE), or HTTP_<status>',
  );
}

/** A stream that fails after it has begun: by an error event, or by its connection. */
function writeBrokenStream(error: FakeError, afterText: string, call: AnsweredCall): Response {
  const { code, message = `scripted ${error.code}`, requestId, model, costUsd } = error;
  const at = `step ${call.number} of the script`;
  if (!call.isStream) {
    throw new FakeScriptError(`${at} has afterText, but the call to ${call.path} does not stream`);
  }
  const begun = eventsOf({ ...shared({}, call), text: afterText });
  const headers = headersOfCall(call);
  if (code === 'NETWORK') return streamResponse(begun, headers, new TypeError(message));
  if (!isIn(apiStatuses, code)) {
    throw new FakeScriptError(
      `${at} has afterText, but a stream that has started cannot fail with ${code}`,
    );
  }
  const cost = costUsd === undefined ? null : { usd: costUsd, estimated: false };
  const fields = { code, message, requestId, model };
  const event = { error: fields, usage: null, cost, partial: true };
  return streamResponse([...begun, ['error', event]], headers);
}

function isIn<Table extends object>(table: Table, code: PropertyKey): code is keyof Table {
  return Object.hasOwn(table, code);
}

function answered(body: object, call: AnsweredCall): Response {
  const headers = headersOfCall(call);
  if (!call.isStream) return json(200, body, headers);
  return streamResponse([...eventsOf(body), ['finish', body]], headers);
}

function headersOf({ number }: AnsweredCall): Readonly<Record<string, string>> {
  return { 'x-request-id': `fake-request-${number}` };
}

function headersOfCall(call: AnsweredCall): Readonly<Record<string, string>> {
  return { ...headersOf(call), 'x-call-id': `fake-${call.number}` };
}

/** `Response.json` is missing in early Node 18. */
function json(status: number, body: object, headers: Readonly<Record<string, string>>): Response {
  const type = { 'content-type': 'application/json' };
  return new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } });
}
