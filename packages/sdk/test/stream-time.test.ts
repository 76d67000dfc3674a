import { describe, expect, test } from 'vitest';
import { createSseParser } from '../src/stream/live-stream.ts';
import { chatAnswer, chatRequest, failure, openScripted } from './scripted-client.ts';
import { answer, apiError, events, hang, later, refuse, text } from './scripted-fetch.ts';

const start = ['start', { id: 'call-1', model: 'my-model', requestId: null }] as const;
const hi = ['text', { text: 'Hi' }] as const;
const finish = ['finish', chatAnswer] as const;
const gateway504 = answer(504, { message: 'Endpoint request timed out' });

describe('the time of a stream', () => {
  test('is 330 s by default, and covers the events', async () => {
    const { client, runtime } = openScripted([events([start, hi], 'is silent')]);
    const before = runtime.monotonicMs();
    const error = failure(await runtime.settle(client.chatStream(chatRequest).final()));
    expect(error).toMatchObject({ code: 'TIMEOUT', attempts: 1 });
    expect(error.partialText).toBe('Hi');
    expect(error.message).toContain('330000 ms');
    expect(runtime.monotonicMs() - before).toBe(330_000);
    expect(runtime.timers()).toBe(0);
  });

  test('is the time of the client, or of the call', async () => {
    const { client, runtime } = openScripted([hang()], { options: { timeoutMs: 5_000 } });
    const ofClient = failure(await runtime.settle(client.chatStream(chatRequest).final()));
    expect(ofClient.message).toContain('5000 ms');
    const own = client.chatStream(chatRequest, { timeoutMs: 700 }).final();
    expect(failure(await runtime.settle(own)).message).toContain('700 ms');
  });

  test('leaves no timer and no listener behind, however it ends', async () => {
    for (const step of [
      events([start, hi, finish]),
      events([start, hi], 'breaks'),
      apiError(402, 'INSUFFICIENT_CREDITS'),
      events([start, ['error', { error: { code: 'SERVER', message: 'x' } }]]),
    ]) {
      const { client, runtime } = openScripted([step]);
      const iterate = async () => {
        for await (const _ of client.chatStream(chatRequest));
      };
      await runtime.settle(iterate());
      expect(runtime.timers()).toBe(0);
    }
  });
});

describe('before the first event', () => {
  test('waits are the same as for any call: jitter, retry-after, the attempts', async () => {
    const { client, runtime, script } = openScripted([
      refuse(),
      apiError(503, 'WALLET_BUSY', { 'retry-after': '2' }),
      events([start, hi, finish]),
    ]);
    const settled = await runtime.settle(client.chatStream(chatRequest).final());
    expect(settled).toEqual({ kind: 'answer', answer: chatAnswer });
    expect(script.seen.map(({ atMs }) => atMs)).toEqual([0, 250, 250 + 2_500]);
    expect(new Set(script.seen.map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set(['uuid-1']),
    );
  });

  test('permanent rejections are thrown at once', async () => {
    for (const step of [
      apiError(429, 'BUDGET_EXCEEDED'),
      apiError(501, 'NOT_IMPLEMENTED', { 'x-should-retry': 'false' }),
      text(200, '{}', { 'content-type': 'application/json' }),
    ]) {
      const { client, runtime, script } = openScripted([step]);
      failure(await runtime.settle(client.chatStream(chatRequest).final()));
      expect(script.seen).toHaveLength(1);
    }
  });
});

describe('collecting', () => {
  const broken = events([start, hi], 'breaks');

  test('continues until the time is over, while the gateway responds with 504', async () => {
    const { client, runtime, script } = openScripted((virtual) => [
      broken,
      later(virtual, 29_000, gateway504),
    ]);
    const before = runtime.monotonicMs();
    const settled = await runtime.settle(client.chatStream(chatRequest).final());
    expect(failure(settled)).toMatchObject({ code: 'TIMEOUT', partialText: 'Hi' });
    expect(failure(settled).lastError).toMatchObject({ code: 'GATEWAY_TIMEOUT', status: 504 });
    expect(runtime.monotonicMs() - before).toBe(330_000);
    expect(script.seen.length).toBeGreaterThan(10);
  });

  test('limits its waits, and retries if the stream breaks again', async () => {
    const { client, runtime, script } = openScripted([
      ...[broken, gateway504, gateway504, gateway504, gateway504, gateway504],
      ...[broken, broken, events([start, hi, finish])],
    ]);
    const settled = await runtime.settle(client.chatStream(chatRequest).final());
    expect(settled).toMatchObject({ kind: 'answer', answer: { text: 'Hi' } });
    const times = script.seen.map(({ atMs }) => atMs);
    const waits = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    expect(waits).toEqual([0, 500, 1_000, 2_000, 2_000, 2_000, 2_000, 2_000]);
  });

  test('counts other failures as attempts', async () => {
    const { client, runtime, script } = openScripted([broken, gateway504, refuse()]);
    const settled = await runtime.settle(client.chatStream(chatRequest).final());
    expect(failure(settled)).toMatchObject({ code: 'NETWORK', attempts: 5, partialText: 'Hi' });
    expect(script.seen).toHaveLength(5);
  });

  test('ends with a rejection or an error event', async () => {
    const error = ['error', { error: { code: 'TRUNCATED', message: 'cut' }, usage: null }] as const;
    for (const [step, code] of [
      [events([start, hi, error]), 'TRUNCATED'],
      [apiError(402, 'INSUFFICIENT_CREDITS'), 'INSUFFICIENT_CREDITS'],
    ] as const) {
      const { client, runtime, script } = openScripted([broken, step]);
      const settled = await runtime.settle(client.chatStream(chatRequest).final());
      expect(failure(settled)).toMatchObject({ code, attempts: 2, partialText: 'Hi' });
      expect(script.seen).toHaveLength(2);
    }
  });

  test('ends by the signal', async () => {
    const leaving = new AbortController();
    const { client, runtime } = openScripted([broken, hang()]);
    const { signal } = leaving;
    const final = client.chatStream(chatRequest, { signal }).final();
    await runtime.advance(1_000);
    leaving.abort(new Error('enough'));
    expect(failure(await runtime.settle(final))).toMatchObject({ code: 'ABORTED' });
    expect(runtime.timers()).toBe(0);
  });
});

describe('the parser of event streams', () => {
  const whole =
    ': a comment\r\n\r\nid: 1\r\nevent: text\r\ndata: {"text":\r\ndata: "a: b"}\r\n\r\n';

  test('gives the same events however the bytes are cut', () => {
    for (const lineEnd of ['\r\n', '\n', '\r']) {
      const stream = `${whole.replaceAll('\r\n', lineEnd)}event:json${lineEnd}data:{}${lineEnd.repeat(2)}`;
      // A CR at the end might be half of a CRLF, and ends the line already.
      for (let cut = 0; cut <= stream.length; cut++) {
        const parse = createSseParser();
        const seen = [...parse(stream.slice(0, cut)), ...parse(''), ...parse(stream.slice(cut))];
        expect(seen).toEqual([{ type: 'text', text: 'a: b' }, { type: 'json' }]);
      }
      const parse = createSseParser();
      expect([...stream].flatMap((byte) => parse(byte))).toHaveLength(2);
    }
  });

  test('ignores unknown events, and events without data', () => {
    const parse = createSseParser();
    expect(parse('data: 1\n\nevent: later\ndata: no JSON\n\nretry: 5\nevent\n\n:\n\n')).toEqual([]);
    expect(() => parse('event: text\ndata: 7\n\n')).toThrow('the event text is not');
    expect(parse('event: text\n\n')).toEqual([]);
  });
});
