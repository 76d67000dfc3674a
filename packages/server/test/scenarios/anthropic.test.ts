import { type CallOptions, LlmError } from '@model-gateway/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { formatUsd } from '../../src/lib/money.ts';
import {
  type AnthropicStack,
  openAnthropicStack,
  workspaceOf,
} from '../support/anthropic-stack.ts';
import { expectClean, heldBy, readAttempts, readCalls } from '../support/books.ts';
import { chatOf } from '../support/exchange.ts';
import { expectNoPlatformText } from '../support/expect-answer.ts';
import { platformError } from '../support/platform-outcomes.ts';

let stack: AnthropicStack;
beforeAll(async () => {
  stack = await openAnthropicStack({
    models: [
      '{ id: by-tool, platform: claude, upstreamModel: sim-echo, structuredOutput: tool }',
      '{ id: by-prompt, platform: claude, upstreamModel: sim-echo, structuredOutput: json-object }',
      '{ id: small, platform: claude, upstreamModel: sim-echo, maxOutputTokens: 77 }',
      // One for each test that fails on purpose: a circuit belongs to one model.
      ...['chat', 'object', 'agent'].map(
        (name) =>
          `{ id: failing-${name}, platform: claude, upstreamModel: sim-echo, inputUsdPerMillion: "0.15", outputUsdPerMillion: "0.6" }`,
      ),
    ],
  });
});
afterAll(() => stack.close());
beforeEach(() => stack.next());

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
} as const;

const objectOf = (model: string, more: object = {}) => ({ ...chatOf(model), schema, ...more });

const tools = [{ name: 'weather', description: 'Of a city.', inputSchema: schema }] as const;

const turnOf = (model: string, more: object = {}) => ({ ...chatOf(model), tools, ...more });

const operations = [
  ['chat', chatOf],
  ['object', objectOf],
  ['agent', turnOf],
] as const;

type Operation = (typeof operations)[number][0];

async function ask(operation: Operation, model: string, app = 'search', options: CallOptions = {}) {
  const client = await stack.server.client(app);
  if (operation === 'chat') return client.chat(chatOf(model), options);
  if (operation === 'object') return client.object<unknown>(objectOf(model), options);
  return client.agent(turnOf(model), options);
}

async function failureOf(answer: Promise<unknown>): Promise<LlmError> {
  const error = await answer.catch((thrown: unknown) => thrown);
  if (!LlmError.is(error)) throw new Error('the call was answered', { cause: error });
  expectNoPlatformText({ text: error.message });
  return error;
}

/** The last call of an app in the ledger, which is clean. */
async function lastCall(app = 'search') {
  const { store, clock } = stack.server;
  const calls = await readCalls(store, app, utcDayOf(clock.now()));
  expect(await heldBy(store, app)).toBe(0);
  await expectClean({ store, clock, simulator: stack.platform.simulator });
  const last = calls.at(-1);
  const outcomes = (await readAttempts(store, last)).map(({ outcome }) => outcome);
  return { ...last, outcomes };
}

/** The platform's bill for its last call. */
function billed() {
  const last = stack.platform.simulator.bill().calls.at(-1);
  return { ...last, usd: formatUsd(last?.costPicoUsd ?? 0n) };
}

describe('the three operations', () => {
  test.each(['sim-echo', 'sim-messages-only', 'sim-cached', 'sim-reasoning'])(
    'a chat of %s gets a response, and costs the platform’s bill',
    async (model) => {
      const client = await stack.server.client('search');
      const answer = await client.chat(chatOf(model));
      const { usd, ...bill } = billed();
      expect(answer).toMatchObject({
        model,
        text: 'Hello, gateway!',
        finishReason: 'stop',
        requestId: bill.requestId,
        usage: {
          inputTokens: bill.inputTokens,
          cachedInputTokens: bill.cachedInputTokens,
          cacheWriteInputTokens: bill.cacheWriteInputTokens,
          outputTokens: bill.outputTokens,
          reasoningTokens: bill.reasoningTokens,
        },
        cost: { usd, estimated: false },
      });
      expect(await lastCall()).toMatchObject({ code: 'OK', basis: 'exact' });
    },
  );

  test('a stop sequence is distinct from an end that the model chose', async () => {
    const client = await stack.server.client('search');
    const answer = await client.chat(chatOf('sim-echo', { stop: ['gate'] }));
    expect(answer).toMatchObject({ text: 'Hello, ', finishReason: 'stop-sequence' });
    const filtered = await client.chat(chatOf('sim-content-filter'));
    expect(filtered.finishReason).toBe('content-filter');
  });

  test.each([
    ['sim-echo', 'json-schema'],
    ['by-tool', 'text'],
    ['by-prompt', 'json-object'],
  ])('an object of %s uses %s', async (model, format) => {
    const client = await stack.server.client('search');
    const { object } = await client.object<unknown>(objectOf(model));
    expect(object).toEqual({ city: expect.any(String), degrees: expect.any(Number) });
    const [call] = stack.calls;
    expect(call?.request.format.kind).toBe(format);
    expect(call?.request.tools).toHaveLength(model === 'by-tool' ? 1 : 0);
    await lastCall();
  });

  test('an object whose schema the platform only partly supports uses a tool', async () => {
    const client = await stack.server.client('search');
    const open = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
    const nested = { ...open, properties: { a: { type: 'object' } } };
    const { object } = await client.object<unknown>(objectOf('sim-echo', { schema: nested }));
    expect(object).toEqual({ a: {} });
    expect(stack.calls[0]?.request).toMatchObject({
      format: { kind: 'text' },
      tools: [{ name: 'json' }],
      toolChoice: 'required',
    });
  });

  test('an agent sees an image, calls a tool, and continues from its result', async () => {
    const client = await stack.server.client('search');
    const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
    const asked = { role: 'user', content: [{ type: 'text', text: 'How warm?' }, image] } as const;
    const system = { role: 'system', content: 'Be brief.' } as const;
    const first = await client.agent(turnOf('sim-echo', { messages: [system, asked] }));
    expect(first).toMatchObject({ done: false, toolCalls: [{ name: 'weather' }] });
    expect(stack.calls[0]?.request.messages).toMatchObject([
      { role: 'system', texts: ['Be brief.'] },
      { role: 'user', texts: ['How warm?'], imageCount: 1 },
    ]);
    const [call] = first.toolCalls;
    const result = { role: 'tool', toolCallId: call?.id ?? '', content: '17 °C' } as const;
    const messages = [system, asked, first.message, result];
    const second = await client.agent(turnOf('sim-echo', { messages }));
    expect(second).toMatchObject({ done: true, text: 'The tools answered: 17 °C' });
    await lastCall();
  });

  test('the requested maximum equals the reserved one', async () => {
    const client = await stack.server.client('search');
    await client.chat(chatOf('small', { maxTokens: 5_000 }));
    expect(stack.calls[0]?.request.maxOutputTokens).toBe(77);
  });
});

describe.each(operations)('every error of a model, in a %s', (operation) => {
  test.each([
    ['sim-rejects', 400, 'BAD_REQUEST', 1],
    ['sim-openai-only', 400, 'BAD_REQUEST', 1],
    ['sim-denied', 403, 'AUTH', 1],
    ['sim-unauthorized', 403, 'AUTH', 1],
    ['sim-missing', 404, 'NOT_FOUND', 1],
    ['no-such-model', 404, 'NOT_FOUND', 1],
    ['sim-throttled', 429, 'THROTTLED', 3],
    ['sim-quota', 429, 'THROTTLED', 1],
    ['sim-down', 502, 'SERVER', 3],
    ['sim-overloaded', 502, 'SERVER', 3],
    ['sim-truncated', 422, 'TRUNCATED', 1],
    ['sim-html', 502, 'SERVER', 1],
    ...(operation === 'chat'
      ? []
      : ([
          ['sim-bad-json', 502, 'BAD_OUTPUT', 1],
          ['sim-wrong-shape', 502, 'BAD_OUTPUT', 1],
          ['sim-wrong-tool', 502, 'BAD_OUTPUT', 1],
        ] as const)),
  ] as const)('%s is %i %s after %i attempts', async (model, status, code, attempts) => {
    const error = await failureOf(ask(operation, model));
    expect(error).toMatchObject({ status, code, model });
    const call = await lastCall();
    expect(call).toMatchObject({ code, outcomes: { length: attempts } });
  });
});

describe('the app’s workspace', () => {
  test.each(operations)('is on every attempt of a %s', async (operation) => {
    const lost = { kind: 'answer', text: 'lost', fault: 'reset' } as const;
    for (const app of ['search', 'tutor']) {
      stack.next(platformError(503), lost);
      await ask(operation, `failing-${operation}`, app);
      const projectId = workspaceOf(app).replace('wrkspc_', 'proj_');
      expect(stack.calls.map((call) => call.projectId)).toEqual(Array(3).fill(projectId));
      expect(await lastCall(app)).toMatchObject({ basis: 'mixed', outcomes: { length: 3 } });
    }
  });

  test.each(operations)('is missing: a %s is rejected, and nothing is sent', async (operation) => {
    const error = await failureOf(ask(operation, 'sim-echo', 'unbound'));
    expect(error).toMatchObject({ status: 500, code: 'INTERNAL' });
    expect(stack.calls).toEqual([]);
    const bill = stack.platform.simulator.bill();
    expect(bill.missingProjectCalls).toBe(0);
    expect(bill.projects.map(({ projectId }) => projectId)).not.toContain('default');
  });
});

test('a model that does not respond in time is TIMEOUT', async () => {
  const slow = await openAnthropicStack({ more: 'limits: { modelCallMs: 300, stopMs: 100 }\n' });
  const client = await slow.server.client('search');
  const error = await failureOf(client.chat(chatOf('sim-stuck')));
  expect(error).toMatchObject({ status: 504, code: 'TIMEOUT' });
  await slow.close();
});
