import { describe, expect, test } from 'vitest';
import { nameOf, openHouse, type Route, routes, said, streamOf } from './house.ts';

const { ask } = openHouse();

const overloaded = { type: 'overloaded_error', message: 'Overloaded' };
const throttled = { type: 'rate_limit_error', code: 429, message: 'slow down' };

const usage = { input_tokens: 20, output_tokens: 1 };
const start = {
  type: 'message_start',
  message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage },
};
const messageError = (error: object) => ({ type: 'error', error });

function blockOf(type: 'text' | 'thinking', text: string): readonly object[] {
  const name = type === 'text' ? 'text_delta' : 'thinking_delta';
  return [
    { type: 'content_block_start', index: 0, content_block: { type, [type]: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: name, [type]: text } },
  ];
}

function chunkOf(delta: object, more: object = {}): object {
  return { choices: [{ index: 0, delta, finish_reason: null, ...more }] };
}

const answer = [
  chunkOf({ role: 'assistant', content: 'Hello.' }),
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 } },
  '[DONE]',
];

const streamed = routes.filter(({ isStream }) => isStream);
const on = (wire: Route['wire'], from: readonly Route[] = streamed) =>
  from.filter((route) => route.wire === wire).map((route) => [nameOf(route), route] as const);

describe('counts before an error object', () => {
  const counted = streamOf(start, { type: 'ping' }, messageError(overloaded));

  test.each(on('claude'))('%s: they are booked, and nothing more', async (_, route) => {
    const told = await ask(route, Array(3).fill(counted));
    expect(told.attempts).toEqual(
      Array(3).fill({
        ...{ outcome: 'SERVER', status: 529, model: 'claude' },
        // 20 tokens at $5 and one at $25.
        ...{ costUsd: '0.000125', estimated: true, estimateReason: 'broken-stream' },
      }),
    );
    expect(told.record).toMatchObject({ code: 'SERVER', cost: 375_000_000n });
    const status = { '/a': 529, '/o': 503, '/v': 502 }[route.path.slice(0, 2)];
    expect(told.status).toBe(status);
  });

  test.each(on('claude'))('%s: it is attempted again', async (_, route) => {
    const told = await ask(route, [counted]);
    expect(told.attempts.map(({ outcome }) => outcome)).toEqual(['SERVER', 'answered']);
    expect(told.record).toMatchObject({ code: 'OK', basis: 'mixed' });
  });

  test.each(on('claude'))('%s: a timeout might have been billed in full', async (_, route) => {
    const late = { type: 'timeout_error', message: 'too long' };
    const told = await ask(route, [streamOf(start, messageError(late))]);
    // 20 tokens at $5, and the maximum output at $25.
    expect(told.attempts[0]).toMatchObject({ costUsd: '0.8001', estimateReason: 'broken-stream' });
  });

  test.each(on('gpt'))('%s: those of a failed response are exact', async (_, route) => {
    const error = { code: 'server_error', message: 'oh' };
    const response = { status: 'failed', error, output: [], usage };
    const told = await ask(route, [streamOf({ type: 'response.failed', response })]);
    expect(told.attempts[0]).toMatchObject({ status: 500, costUsd: '0.000125', estimated: false });
    expect(told.record).toMatchObject({ code: 'OK', basis: 'exact' });
  });

  test.each(on('chat', routes))('%s: those next to the error are booked', async (_, route) => {
    const body = { error: throttled, usage: { prompt_tokens: 20, completion_tokens: 1 } };
    const told = await ask(route, [route.isStream ? streamOf(body) : said(body)]);
    const { isStream: estimated } = route;
    expect(told.attempts[0]).toMatchObject({ status: 429, costUsd: '0.000125', estimated });
  });

  test.each(on('chat', routes))('%s: zeros are not counts', async (_, route) => {
    const body = { error: throttled, usage: { prompt_tokens: 0, completion_tokens: 0 } };
    const told = await ask(route, [route.isStream ? streamOf(body) : said(body)]);
    expect(told.attempts[0]).toMatchObject({ status: 429, costUsd: '0', estimated: false });
  });
});

describe('reasoning that no caller sees', () => {
  const thinking = chunkOf({ role: 'assistant', reasoning_content: 'Hm.' });
  const thought = streamOf(thinking, thinking, { error: throttled });

  test.each(on('chat'))('%s: it is attempted again', async (_, route) => {
    const told = await ask(route, [thought, streamOf(...answer)]);
    expect(told.status).toBe(200);
    expect(told.text).toContain('Hello.');
    expect(told.text).not.toContain('"error"');
    expect(told.attempts).toMatchObject([
      { outcome: 'THROTTLED', estimated: true, estimateReason: 'broken-stream' },
      { outcome: 'answered', estimated: false },
    ]);
    expect(told.record).toMatchObject({ code: 'OK', basis: 'mixed' });
    // 10 tokens more than the maximum of one attempt: the first is booked with that maximum.
    expect(told.record?.cost).toBeGreaterThan(32_000n * 25_000_000n);
  });

  test.each(on('chat'))('%s: the next model of an alias answers', async (_, route) => {
    const told = await ask(route, [thought, thought], 'chats');
    expect(told.status).toBe(200);
    expect(told.text).not.toContain('"error"');
    const asked = told.attempts.map(({ outcome, model }) => [outcome, model]);
    expect(asked).toEqual([
      ['THROTTLED', 'chat'],
      ['THROTTLED', 'chat'],
      ['answered', 'chat-2'],
    ]);
  });

  test.each(on('chat'))('%s: three failures of it end the stream', async (_, route) => {
    const told = await ask(route, Array(3).fill(thought));
    expect(told.status).toBe(200);
    expect(told.text.match(/"error"/g)).not.toBe(null);
    expect(told.attempts.map(({ outcome }) => outcome)).toEqual(Array(3).fill('THROTTLED'));
    expect(told.record?.code).toBe('SERVER');
  });

  test.each(on('chat'))('%s: a lost connection is not attempted again', async (_, route) => {
    const told = await ask(route, [streamOf(thinking)]);
    expect(told.attempts).toMatchObject([{ outcome: 'SERVER', estimated: true }]);
    expect(told.record?.code).toBe('SERVER');
  });
});

describe('an error object after content', () => {
  test.each(on('chat'))('%s: is a break, and its class stays', async (_, route) => {
    const told = await ask(route, [streamOf(...answer.slice(0, 1), { error: throttled })]);
    expect(told.status).toBe(200);
    expect(told.text).toContain('Hello.');
    const isOpenAi = route.path.startsWith('/openai');
    expect(told.text).toContain(isOpenAi ? '"type":"rate_limit_error"' : '"code":"SERVER"');
    expect(told.attempts).toMatchObject([
      { outcome: 'SERVER', status: 200, estimated: true, estimateReason: 'broken-stream' },
    ]);
    expect(told.record?.code).toBe('SERVER');
  });

  const relay = on('claude').filter(([name]) => name.startsWith('/anthropic'));
  test.each([
    ['text', overloaded],
    ['text', throttled],
    ['thinking', overloaded],
  ] as const)('%s and %o on /anthropic', async (type, error) => {
    for (const [, route] of relay) {
      const events = [start, ...blockOf(type, 'Hello.'), messageError(error)];
      const told = await ask(route, [streamOf(...events)]);
      expect(told.status).toBe(200);
      expect(told.text).toContain('Hello.');
      expect(told.text).toMatch(new RegExp(`event: error\\ndata: .*"type":"${error.type}"`));
      expect(told.attempts).toMatchObject([
        { outcome: 'SERVER', status: 200, costUsd: '0.8001', estimateReason: 'broken-stream' },
      ]);
    }
  });
});

describe('not an error object', () => {
  test.each(on('chat', routes))('%s: null next to an answer', async (_, route) => {
    const message = { role: 'assistant', content: 'Hello.' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const counts = { prompt_tokens: 20, completion_tokens: 10 };
    for (const error of [null, false, '', {}]) {
      const reply = route.isStream
        ? streamOf(...answer.map((one) => (typeof one === 'string' ? one : { ...one, error })))
        : said({ choices, usage: counts, error });
      const told = await ask(route, [reply]);
      expect(told.status).toBe(200);
      expect(told.text).toContain('Hello.');
      expect(told.record).toMatchObject({ code: 'OK', basis: 'exact', cost: 350_000_000n });
    }
  });

  test.each(on('chat', routes))('%s: an error next to an answer', async (_, route) => {
    if (route.isStream) return;
    const choices = [{ message: { content: 'Hello.' }, finish_reason: 'stop' }];
    const body = { choices, usage: { prompt_tokens: 20, completion_tokens: 10 }, error: throttled };
    const told = await ask(route, [said(body)]);
    expect(told.status).toBe(200);
    expect(told.record).toMatchObject({ code: 'OK', cost: 350_000_000n });
  });
});
