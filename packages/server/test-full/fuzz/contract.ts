import { apiErrors, errorReasons, gatewayErrors } from '@model-gateway/contract';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import { anyUsd, expectHeaders, expectNoPlatformText } from '../../test/support/expect-answer.ts';
import type { RawAnswer } from '../../test/support/raw-http.ts';

const strict = { additionalProperties: false } as const;
const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);

const tokens = {
  ...{ inputTokens: count, cachedInputTokens: count, cacheWriteInputTokens: count },
  ...{ outputTokens: count, reasoningTokens: count },
};
const answered = {
  id: Type.String({ pattern: '^call_[0-9a-z]{26}$' }),
  model: text,
  requestId: orNull(text),
  usage: Type.Object(tokens, strict),
  cost: Type.Object({ usd: orNull(decimal), estimated: Type.Boolean() }, strict),
};
const toolCall = Type.Object({ id: text, name: text, input: Type.Unknown() }, strict);
const toolCalls = Type.Array(toolCall);
const totals = {
  ...{ calls: count, errors: count, ...tokens, costUsd: decimal, estimatedUsd: decimal },
  unpricedCalls: count,
};
const amounts = { capUsd: decimal, spentUsd: decimal, heldUsd: decimal, remainingUsd: decimal };
const credits = { granted: decimal, toppedUp: decimal, spent: decimal, held: decimal };
const rates = {
  ...{ inputUsdPerMillion: decimal, cachedInputUsdPerMillion: decimal },
  ...{ cacheWriteInputUsdPerMillion: decimal, outputUsdPerMillion: decimal },
};

/** The 200 responses of each route. Source: contract, section 3. */
const bodies: Readonly<Record<string, TSchema>> = {
  'GET /': Type.Object({ name: Type.Literal('model-gateway'), version: text }, strict),
  'GET /health': Type.Object({ status: Type.Literal('ok') }, strict),
  'GET /v1/usage': Type.Object(
    {
      ...{ app: text, project: text, day: text, totals: Type.Object(totals, strict) },
      budget: orNull(Type.Object({ ...amounts, resetsAt: text }, strict)),
      models: Type.Array(Type.Object({ model: text, ...totals }, strict)),
      history: Type.Array(Type.Object({ day: text, calls: count, costUsd: decimal }, strict)),
    },
    strict,
  ),
  'GET /v1/models': Type.Object(
    {
      models: Type.Array(
        Type.Object(
          {
            ...{ id: text, priced: Type.Boolean(), price: orNull(Type.Object(rates)) },
            ...{ contextTokens: Type.Optional(count), maxOutputTokens: Type.Optional(count) },
            ...{ operations: Type.Array(text), images: Type.Boolean() },
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  'GET /v1/credits': Type.Object(
    { userId: text, period: text, ...credits, available: decimal, resetsAt: text },
    strict,
  ),
  'POST /v1/chat': Type.Object({ ...answered, text, finishReason: text }, strict),
  'POST /v1/objects': Type.Object({ ...answered, object: Type.Object({}) }, strict),
  'POST /v1/agents/run': Type.Object(
    {
      ...{ ...answered, done: Type.Boolean(), text: Type.Optional(text), toolCalls },
      message: Type.Object(
        {
          role: Type.Literal('assistant'),
          content: Type.Optional(text),
          toolCalls: Type.Optional(toolCalls),
        },
        strict,
      ),
    },
    strict,
  ),
};
const validators = new Map(Object.entries(bodies).map(([name, body]) => [name, Compile(body)]));

const error = Compile(
  Type.Object(
    {
      error: Type.Object(
        {
          code: text,
          message: Type.String({ minLength: 10 }),
          requestId: Type.Optional(text),
          model: Type.Optional(text),
        },
        strict,
      ),
    },
    strict,
  ),
);

const gatewayAnswers = new Set(
  Object.values(gatewayErrors).map(({ status, message }) => `${status} ${message}`),
);

/** The kind of a response, for the coverage count: a code, or the gateway's words. */
export function expectInContract(answer: RawAnswer, sent: string): string {
  const { status } = answer;
  const body: unknown = JSON.parse(answer.text);
  const exchange = { ...answer, headers: new Headers([...answer.headers]), body, error: undefined };
  expectNoPlatformText(exchange);
  const retryAfter = answer.headers.get('retry-after');
  const stated = answer.headers.get('x-error-reason');
  const reason = errorReasons.find((known) => known === stated);
  expect(reason === undefined || Object(body).error?.code === 'BAD_REQUEST').toBe(true);
  const expectRetry = (shouldRetry: boolean, budgetScope?: 'app-day') => {
    exchange.headers.delete('idempotent-replayed');
    const hasCallId = exchange.headers.has('x-call-id');
    const costUsd = exchange.headers.has('x-cost-usd') ? anyUsd : undefined;
    expect(costUsd === undefined || (hasCallId && status !== 200)).toBe(true);
    expectHeaders(exchange, { retryAfter, shouldRetry, hasCallId, costUsd, budgetScope, reason });
  };
  if (status === 200) {
    const route = routeOf(sent);
    expect(validators.get(route)?.Errors(body), route).toEqual([]);
    expectRetry(true);
    return `200 ${route}`;
  }
  const { message } = Object(body);
  if (message !== undefined) {
    expect(Object.keys(Object(body))).toEqual(['message']);
    expect(gatewayAnswers).toContain(`${status} ${message}`);
    expectRetry(![400, 403, 413].includes(status));
    return `${status} ${message}`;
  }
  expect(error.Errors(body)).toEqual([]);
  const { code, model } = Object(body).error;
  const rule = Object.entries(apiErrors).find(([name]) => name === code)?.[1];
  expect(rule?.status, answer.text).toBe(status);
  expect(code, answer.text).not.toBe('INTERNAL');
  if (rule?.from === 'request') expect(model).toBeUndefined();
  if (rule?.from === 'model') expect(model).toBeDefined();
  const mayRetry = code === 'THROTTLED' || (status >= 500 && status !== 501);
  // A second response under one key that is not JSON must not be retried.
  const isSecond = code === 'BAD_OUTPUT' && answer.headers.has('x-should-retry');
  expectRetry(mayRetry && !isSecond, code === 'BUDGET_EXCEEDED' ? 'app-day' : undefined);
  return `${status} ${code}`;
}

/** The route of a request that got 200, by its first line. */
function routeOf(sent: string): string {
  const [method = '', target = ''] = sent.split('\r\n', 1)[0]?.split(' ') ?? [];
  const path = target.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/s, '');
  return path.startsWith('/v1/credits/') ? `${method} /v1/credits` : `${method} ${path || '/'}`;
}
