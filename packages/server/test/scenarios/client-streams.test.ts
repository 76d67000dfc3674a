// The streams of the client through the whole service, on a real socket.
import { createClient, LlmError, metaOf, tool } from '@model-gateway/sdk';
import { createParser } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { defaultYaml } from '../support/stack.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer({ yaml: `streaming: true\n${defaultYaml}` });
});
afterAll(() => server.close());

const words = 'one two three four five';

function asking(model: string, content: unknown = words) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return { model, maxTokens: 100, messages: [{ role: 'user' as const, content: text }] };
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function failure(items: AsyncIterable<unknown>): Promise<LlmError> {
  const error: unknown = await all(items).catch((reason: unknown) => reason);
  if (LlmError.is(error)) return error;
  throw new Error('no LlmError', { cause: error });
}

/** The totals of an app once nothing is reserved for its calls. */
async function settledTotals(app: string) {
  const client = await server.client(app);
  return until(async () => {
    const { budget, totals } = await client.usage();
    return (budget === null || /^0(\.0*)?$/.test(budget.heldUsd)) && totals;
  });
}

/** A client whose first connection to a stream dies after its first piece. */
async function cutClient(app: string) {
  let requests = 0;
  const fetchCut: typeof fetch = async (url, init) => {
    requests += 1;
    const response = await fetch(url, init);
    if (requests > 1 || response.body === null) return response;
    const reader = response.body.getReader();
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value } = await reader.read();
        pieces += 1;
        if (value !== undefined && pieces === 1) return controller.enqueue(value);
        await reader.cancel();
        controller.error(new TypeError('the connection died'));
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
  const apiKey = await server.key(app);
  return createClient({ baseUrl: `${server.url}/v1`, apiKey, fetch: fetchCut });
}

describe('a chat that streams', () => {
  test('arrives word by word, and costs the same as without', async () => {
    const client = await server.client('search');
    const stream = client.chatStream(asking('sim-echo'));
    expect((await all(stream.text())).join('')).toBe(words);
    const answer = await stream.final();
    const whole = await client.chat(asking('sim-echo'));
    expect({ ...answer, id: '', requestId: '' }).toEqual({ ...whole, id: '', requestId: '' });
    expect(metaOf(answer)).toMatchObject({ attempts: 1, replayed: false });
  });

  test('is replayed under its key, and paid once', async () => {
    const client = await server.client('search');
    const before = await settledTotals('search');
    const options = { idempotencyKey: 'a-key-of-a-stream' };
    const first = await client.chatStream(asking('sim-echo'), options).final();
    const second = client.chatStream(asking('sim-echo'), options);
    expect(await all(second.text())).toEqual([words]);
    expect(await second.final()).toEqual(first);
    expect(metaOf(await second.final()).replayed).toBe(true);
    expect((await settledTotals('search')).calls).toBe(before.calls + 1);
  });

  test('is collected after its connection breaks, and paid once', async () => {
    const client = await cutClient('search');
    const before = await settledTotals('search');
    const told = { text: words, stream: { gapMs: 20 } };
    const stream = client.chatStream(asking('sim-told', told));
    const error = await failure(stream);
    expect(error).toMatchObject({ code: 'NETWORK', status: 0 });
    expect(words.startsWith(error.partialText ?? '-')).toBe(true);
    expect((await stream.final()).text).toBe(words);
    expect((await settledTotals('search')).calls).toBe(before.calls + 1);
  });

  test('whose caller disconnects is booked', async () => {
    const client = await server.client('search');
    const before = await settledTotals('search');
    const told = { text: words, stream: { gapMs: 20 } };
    for await (const _ of client.chatStream(asking('sim-told', told)).text()) break;
    const after = await settledTotals('search');
    expect(after.calls).toBe(before.calls + 1);
    expect(after.outputTokens).toBe(before.outputTokens + 6);
  });

  test('reports its failure', async () => {
    const client = await server.client('search');
    const stop = { how: 'break', after: 2 };
    const error = await failure(
      client.chatStream(asking('sim-told', { text: words, stream: { stop } })),
    );
    expect(error).toMatchObject({ code: 'SERVER', status: 200, partialText: 'one two' });
    const cut = client.chatStream({ ...asking('sim-truncated'), maxTokens: 10 });
    const truncated = await failure(cut);
    expect(truncated).toMatchObject({ code: 'TRUNCATED', usage: { outputTokens: 10 } });
    expect(truncated.costUsd).toBe(truncated.cost?.usd);
  });

  test('fails before its first event as without a stream', async () => {
    const client = await server.client('search');
    const error = await failure(client.chatStream(asking('sim-denied')));
    expect(error).toMatchObject({ code: 'AUTH', status: 403 });
    expect(error).not.toHaveProperty('partialText');
  });
});

test('an agent streams, and runs with its text reported', async () => {
  const client = await server.client('search');
  const weather = tool<{ city: string }>({
    name: 'weather',
    input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    execute: () => '7 degrees',
  });
  const events = await all(client.agentStream({ ...asking('sim-echo'), tools: [weather] }));
  expect(events.map(({ type }) => type)).toEqual(['start', 'toolCall', 'finish']);
  let told = '';
  const onText = (text: string) => {
    told += text;
  };
  const run = await client.runAgent({ ...asking('sim-echo'), tools: [weather] }, { onText });
  expect(run).toMatchObject({ turns: 2, text: told });
  expect(told).toContain('7 degrees');
});

test('an object streams its JSON', async () => {
  const client = await server.client('search');
  const schema = { type: 'object' as const, properties: { city: { type: 'string' as const } } };
  const stream = client.objectStream<{ city?: string }>({ ...asking('sim-echo'), schema });
  const json = (await all(stream.text())).join('');
  expect(JSON.parse(json)).toEqual((await stream.final()).object);
});

test('an independent reader reads the wire format', async () => {
  const response = await fetch(`${server.url}/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': await server.key('search'), 'content-type': 'application/json' },
    body: JSON.stringify(asking('sim-echo')),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const seen: unknown[] = [];
  const parser = createParser({ onEvent: ({ id, event }) => seen.push([id, event]) });
  parser.feed(await response.text());
  expect(seen).toEqual([
    ['1', 'start'],
    ...seen.slice(1, -1).map((_, index) => [`${index + 2}`, 'text']),
    [`${seen.length}`, 'finish'],
  ]);
});
