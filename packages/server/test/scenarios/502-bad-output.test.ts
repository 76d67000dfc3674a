import { describe, expect, test } from 'vitest';
import { meetTurn, searchTool } from '../agents/ask.ts';
import { asTold, meetObject, modes, modesYaml, objectOf, sendTo, told } from '../objects/ask.ts';
import { billedUsd, expectBooks, paid } from '../support/books.ts';
import { type Exchange, meet, meetChat } from '../support/exchange.ts';
import { anyUsd, expectError } from '../support/expect-answer.ts';
import { usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';
import { sharedStack } from '../support/shared-stack.ts';

const shared = sharedStack({ yaml: modesYaml, script: asTold });

function expectBadOutput(exchange: Exchange, model: string, says: string) {
  const sentence = [`The model ${model} ${says}`];
  const error = { status: 502, code: 'BAD_OUTPUT', says: sentence, model } as const;
  expectError(exchange, { ...error, isReached: true, costUsd: anyUsd });
}

describe.each(modes)('an object of a model of the mode $mode', ({ mode, model }) => {
  const inJson = [
    { wrote: 'text that is no JSON', text: 'A book.', says: 'did not return valid JSON' },
    { wrote: 'nothing', text: '', says: 'did not return valid JSON' },
    { wrote: 'a fence', text: '```json\n{}\n```', says: 'did not return valid JSON' },
    { wrote: 'two objects', text: '{} {}', says: 'did not return valid JSON' },
    { wrote: 'a list', text: '[1]', says: 'returned JSON that does not match schema.type' },
    { wrote: 'null', text: 'null', says: 'returned JSON that does not match schema.type' },
    { wrote: 'too little', text: '{}', says: 'returned JSON that does not match schema.required' },
    {
      wrote: 'a wrong type within',
      text: '{"title":"t","pages":"1","tags":[]}',
      says: 'returned JSON that does not match schema.properties.pages.type',
    },
    {
      wrote: 'a number beyond numbers',
      text: '{"title":"t","pages":1e400,"tags":[]}',
      says: 'did not return valid JSON',
    },
    {
      wrote: 'half a character',
      text: '{"title":"\\ud800","pages":1,"tags":[]}',
      says: 'did not return valid JSON',
    },
    {
      wrote: 'nesting without end',
      text: `{"title":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
      says: 'did not return valid JSON',
    },
  ];
  test.each(inJson)('that is $wrote', async ({ text, says }) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const toolCalls = [{ name: 'answer', arguments: text }];
    const request = { ...told(mode === 'tool' ? { toolCalls } : { text }), maxTokens: 16_000 };
    const exchange = await meetObject(stack, app, model, request);
    expectBadOutput(exchange, model, says);
    const billed = billedUsd(stack, app);
    const calls = [paid(billed, 'BAD_OUTPUT')];
    await expectBooks(stack, app, { calls, billedUsd: billed });
  });

  const own = { name: 'answer', arguments: '{}' };
  const spoiled = mode === 'tool' ? 'called a tool other than' : 'called a tool although none was';
  const more = mode === 'tool' ? 'returned more than one object' : spoiled;
  test.each([
    { does: 'calls a tool that nobody offered', calls: [{ ...own, name: 'no' }], says: spoiled },
    { does: 'calls two tools', calls: [own, own], says: more },
  ])('that $does', async ({ calls: toolCalls, says }) => {
    const { stack, newApp } = shared();
    const request = told({ text: '{"title":"t","pages":1,"tags":[]}', toolCalls });
    const exchange = await meetObject(stack, await newApp(), model, request);
    expectBadOutput(exchange, model, says);
  });
});

test('a model that had to call a tool, and only wrote text', async () => {
  const { stack, newApp } = shared();
  const says = 'did not call the tool that returns the object';
  const request = told({ text: '{"title":"t","pages":1,"tags":[]}' });
  const exchange = await meetObject(stack, await newApp(), 'echo-tool', request);
  expectBadOutput(exchange, 'echo-tool', says);
});

describe('the models of the simulator that misbehave', () => {
  test.each([
    { model: 'sim-bad-json', says: 'did not return valid JSON' },
    { model: 'sim-wrong-shape', says: 'returned JSON that does not match schema.type' },
    { model: 'sim-wrong-tool', says: 'called a tool although none was offered' },
    { model: 'sim-empty', says: 'did not return valid JSON' },
  ])('$model, called for an object', async ({ model, says }) => {
    const { stack, newApp } = shared();
    expectBadOutput(await meetObject(stack, await newApp(), model), model, says);
  });

  test.each([
    { model: 'sim-bad-json', says: 'called search without valid JSON' },
    {
      model: 'sim-wrong-shape',
      says: 'returned JSON that does not match tools[0].inputSchema.type',
    },
    { model: 'sim-wrong-tool', says: 'called a tool that was not offered' },
  ])('$model, called for an agent turn', async ({ model, says }) => {
    const { stack, newApp } = shared();
    expectBadOutput(await meetTurn(stack, await newApp(), model), model, says);
  });
});

describe('a tool call in a chat, which offers none', () => {
  const toolCalls = [{ name: 'search', arguments: '{}' }];
  test.each([
    { how: 'alone', model: 'sim-wrong-tool', more: {} },
    { how: 'beside a text', model: 'sim-echo', more: told({ text: 'Hello', toolCalls }) },
  ])('$how: the app pays exactly, and the user nothing', async ({ model, more }) => {
    const { stack, newApp } = shared();
    const app = await newApp({
      credits: { monthlyGrantPicoUsd: 10n ** 12n, picoUsdPerCredit: 10n ** 10n },
    });
    const exchange = await meetChat(stack, app, model, { userId: 'ada', ...more });
    expectBadOutput(exchange, model, 'called a tool although none was offered');
    const billed = billedUsd(stack, app);
    const calls = [paid(billed, 'BAD_OUTPUT')];
    await expectBooks(stack, app, { calls, billedUsd: billed });
    const wallet = await meet(stack, app, (client) => client.credits('ada'));
    expect(wallet.body).toMatchObject({ spent: '0', held: '0', available: '100' });
  });

  test('a cut-off one is TRUNCATED', async () => {
    const { stack, newApp } = shared();
    const more = { ...told({ toolCalls, finish: 'length' }) };
    const { body } = await meetChat(stack, await newApp(), 'sim-echo', more);
    expect(body).toMatchObject({ error: { code: 'TRUNCATED' } });
  });
});

describe('a tool call that is invalid', () => {
  const search = { name: 'search', arguments: '{"query":"q"}' };
  const other = { name: 'other', arguments: '{}' };
  const tools = [searchTool, { name: 'other', inputSchema: {} }];
  test.each([
    { why: 'of no tool', answer: [{ ...search, name: 'no' }], says: 'called a tool that was not' },
    {
      why: 'of no tool, beside a good one',
      answer: [search, { ...search, name: 'SEARCH' }],
      says: 'called a tool that was not offered',
    },
    {
      why: 'whose input is cut off',
      answer: [{ ...search, arguments: '{"query":"q' }],
      says: 'called search without valid JSON',
    },
    {
      why: 'whose input does not fit',
      answer: [search, { ...search, arguments: '{"query":1}' }],
      says: 'returned JSON that does not match tools[0].inputSchema.properties.query.type',
    },
    {
      why: 'without the input that it needs',
      answer: [{ ...search, arguments: '' }],
      says: 'returned JSON that does not match tools[0].inputSchema.required',
    },
    {
      why: 'though another tool was to be called',
      answer: [other],
      more: { toolChoice: { name: 'search' } },
      says: 'called a tool other than the one in toolChoice',
    },
    {
      why: 'beside the tool that was to be called',
      answer: [search, other],
      more: { toolChoice: { name: 'search' } },
      says: 'called a tool other than the one in toolChoice',
    },
    {
      why: 'which is missing, though one was required',
      answer: [],
      more: { toolChoice: 'required' },
      says: 'called no tool although toolChoice requires one',
    },
  ])('$why', async ({ answer, more, says }) => {
    const { stack, newApp } = shared();
    const request = { ...told({ toolCalls: answer }), tools, ...more };
    const exchange = await meetTurn(stack, await newApp(), 'sim-echo', request);
    expectBadOutput(exchange, 'sim-echo', says);
  });
});

test(
  'it was billed: the app pays exactly, and the user nothing',
  onStack(async (stack) => {
    const bad = { userId: 'ada', schema: { type: 'object' } };
    await meetObject(stack, 'tutor', 'sim-wrong-shape', bad);
    await stack.clock.advance(1_000);
    await meetTurn(stack, 'tutor', 'sim-wrong-tool', { userId: 'ada' });
    const costs = (stack.simulator.bill().calls ?? []).map(({ costPicoUsd }) => costPicoUsd);
    const [object = 0n, turn = 0n] = costs;
    await expectBooks(stack, 'tutor', {
      calls: [paid(usd(object), 'BAD_OUTPUT'), paid(usd(turn), 'BAD_OUTPUT')],
      billedUsd: usd(object + turn),
    });
    const wallet = await meet(stack, 'tutor', (client) => client.credits('ada'));
    expect(wallet.body).toMatchObject({ spent: '0', held: '0', available: '100' });
  }),
);

test(
  'a cut-off one is TRUNCATED instead, and the user who can use it pays',
  onStack(async (stack) => {
    const cut = { userId: 'ada', maxTokens: 10 };
    const object = await meetObject(stack, 'tutor', 'sim-echo', cut);
    const turn = await meetTurn(stack, 'tutor', 'sim-echo', { ...cut, maxTokens: 1 });
    for (const exchange of [object, turn]) {
      const error = {
        status: 422,
        code: 'TRUNCATED',
        says: ['raise maxTokens'],
        costUsd: anyUsd,
      } as const;
      expectError(exchange, { ...error, model: 'sim-echo', isReached: true });
    }
    const bill = stack.simulator.bill().total.costPicoUsd;
    const wallet = await meet(stack, 'tutor', (client) => client.credits('ada'));
    // A credit is 0.01 USD.
    expect(wallet.body).toMatchObject({ spent: usd(bill * 100n) });
  }),
);

test(
  'its second time under one key is the last: two are paid at most',
  onStack(async (stack) => {
    const key = { 'idempotency-key': 'k1' };
    const body = objectOf('sim-wrong-shape');
    const first = await sendTo(stack, '/v1/objects', body, key);
    const second = await sendTo(stack, '/v1/objects', body, key);
    expect([first.status, second.status]).toEqual([502, 502]);
    expect(first.headers.get('x-should-retry')).toBeNull();
    expect(second.headers.get('x-should-retry')).toBe('false');
    expect(second.headers.has('idempotent-replayed')).toBe(false);
    const third = await sendTo(stack, '/v1/objects', body, key);
    expect(third.headers.get('idempotent-replayed')).toBe('true');
    expect([third.status, third.text]).toEqual([502, second.text]);
    for (const name of ['x-should-retry', 'x-call-id', 'x-cost-usd']) {
      expect([name, third.headers.get(name)]).toEqual([name, second.headers.get(name)]);
    }
    expect(stack.simulator.bill().total.calls).toBe(2);
    const client = await stack.client('search', { maxAttempts: 5 });
    await expect(stack.clock.run(client.object<unknown>(body))).rejects.toMatchObject({
      code: 'BAD_OUTPUT',
    });
    expect(stack.simulator.bill().total.calls).toBe(4);
  }),
);
