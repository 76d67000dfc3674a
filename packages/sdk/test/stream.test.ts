import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../harness/until.ts';
import { machineTime } from '../src/call/runtime.ts';
import { type Client, createClientWith } from '../src/client/client.ts';
import { LlmError, metaOf } from '../src/index.ts';
import { chatBody, type StreamGateway, serveStreamGateway, words } from './stream-gateway.ts';

let gateway: StreamGateway;
let client: Client;

beforeAll(async () => {
  gateway = await serveStreamGateway();
});
afterAll(() => gateway.close());

let keys = 0;
beforeEach(() => {
  // Waits without a delay keep tests fast.
  const runtime = { ...machineTime(), random: () => 0, uuid: () => `key-${++keys}` };
  client = createClientWith(runtime, { baseUrl: gateway.baseUrl, apiKey: 'mgk_secret' });
});

function requestOf(content: string) {
  return { model: 'm', maxTokens: 9, messages: [{ role: 'user' as const, content }] };
}

const weather = { name: 'weather', inputSchema: { type: 'object' as const } };

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The items of a loop before it throws. */
async function untilError<T>(items: AsyncIterable<T>) {
  const list: T[] = [];
  try {
    for await (const item of items) list.push(item);
  } catch (error) {
    if (LlmError.is(error)) return { list, error };
    throw error;
  }
  throw new Error('nothing was thrown');
}

async function failure(work: Promise<unknown>): Promise<LlmError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (LlmError.is(error)) return error;
  throw new Error('it did not fail with an LlmError', { cause: error });
}

const seenOf = (key: string | undefined) => gateway.seen.filter((one) => one.key === key);
const lastKey = () => gateway.seen.at(-1)?.key;

const start = { type: 'start', id: 'call_1', model: 'm', requestId: 'req_p' };
const texts = words.map((text) => ({ type: 'text', text }));

describe('a stream', () => {
  test('of a chat has its events, and the same response as chat', async () => {
    const stream = client.chatStream(requestOf('hello'));
    const events = await all(stream);
    expect(events).toEqual([start, ...texts, { type: 'finish', answer: chatBody }]);
    const answer = await stream.final();
    expect(answer).toEqual(chatBody);
    expect(metaOf(answer)).toMatchObject({
      attempts: 1,
      replayed: false,
      costUsd: '0.000183',
      gatewayRequestId: 'req_1',
    });
    expect(seenOf(lastKey())).toHaveLength(1);
  });

  test('of an agent has whole tool calls', async () => {
    const events = await all(client.agentStream({ ...requestOf('hello'), tools: [weather] }));
    const call = { type: 'toolCall', id: 'tool_1', name: 'weather', input: { city: 'Ulm' } };
    expect(events.slice(0, -1)).toEqual([start, ...texts, call]);
    expect(events.at(-1)).toMatchObject({ type: 'finish', answer: { done: false } });
  });

  test('of an object has its JSON to show, and the object', async () => {
    const schema = { type: 'object' as const };
    const stream = client.objectStream<{ city: string }>({ ...requestOf('hello'), schema });
    expect(await all(stream.text())).toEqual(['{"city":', '"Ulm"}']);
    expect((await stream.final()).object.city).toBe('Ulm');
  });

  test('has only text in text()', async () => {
    expect(await all(client.chatStream(requestOf('hello')).text())).toEqual(words);
  });

  test('is read whole by final only, and by a loop that begins after it', async () => {
    expect(await client.chatStream(requestOf('hello')).final()).toEqual(chatBody);
    const stream = client.chatStream(requestOf('hello'));
    const final = stream.final();
    expect(await all(stream.text())).toEqual(words);
    expect(await final).toBe(await stream.final());
  });

  test('accepts final within its loop', async () => {
    const stream = client.chatStream(requestOf('hello'));
    const seen: string[] = [];
    for await (const text of stream.text()) {
      seen.push(text);
      if (seen.length === 1) expect(await stream.final()).toEqual(chatBody);
    }
    expect(seen).toEqual(words);
  });

  test('can be iterated once', async () => {
    const stream = client.chatStream(requestOf('hello'));
    await all(stream);
    expect(() => stream.text()).toThrow(/once/);
    expect(() => stream[Symbol.asyncIterator]()).toThrow(TypeError);
  });

  test('sends nothing before its use, and nothing after an invalid use', async () => {
    const before = gateway.seen.length;
    client.chatStream(requestOf('hello'));
    const wrong = client.chatStream(requestOf('hello'), { timeoutMs: -1 });
    await expect(wrong.final()).rejects.toThrow(TypeError);
    // @ts-expect-error a request must be an object
    await expect(all(client.agentStream('hello'))).rejects.toThrow(/agentStream: the request/);
    expect(gateway.seen).toHaveLength(before);
  });

  test('accepts single bytes, with CRLF, comments and unknown events', async () => {
    expect(await all(client.chatStream(requestOf('drip')).text())).toEqual(words);
  });
});

describe('before the first event', () => {
  test('a failure is retried under the same key, with the same bytes', async () => {
    const waits: unknown[] = [];
    const onRetry = ({ attempt, error }: { attempt: number; error: LlmError }) => {
      waits.push([attempt, error.code]);
    };
    const answer = await client.chatStream(requestOf('flaky'), { onRetry }).final();
    expect(waits).toEqual([[1, 'WALLET_BUSY']]);
    expect(metaOf(answer).attempts).toBe(2);
    const [first, second] = seenOf(lastKey());
    expect(second?.body).toBe(first?.body);
  });

  test.each(['cut 0', 'end 0'])('a connection that breaks is retried: %s', async (text) => {
    const stream = client.chatStream(requestOf(text));
    expect(await all(stream.text())).toEqual([words.join('')]);
    expect(metaOf(await stream.final()).attempts).toBe(2);
  });

  test('a page instead of a stream is BAD_RESPONSE, once', async () => {
    const error = await failure(client.chatStream(requestOf('html')).final());
    expect(error).toMatchObject({ code: 'BAD_RESPONSE', status: 200, attempts: 1 });
    expect(error.message).toContain('not an event stream');
    expect(error).not.toHaveProperty('partialText');
  });

  test('attempts end at maxAttempts', async () => {
    const error = await failure(client.chatStream(requestOf('flaky'), { maxAttempts: 1 }).final());
    expect(error).toMatchObject({ code: 'WALLET_BUSY', status: 503, attempts: 1 });
  });
});

describe('an error event', () => {
  test('ends the loop with its text, usage and cost', async () => {
    const stream = client.chatStream(requestOf('error'));
    const { list, error } = await untilError(stream.text());
    expect(list).toEqual(words);
    expect(error).toMatchObject({
      ...{ code: 'TRUNCATED', status: 200, attempts: 1, requestId: 'req_p', model: 'm' },
      ...{ partialText: words.join(''), costUsd: '0.000183', usage: { outputTokens: 4 } },
      ...{ cost: { usd: '0.000183' }, gatewayRequestId: 'req_1' },
    });
    expect(JSON.stringify(error)).not.toContain('Hello');
    expect(await failure(stream.final())).toBe(error);
    expect(seenOf(lastKey())).toHaveLength(1);
  });
});

describe('a failure that the caller handled in its loop', () => {
  test.each(['error', 'flaky', 'cut 0'])(
    'does not surface again through final: %s',
    async (text) => {
      const unhandled: unknown[] = [];
      const note = (error: unknown) => unhandled.push(error);
      process.on('unhandledRejection', note);
      const stream = client.chatStream(requestOf(text), { maxAttempts: 1 });
      const final = stream.final();
      const { error } = await untilError(stream.text());
      // Node reports an unhandled rejection before the next turn of its loop.
      await new Promise((resolve) => setImmediate(resolve));
      process.off('unhandledRejection', note);
      expect(unhandled).toEqual([]);
      expect(await failure(final)).toBe(error);
    },
  );
});

describe('a connection that breaks after the first event', () => {
  test.each(['cut 2', 'end 2', 'odd'])('ends the loop, and final collects: %s', async (text) => {
    const stream = client.chatStream(requestOf(text));
    const { list, error } = await untilError(stream.text());
    expect(list).toEqual(words.slice(0, 1));
    expect(error).toMatchObject({ code: 'NETWORK', status: 0, partialText: words[0] });
    expect(seenOf(lastKey())).toHaveLength(1);
    const answer = await stream.final();
    expect(answer).toEqual(chatBody);
    expect(metaOf(answer)).toMatchObject({ attempts: 2, replayed: true, costUsd: '0.000183' });
    expect(seenOf(lastKey())).toHaveLength(2);
  });

  test('has no effect on a caller that only awaits final', async () => {
    expect(await client.chatStream(requestOf('cut 4')).final()).toEqual(chatBody);
  });

  test('is collected while the gateway works, whatever maxAttempts', async () => {
    const answer = await client.chatStream(requestOf('away 5'), { maxAttempts: 1 }).final();
    expect(answer).toEqual(chatBody);
    expect(metaOf(answer).attempts).toBe(7);
  });

  test('is not collected for a loop without final', async () => {
    await untilError(client.chatStream(requestOf('cut 2')));
    const key = lastKey();
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(seenOf(key)).toHaveLength(1);
  });
});

describe('a caller that leaves', () => {
  test('by break closes the connection, and final reports it', async () => {
    const stream = client.chatStream(requestOf('hang 3'));
    for await (const text of stream.text()) {
      if (text === words[1]) break;
    }
    const key = lastKey();
    await until(() => seenOf(key)[0]?.isDisconnected === true);
    const error = await failure(stream.final());
    expect(error).toMatchObject({ code: 'ABORTED', status: 0 });
    expect(error.partialText).toBe(words.slice(0, 2).join(''));
    expect(seenOf(key)).toHaveLength(1);
  });

  test('by its signal ends the loop', async () => {
    const leaving = new AbortController();
    const stream = client.chatStream(requestOf('hang 2'), { signal: leaving.signal });
    const reason = new Error('enough');
    const ended = untilError(
      (async function* () {
        for await (const text of stream.text()) {
          yield text;
          setImmediate(() => leaving.abort(reason));
        }
      })(),
    );
    const { list, error } = await ended;
    expect(list).toEqual(words.slice(0, 1));
    expect(error).toMatchObject({ code: 'ABORTED', cause: reason, partialText: words[0] });
    await until(() => seenOf(lastKey())[0]?.isDisconnected === true);
  });

  test('before the first event behaves like chat', async () => {
    const signal = AbortSignal.abort();
    const error = await failure(client.chatStream(requestOf('hello'), { signal }).final());
    expect(error).toMatchObject({ code: 'ABORTED', attempts: 0 });
  });

  test('by its time ends the loop', async () => {
    const stream = client.chatStream(requestOf('hang 2'), { timeoutMs: 200 });
    const { list, error } = await untilError(stream.text());
    expect(list).toEqual(words.slice(0, 1));
    expect(error).toMatchObject({ code: 'TIMEOUT', status: 0, partialText: words[0] });
    expect(error.message).toContain('200 ms');
  });
});
