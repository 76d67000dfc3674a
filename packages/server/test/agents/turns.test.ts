import type { AgentAnswer } from '@model-gateway/contract';
import type { ModelCall } from '@model-gateway/simulator';
import { describe, expect, test } from 'vitest';
import { asTold, told } from '../objects/ask.ts';
import { expectBooks, paid } from '../support/books.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { openStack, type Stack } from '../support/stack.ts';
import { agentOf, meetTurn, searchTool } from './ask.ts';

const shared = sharedStack({ script: asTold });

/** One turn, which must succeed. */
async function turn(stack: Stack, app: string, more: object = {}): Promise<AgentAnswer> {
  const client = await stack.client(app);
  return stack.clock.run(client.agent(agentOf('sim-echo', more)));
}

test(
  'a model calls a tool, gets its result and finishes: two turns, billed and booked',
  onStack(async (stack) => {
    const first = await turn(stack, 'search');
    const toolCalls = [
      { id: expect.stringMatching(/^call_/), name: 'search', input: { query: 'query' } },
    ];
    expect(first).toEqual({
      id: expect.stringMatching(/^call_/),
      model: 'sim-echo',
      requestId: expect.stringMatching(/^req_/),
      done: false,
      toolCalls,
      message: { role: 'assistant', toolCalls },
      usage: expect.objectContaining({ cachedInputTokens: 0 }),
      cost: { usd: expect.any(String), estimated: false },
    });
    await stack.clock.advance(1_000);
    const [asked] = first.toolCalls;
    const result = { role: 'tool', toolCallId: asked?.id, content: '3 books' };
    const messages = [...agentOf('sim-echo').messages, first.message, result];
    const second = await turn(stack, 'search', { messages });
    expect(second).toMatchObject({
      done: true,
      text: 'The tools answered: 3 books',
      toolCalls: [],
      message: { role: 'assistant', content: 'The tools answered: 3 books' },
    });
    const costs = [first, second].map(({ cost }) => cost.usd ?? '');
    const billed = stack.simulator.bill().total.costPicoUsd;
    expect(billed).toBe(costs.reduce((sum, usd) => sum + BigInt(Math.round(+usd * 1e12)), 0n));
    await expectBooks(stack, 'search', {
      calls: costs.map((usd) => paid(usd)),
      billedUsd: (Number(billed) / 1e12).toFixed(12).replace(/0+$/, ''),
    });
  }),
);

test('parallel tool calls are answered in any order, each once', async () => {
  const { stack, newApp } = shared();
  const app = await newApp();
  const asked = ['a', 'b', 'c'].map((query) => ({
    ...{ name: 'search', arguments: JSON.stringify({ query }) },
  }));
  const prompt = told({ text: 'I look.', toolCalls: asked });
  const first = await turn(stack, app, prompt);
  expect(first).toMatchObject({ done: false, text: 'I look.' });
  expect(first.message.content).toBe('I look.');
  expect(first.toolCalls.map(({ input }) => input)).toEqual(
    ['a', 'b', 'c'].map((query) => ({ query })),
  );
  const results = first.toolCalls
    .map(({ id }) => ({ role: 'tool', toolCallId: id, content: 'none' }))
    .toReversed();
  const again = { role: 'user', content: 'And?' };
  const messages = [...prompt.messages, first.message, ...results, again];
  expect(await turn(stack, app, { messages })).toMatchObject({ done: false });
});

describe('the choice of tools', () => {
  test.each([
    { toolChoice: undefined, onTheWire: undefined },
    { toolChoice: 'auto', onTheWire: 'auto' },
    { toolChoice: 'required', onTheWire: 'required' },
    {
      toolChoice: { name: 'search' },
      onTheWire: { type: 'function', function: { name: 'search' } },
    },
  ])('$toolChoice', async ({ toolChoice, onTheWire }) => {
    const calls: ModelCall[] = [];
    const stack = await openStack({ script: (call) => void calls.push(call) });
    await turn(stack, 'search', toolChoice === undefined ? {} : { toolChoice });
    const body = JSON.parse(calls[0]?.bodyText ?? '');
    expect(body.tool_choice).toEqual(onTheWire);
    const { name, description, inputSchema: parameters } = searchTool;
    expect(body.tools).toEqual([{ type: 'function', function: { name, description, parameters } }]);
    await stack.close();
  });
});

describe('a turn with little content', () => {
  test.each([
    { what: 'nothing', answer: { text: '' }, text: '' },
    { what: 'text', answer: { text: 'No.' }, text: 'No.' },
    { what: 'what a filter left', answer: { text: 'N', finish: 'content-filter' }, text: 'N' },
  ] as const)('$what is the end, and can be sent back', async ({ answer, text }) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const prompt = told(answer);
    const first = await turn(stack, app, prompt);
    const message = { role: 'assistant', content: text };
    expect(first).toMatchObject({ done: true, text, toolCalls: [], message });
    const messages = [...prompt.messages, first.message, { role: 'user', content: 'Go on.' }];
    await turn(stack, app, { messages });
  });

  test('a call without arguments is one with none', async () => {
    const { stack, newApp } = shared();
    const tools = [{ name: 'now', inputSchema: { type: 'object' } }];
    const prompt = told({ toolCalls: [{ name: 'now', arguments: '' }] });
    const { toolCalls } = await turn(stack, await newApp(), { ...prompt, tools });
    expect(toolCalls).toMatchObject([{ name: 'now', input: {} }]);
  });
});

test('the caller can send back any JSON that a model writes for a tool', async () => {
  const { stack, newApp } = shared();
  const app = await newApp();
  const tools = [{ name: 'any', inputSchema: {} }];
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const inputs = ['1', '"text"', 'null', '{"__proto__":{"a":1},"toString":null}', deep(59)];
  for (const input of inputs) {
    const prompt = told({ toolCalls: [{ name: 'any', arguments: input }] });
    const first = await turn(stack, app, { ...prompt, tools, maxTokens: 2_000 });
    expect(JSON.stringify(first.toolCalls[0]?.input)).toBe(input);
    const result = { role: 'tool', toolCallId: first.toolCalls[0]?.id, content: 'ok' };
    const messages = [...prompt.messages, first.message, result];
    expect(await turn(stack, app, { messages: messages.slice(1), tools })).toMatchObject({
      done: true,
    });
  }
  const tooDeep = told({ toolCalls: [{ name: 'any', arguments: deep(60) }] });
  const refused = await meetTurn(stack, app, 'sim-echo', { ...tooDeep, tools, maxTokens: 2_000 });
  expect(refused.body).toMatchObject({ error: { code: 'BAD_OUTPUT' } });
});

describe('an image', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'aGVsbG8=' };
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }];

  test('is sent to a model that accepts images', async () => {
    const { stack, newApp } = shared();
    const { usage } = await turn(stack, await newApp(), { messages });
    expect(usage.inputTokens).toBeGreaterThan(1_000);
  });

  test('is rejected for any other model', async () => {
    const { stack, newApp } = shared();
    const app = await newApp();
    expectError(await meetTurn(stack, app, 'sim-slow', { messages }), {
      status: 400,
      code: 'INVALID',
      says: ['the model sim-slow does not accept images', 'use a model whose `images` is true'],
    });
    await expectBooks(stack, app, { calls: [], billedUsd: '0' });
  });
});

test('the tools count twice, with a preamble, in the maximum cost of a turn', async () => {
  const { stack, newApp } = shared();
  const poor = await newApp({ dailyBudgetPicoUsd: 1n });
  const request = agentOf('sim-echo');
  const refused = await meetTurn(stack, poor, 'sim-echo');
  const inputTokens =
    JSON.stringify(request).length + JSON.stringify(request.tools).length + 1_024 + 512;
  const most = (inputTokens * 0.1875 + request.maxTokens * 0.6) / 1e6;
  expect(refused.text).toContain(`could cost $${most.toFixed(10).replace(/0+$/, '')}`);
});

test('a repeated turn is replayed byte for byte', async () => {
  const { stack } = shared();
  const again = () =>
    stack.post('search', '/v1/agents/run', agentOf('sim-echo'), {
      headers: { 'idempotency-key': 'turn-1' },
    });
  const [first, second] = [await again(), await again()];
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await second.text()).toBe(await first.text());
});
