import type { ModelCall } from '@model-gateway/simulator';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/operations/apps/apps.ts';
import { expectBooks, expectClean, paid } from '../support/books.ts';
import { openStack, type Stack } from '../support/stack.ts';
import { bookSchema, meetObject, modes, modesYaml, objectOf, sendTo, writing } from './ask.ts';

const book = { title: 'title', pages: 1, tags: ['old'] };

describe.each(modes)('a model of the mode $mode', ({ mode, model }) => {
  test('answers with an object that fits, billed and booked like any call', async () => {
    const stack = await openStack({ yaml: modesYaml });
    const answer = await meetObject(stack, 'search', model);
    expect(answer.error).toBeUndefined();
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^call_/),
      model,
      requestId: expect.stringMatching(/^req_/),
      object: book,
      usage: expect.objectContaining({ cachedInputTokens: 0, reasoningTokens: 0 }),
      cost: { usd: expect.any(String), estimated: false },
    });
    const { usd } = Object(answer.body).cost;
    await expectBooks(stack, 'search', { calls: [paid(usd)], billedUsd: usd });
    await stack.close();
  });

  test('is called in a way that it supports', async () => {
    const calls: ModelCall[] = [];
    const script = (call: ModelCall) => void calls.push(call);
    const stack = await openStack({ yaml: modesYaml, script });
    const named = { schemaName: 'book-1', schemaDescription: 'A book of ours.' };
    await meetObject(stack, 'search', model, named);
    const body = JSON.parse(calls[0]?.bodyText ?? '');
    const format = { name: 'book-1', description: 'A book of ours.', schema: bookSchema };
    const { description } = format;
    const wanted = {
      'json-schema': {
        response_format: { type: 'json_schema', json_schema: { ...format, strict: false } },
      },
      'json-object': { response_format: { type: 'json_object' } },
      tool: {
        tools: [
          {
            type: 'function',
            function: { name: 'book-1', description, parameters: bookSchema },
          },
        ],
        tool_choice: { type: 'function', function: { name: 'book-1' } },
      },
    }[mode];
    expect(body).toMatchObject(wanted);
    expect(body.messages).toHaveLength(mode === 'json-object' ? 2 : 1);
    await stack.close();
  });

  test('may use names that every object has', async () => {
    const text = '{"__proto__":{"a":1},"constructor":"c","toString":null,"hasOwnProperty":1}';
    const stack = await openStack({ yaml: modesYaml, script: writing(text) });
    const properties = JSON.parse('{"constructor":{"type":"string"},"toString":{"type":"null"}}');
    const schema = { type: 'object', properties, required: ['toString'] };
    const answer = await meetObject(stack, 'search', model, { schema });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(`"object":${text}`);
    await stack.close();
  });
});

test('a schema comes before the conversation, and behind an existing system message', async () => {
  const calls: ModelCall[] = [];
  const script = (call: ModelCall) => void calls.push(call);
  const stack = await openStack({ yaml: modesYaml, script });
  const messages = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'Tell me of a book.' },
  ];
  await meetObject(stack, 'search', 'echo-json-object', { messages });
  const roles = calls[0]?.request.messages.map(({ role, texts }) => [role, texts.join('')]);
  expect(roles).toEqual([
    ['system', 'Be short.'],
    ['system', expect.stringContaining(JSON.stringify(bookSchema))],
    ['user', 'Tell me of a book.'],
  ]);
  await stack.close();
});

test('a late response of the platform is collected with the key, and paid once', async () => {
  const stack = await openStack();
  const headers = { 'idempotency-key': 'late' };
  const request = objectOf('sim-timeout');
  expect((await sendTo(stack, '/v1/objects', request, headers)).status).toBe(504);
  const collected = await sendTo(stack, '/v1/objects', request, headers);
  expect(collected.headers.get('idempotent-replayed')).toBe('true');
  expect(collected.body).toMatchObject({ object: book });
  expect(stack.simulator.bill().total.calls).toBe(1);
  await stack.close();
});

test('a response without usage is returned, as an estimate', async () => {
  const stack = await openStack();
  const answer = await meetObject(stack, 'search', 'sim-no-usage');
  expect(answer.body).toMatchObject({ object: book, cost: { estimated: true } });
  await expectClean(stack);
  await stack.close();
});

test('strict is sent if the schema is within the subset of strict platforms', async () => {
  const calls: ModelCall[] = [];
  const script = (call: ModelCall) => void calls.push(call);
  const stack = await openStack({ script });
  const { maxLength: _maxLength, ...title } = bookSchema.properties.title;
  const schema = { ...bookSchema, properties: { ...bookSchema.properties, title } };
  await meetObject(stack, 'search', 'sim-echo', { schema });
  const body = JSON.parse(calls[0]?.bodyText ?? '');
  expect(body.response_format.json_schema).toEqual({ name: 'answer', schema, strict: true });
  await stack.close();
});

test('the schema is counted once more in the maximum cost of a call', async () => {
  const stack = await openStack({ yaml: modesYaml });
  const padded = { ...bookSchema, description: 'x'.repeat(10_000) };
  const needs = async (model: string, schema: object) => {
    const request = objectOf(model, { schema, maxTokens: 16_384 });
    const refused = await stack.post('poor', '/v1/objects', request);
    const { message } = Object(await refused.json()).error;
    expect(refused.status).toBe(429);
    return Number(/could cost \$([0-9.]+)/.exec(message)?.[1]) * 1e6;
  };
  await poorApp(stack);
  const rate = 0.1875;
  const more = (await needs('sim-echo', padded)) - (await needs('sim-echo', bookSchema));
  const added = JSON.stringify(padded).length - JSON.stringify(bookSchema).length;
  expect(more).toBeCloseTo(2 * added * rate, 3);
  // A forced tool has its own preamble.
  const names = 'echo-tool'.length - 'sim-echo'.length;
  const forTool = (await needs('echo-tool', bookSchema)) - (await needs('sim-echo', bookSchema));
  expect(forTool).toBeCloseTo((512 + names) * rate, 3);
  await stack.close();
});

async function poorApp(stack: Stack) {
  await createApp(stack.admin, 'poor', { dailyBudgetPicoUsd: 1n });
  await stack.clock.run(stack.service.registry.refresh());
}
