import { describe, expect, test } from 'vitest';
import { LlmError, tool as make } from '../src/index.ts';
import { createFakeClient, FakeScriptError } from '../src/testing.ts';

const request = { model: 'm', maxTokens: 9, messages: [{ role: 'user' as const, content: 'Hi' }] };
const weather = { name: 'weather', inputSchema: { type: 'object' as const } };

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function errorOf(items: AsyncIterable<unknown>): Promise<LlmError> {
  const error: unknown = await all(items).catch((reason: unknown) => reason);
  if (LlmError.is(error)) return error;
  throw new Error('no LlmError', { cause: error });
}

describe('the fake streams', () => {
  test('a chat word by word, an agent and an object', async () => {
    const client = createFakeClient([
      { text: 'Hello my world', costUsd: '0.5' },
      { text: 'Look:', toolCalls: [{ name: 'weather', input: { city: 'Ulm' } }] },
      { object: { city: 'Ulm at the Danube' } },
    ]);
    const chat = client.chatStream(request);
    expect(await all(chat.text())).toEqual(['Hello ', 'my ', 'world']);
    expect(await chat.final()).toMatchObject({ text: 'Hello my world', cost: { usd: '0.5' } });
    const events = await all(client.agentStream({ ...request, tools: [weather] }));
    expect(events.map(({ type }) => type)).toEqual(['start', 'text', 'toolCall', 'finish']);
    const object = client.objectStream<unknown>({ ...request, schema: { type: 'object' } });
    expect((await all(object.text())).join('')).toBe('{"city":"Ulm at the Danube"}');
    expect(client.calls.map(({ path }) => path)).toEqual([
      '/chat/stream',
      '/agents/stream',
      '/objects/stream',
    ]);
    client.assertDone();
  });

  test('an error before the first event, and after some text', async () => {
    const client = createFakeClient([
      { error: 'BUDGET_EXCEEDED' },
      { error: { code: 'SERVER', afterText: 'Hel lo', costUsd: '0.25' } },
    ]);
    expect(await errorOf(client.chatStream(request))).toMatchObject({ status: 429 });
    const error = await errorOf(client.chatStream(request));
    expect(error).toMatchObject({ code: 'SERVER', status: 200, costUsd: '0.25' });
    expect(error.partialText).toBe('Hel lo');
    client.assertDone();
  });

  test('a connection that breaks; the next step is its response', async () => {
    const client = createFakeClient([
      { error: { code: 'NETWORK', afterText: 'Hello ' } },
      { error: 'GATEWAY_TIMEOUT' },
      { error: 'GATEWAY_TIMEOUT' },
      { text: 'Hello world' },
    ]);
    const stream = client.chatStream(request);
    expect(await errorOf(stream.text())).toMatchObject({ code: 'NETWORK', partialText: 'Hello ' });
    expect((await stream.final()).text).toBe('Hello world');
    expect(new Set(client.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    client.assertDone();
  });

  test('a gateway that never responds', async () => {
    const client = createFakeClient([{ hangs: true }]);
    expect(await errorOf(client.chatStream(request))).toMatchObject({ code: 'TIMEOUT' });
  });

  test('strictly: an unfitting step is a mistake of the script', async () => {
    const wrong = createFakeClient([{ object: {} }]);
    await expect(wrong.chatStream(request).final()).rejects.toThrow(FakeScriptError);
    const invalid = createFakeClient([{ text: 'Hi' }]);
    const refused = invalid.chatStream({ ...request, maxTokens: 0 });
    await expect(all(refused)).rejects.toThrow(/INVALID: maxTokens/);
    const whole = createFakeClient([{ error: { code: 'SERVER', afterText: 'Hi' } }]);
    await expect(whole.chat(request)).rejects.toThrow(/does not stream/);
    const late = createFakeClient([{ error: { code: 'TOO_MANY_REQUESTS', afterText: 'Hi' } }]);
    await expect(late.chatStream(request).final()).rejects.toThrow(/cannot fail with/);
  });
});

describe('runAgent with onText', () => {
  const tool = {
    name: 'weather',
    input: { type: 'object' as const },
    execute: () => '7 degrees',
  };

  test('receives the text of each turn, with the same result', async () => {
    const client = createFakeClient([
      { text: 'Let me look', toolCalls: [{ name: 'weather', input: {} }] },
      { text: 'It is warm' },
    ]);
    const events: unknown[] = [];
    const tools = [make<object>(tool)];
    const run = await client.runAgent(
      { ...request, tools },
      { onText: (text, turn) => events.push([turn, text]), idempotencyKey: 'K' },
    );
    expect(events).toEqual([
      ...[1, 1, 1].map((turn, index) => [turn, ['Let ', 'me ', 'look'][index]]),
      ...[2, 2, 2].map((turn, index) => [turn, ['It ', 'is ', 'warm'][index]]),
    ]);
    expect(run).toMatchObject({ text: 'It is warm', turns: 2, stopReason: 'done' });
    expect(client.calls.map(({ path, headers }) => [path, headers['idempotency-key']])).toEqual([
      ['/agents/stream', 'K:1'],
      ['/agents/stream', 'K:2'],
    ]);
  });

  test('collects a turn whose connection breaks, and receives the missing text', async () => {
    const client = createFakeClient([
      { error: { code: 'NETWORK', afterText: 'It ' } },
      { text: 'It is warm' },
    ]);
    const events: string[] = [];
    const onText = (text: string) => events.push(text);
    const run = await client.runAgent({ ...request, tools: [make<object>(tool)] }, { onText });
    expect(run.text).toBe('It is warm');
    expect(events).toEqual(['It ', 'is warm']);
  });

  test('ends with the exception of onText, and with the run', async () => {
    const client = createFakeClient([{ text: 'It is warm' }]);
    const thrown = new Error('the page has gone');
    const onText = async () => {
      throw thrown;
    };
    const run = client.runAgent({ ...request, tools: [make<object>(tool)] }, { onText });
    const error: unknown = await run.catch((reason: unknown) => reason);
    expect(error).toBe(thrown);
    expect(error).toHaveProperty('run.turns', 0);
  });

  test('rejects a non-function', async () => {
    const client = createFakeClient([]);
    // @ts-expect-error onText is a function
    const run = client.runAgent({ ...request, tools: [make<object>(tool)] }, { onText: 'print' });
    await expect(run).rejects.toThrow(/onText must be a function/);
  });
});
