import { describe, expect, test } from 'vitest';
import { isRecord } from '../../src/lib/json-value.ts';
import { agentOf } from '../agents/ask.ts';
import { expectBooks, paid } from '../support/books.ts';
import { chatOf, type Exchange, send } from '../support/exchange.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { complete, completionOf, openAiYaml } from './support/openai.ts';

/** The platform's next response: a body, and its content type. */
let answer: { readonly body: string; readonly type: string };
const shared = sharedStack({
  yaml: `${openAiYaml}streaming: true\n`,
  script: () => {
    const headers = { 'content-type': answer.type };
    return { kind: 'raw', status: 200, headers, body: answer.body };
  },
});

const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const input = { query: 'q' };
const call = (name = 'search', more: object = {}) => ({
  ...{ index: 0, id: '', function: { name, arguments: JSON.stringify(input) } },
  ...more,
});

/** One response, whole and streamed. */
function forms(message: object, finish: string | null) {
  const chunks = [
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
    { choices: [{ index: 0, delta: message, finish_reason: null }] },
    ...(finish === null ? [] : [{ choices: [{ index: 0, delta: {}, finish_reason: finish }] }]),
    { choices: [], usage },
  ];
  const choices = [{ index: 0, message, finish_reason: finish }];
  return {
    json: JSON.stringify({ id: 'c1', object: 'chat.completion', choices, usage }),
    events: `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`,
  };
}

const labels = ['application/json', 'text/event-stream', 'text/plain'] as const;

/** The response in both forms, each with every content type. */
function served(message: object, finish: string | null): (typeof answer)[] {
  const { json, events } = forms(message, finish);
  return labels.flatMap((type) => [json, events].map((body) => ({ body, type })));
}

function chunksOf({ text }: Exchange): Readonly<Record<string, unknown>>[] {
  const data = text.split('\n\n').flatMap((event) => /^data: (\{.*)/.exec(event)?.[1] ?? []);
  return data.map((json) => JSON.parse(json)).filter(isRecord);
}

/** The result of chunks, as clients assemble them. */
function foldedOf(exchange: Exchange) {
  const calls: { id: string; name: string; arguments: string }[] = [];
  let content = '';
  let finish: unknown;
  let word: unknown;
  for (const { choices, x_finish_reason } of JSON.parse(JSON.stringify(chunksOf(exchange)))) {
    word ??= x_finish_reason;
    for (const { delta, finish_reason } of choices) {
      finish = finish_reason ?? finish;
      content += delta.content ?? '';
      for (const { index, id = '', function: called } of delta.tool_calls ?? []) {
        const known = calls[index] ?? { id: '', name: '', arguments: '' };
        calls[index] = known;
        known.id += id;
        known.name += called.name ?? '';
        known.arguments += called.arguments;
      }
    }
  }
  return { content, calls, finish, word };
}

function readWhole({ text, headers }: Exchange) {
  const [{ message, finish_reason: finish }] = JSON.parse(text).choices;
  const calls = (message.tool_calls ?? []).map(
    ({ id, function: called }: { id: string; function: object }) => ({ id, ...called }),
  );
  const word = headers.get('x-finish-reason') ?? undefined;
  return { content: message.content ?? '', calls, finish, word };
}

const rows: readonly (readonly [string, object, string | null, object])[] = [
  ['a text without a reason', { content: 'hi' }, null, { content: 'hi', finish: 'stop' }],
  ['a reason of a vendor', { content: 'hi' }, 'MAX_TOKENS', { content: 'hi', finish: 'length' }],
  ['a blocked text', { content: null }, 'SAFETY', { content: '', finish: 'content_filter' }],
  [
    'a word that nobody knows',
    { content: 'hi' },
    'odd_reason: <b>text</b>',
    { content: 'hi', finish: 'stop', word: 'odd_reason' },
  ],
  [
    'a long word',
    { content: 'hi' },
    'Q'.repeat(100),
    { content: 'hi', finish: 'stop', word: 'Q'.repeat(64) },
  ],
  ['no word at all', { content: 'hi' }, '\r\nx-a: b', { content: 'hi', finish: 'stop' }],
  [
    'a failure behind content',
    { content: 'hi' },
    'network_error',
    { content: 'hi', finish: 'stop', word: 'network_error' },
  ],
  [
    'calls next to stop',
    { tool_calls: [call()] },
    'stop',
    { finish: 'tool_calls', calls: [{ name: 'search', arguments: '{"query":"q"}' }] },
  ],
  [
    'parallel calls of one number and no id',
    { tool_calls: [call(), call('time')] },
    'tool_calls',
    { finish: 'tool_calls', calls: [{ name: 'search' }, { name: 'time' }] },
  ],
  [
    'calls of one id',
    { tool_calls: [call('search', { id: 'a' }), call('time', { id: 'a', index: 1 })] },
    'tool_calls',
    { calls: [{ id: 'a' }, { id: 'call_1_1' }] },
  ],
  [
    'arguments that are a value',
    { tool_calls: [call('search', { function: { name: 'search', arguments: input } })] },
    null,
    { finish: 'tool_calls', calls: [{ arguments: '{"query":"q"}' }] },
  ],
  [
    'arguments that are null',
    { tool_calls: [call('time', { function: { name: 'time', arguments: null } })] },
    'tool_calls',
    { calls: [{ name: 'time', arguments: '{}' }] },
  ],
  [
    'arguments that were cut off',
    { tool_calls: [call('time', { function: { name: 'time' } })] },
    'length',
    { finish: 'length', calls: [{ name: 'time', arguments: '' }] },
  ],
  [
    'a call of a time before several',
    { function_call: { name: 'search', arguments: '{"query":"q"}' } },
    'function_call',
    { finish: 'tool_calls', calls: [{ name: 'search' }] },
  ],
];

describe('on /openai', () => {
  test.each(rows)('%s reads the same, whole and streamed', async (_, message, finish, expected) => {
    const { stack, newApp } = shared();
    for (const one of served(message, finish)) {
      answer = one;
      const app = await newApp();
      const whole = await complete(stack, completionOf(), { app });
      expect(whole.status, whole.text).toBe(200);
      const read = readWhole(whole);
      expect(read).toMatchObject({ word: undefined, ...expected });
      const streamed = await complete(stack, completionOf('sim-echo', { stream: true }), { app });
      expect(streamed.text).toContain('data: [DONE]');
      expect(foldedOf(streamed)).toEqual(read);
    }
  });

  test('a response without a choice has its counts, and is filtered', async () => {
    const { stack, newApp } = shared();
    const filtered = { choices: [], usage: { ...usage, completion_tokens: 0, total_tokens: 20 } };
    const data = `data: ${JSON.stringify(filtered)}\n\ndata: [DONE]\n\n`;
    for (const body of [JSON.stringify(filtered), data]) {
      answer = { body, type: 'text/event-stream' };
      const app = await newApp();
      const whole = await complete(stack, completionOf(), { app });
      const expected = { content: '', calls: [], finish: 'content_filter', word: undefined };
      expect(readWhole(whole)).toEqual(expected);
      expect(whole.headers.get('x-cost-estimated')).toBe('false');
      const streamed = await complete(stack, completionOf('sim-echo', { stream: true }), { app });
      expect(foldedOf(streamed)).toEqual(expected);
      const cost = whole.headers.get('x-cost-usd') ?? '';
      await expectBooks(stack, app, { calls: [paid(cost), paid(cost)], billedUsd: '0' });
    }
  });

  test('both possible last chunks can have the finish reason', async () => {
    const { stack, newApp } = shared();
    answer = { body: forms({ content: 'hi' }, 'odd').events, type: 'text/event-stream' };
    const asked = { stream: true, stream_options: { include_usage: true } };
    const streamed = await complete(stack, completionOf('sim-echo', asked), {
      app: await newApp(),
    });
    const words = chunksOf(streamed).map((chunk) => chunk.x_finish_reason);
    expect(words).toEqual([undefined, undefined, 'odd', 'odd']);
  });

  test('a stream that ends without a reason and without its end mark is interrupted', async () => {
    const { stack, newApp } = shared();
    const { events } = forms({ content: 'hi' }, null);
    answer = { body: events.replace('data: [DONE]\n\n', ''), type: 'text/event-stream' };
    const streamed = await complete(stack, completionOf('sim-echo', { stream: true }), {
      app: await newApp(),
    });
    expect(streamed.text).toContain('"error"');
    expect(streamed.text).not.toContain('[DONE]');
  });
});

describe('on /v1', () => {
  const json = { 'content-type': 'application/json' };
  async function post(path: string, body: object, app: string) {
    const { stack } = shared();
    const headers = { ...json, 'x-api-key': await stack.key(app) };
    return send(stack, path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  test.each<[string | null, object, number, string]>([
    [null, { content: 'hi' }, 200, '"finishReason":"other"'],
    ['odd_reason', { content: 'hi' }, 200, '"finishReason":"other"'],
    ['SAFETY', { content: 'hi' }, 200, '"finishReason":"content-filter"'],
    ['COMPLETE', { content: 'hi' }, 200, '"finishReason":"stop"'],
    ['MAX_TOKENS', { content: 'hi' }, 422, '"code":"TRUNCATED"'],
    ['model_length', { content: 'hi' }, 422, '"code":"TRUNCATED"'],
  ])('a chat that ends for %s is the same, whole and streamed', async (...row) => {
    const [finish, message, status, says] = row;
    const app = await shared().newApp();
    for (const one of served(message, finish)) {
      answer = one;
      const whole = await post('/v1/chat', chatOf('sim-echo'), app);
      expect([whole.status, whole.text]).toEqual([status, expect.stringContaining(says)]);
      const streamed = await post('/v1/chat/stream', chatOf('sim-echo'), app);
      expect(streamed.text).toContain(says);
    }
  });

  test('two calls with one id each keep their own, and missing input is empty input', async () => {
    const app = await shared().newApp();
    const none = call('look', { id: 'a', index: 1, function: { name: 'look', arguments: null } });
    const message = { tool_calls: [call('search', { id: 'a' }), none] };
    const tools = [...agentOf('sim-echo').tools, { name: 'look', inputSchema: { type: 'object' } }];
    for (const one of served(message, 'stop')) {
      answer = one;
      for (const path of ['/v1/agents/run', '/v1/agents/stream']) {
        const { text } = await post(path, agentOf('sim-echo', { tools }), app);
        const calls = [
          { id: 'a', name: 'search', input },
          { id: 'call_1_1', name: 'look', input: {} },
        ];
        expect(text).toContain(`"toolCalls":${JSON.stringify(calls)}`);
        expect(text).toContain('"done":false');
      }
    }
  });
});
