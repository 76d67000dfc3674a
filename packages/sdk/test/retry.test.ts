import { describe, expect, test } from 'vitest';
import type { RetryEvent } from '../src/call/options.ts';
import { chatAnswer, failure, openScripted } from './scripted-client.ts';
import { answer, apiError, partial, refuse, type Step, text } from './scripted-fetch.ts';

const retried: readonly { readonly name: string; readonly step: Step }[] = [
  { name: 'gateway 429 Too Many Requests', step: answer(429, { message: 'Too Many Requests' }) },
  { name: 'gateway 429 Limit Exceeded', step: answer(429, { message: 'Limit Exceeded' }) },
  { name: '429 without a body', step: text(429, '') },
  { name: '500 INTERNAL', step: apiError(500, 'INTERNAL') },
  { name: '502 SERVER', step: apiError(502, 'SERVER') },
  { name: '502 BAD_OUTPUT', step: apiError(502, 'BAD_OUTPUT') },
  { name: '503 WALLET_BUSY', step: apiError(503, 'WALLET_BUSY') },
  { name: '504 TIMEOUT', step: apiError(504, 'TIMEOUT') },
  { name: 'gateway 504', step: answer(504, { message: 'Endpoint request timed out' }) },
  { name: '503 of a proxy', step: text(503, '<h1>Away</h1>') },
  { name: 'a refused connection', step: refuse() },
  { name: 'a body that breaks', step: partial(200, '{', { breaks: true }) },
  { name: '500 whose body breaks', step: partial(500, '{', { breaks: true }) },
  { name: 'x-should-retry: true', step: apiError(500, 'INTERNAL', { 'x-should-retry': 'true' }) },
];

const notRetried: readonly { readonly name: string; readonly step: Step }[] = [
  ...[400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 499, 501, 505, 529].map((status) => ({
    name: `${status}`,
    step: answer(status, { message: 'no' }),
  })),
  { name: '429 THROTTLED', step: apiError(429, 'THROTTLED') },
  { name: '429 BUDGET_EXCEEDED', step: apiError(429, 'BUDGET_EXCEEDED') },
  { name: '429 with an error without code', step: answer(429, { error: {} }) },
  { name: '402 INSUFFICIENT_CREDITS', step: apiError(402, 'INSUFFICIENT_CREDITS') },
  { name: 'BUDGET_EXCEEDED with an odd status', step: apiError(503, 'BUDGET_EXCEEDED') },
  { name: 'INSUFFICIENT_CREDITS with an odd status', step: apiError(500, 'INSUFFICIENT_CREDITS') },
  {
    name: 'x-should-retry: false',
    step: apiError(502, 'BAD_OUTPUT', { 'x-should-retry': 'false' }),
  },
  {
    name: 'gateway 429 with x-should-retry: FALSE',
    step: text(429, '', { 'x-should-retry': ' FALSE' }),
  },
];

describe('retries', () => {
  for (const { name, step } of retried) {
    test(`${name}: retried, then successful`, async () => {
      const { chat, script } = openScripted([step, answer(200, chatAnswer)]);
      expect(await chat()).toEqual({ kind: 'answer', answer: chatAnswer });
      expect(script.seen).toHaveLength(2);
    });
  }

  for (const { name, step } of notRetried) {
    test(`${name}: not retried`, async () => {
      const { failingChat, script } = openScripted([step]);
      expect(await failingChat()).toMatchObject({ attempts: 1 });
      expect(script.seen).toHaveLength(1);
    });
  }

  test('the final error is that of the last attempt', async () => {
    const { failingChat } = openScripted([
      refuse(),
      apiError(503, 'WALLET_BUSY'),
      apiError(500, 'INTERNAL'),
    ]);
    expect(await failingChat()).toMatchObject({ status: 500, code: 'INTERNAL', attempts: 3 });
  });

  test('a failure without a retry ends the call at its attempt', async () => {
    const { failingChat } = openScripted([refuse(), apiError(429, 'BUDGET_EXCEEDED')]);
    expect(await failingChat()).toMatchObject({ code: 'BUDGET_EXCEEDED', attempts: 2 });
  });
});

describe('the back-off', () => {
  test('is full jitter below 500 ms × 2^n, capped at 20 s', async () => {
    const draws = [0, 0.25, 0.999, 0.5, 1, 1, 1, 1];
    const random = () => draws.shift() ?? 0;
    const { failingChat, script } = openScripted([apiError(500, 'INTERNAL')], { random });
    await failingChat({ maxAttempts: 9, timeoutMs: 1e9 });
    const begins = script.seen.map(({ atMs }) => atMs);
    const waits = begins.slice(1).map((atMs, index) => atMs - (begins[index] ?? 0));
    const expected = [0, 250, 1998, 2000, 8000, 16_000, 20_000, 20_000];
    expect(waits.map((waitMs) => Math.round(waitMs))).toEqual(expected);
  });

  test('maxAttempts: 1 never waits, and uses no random number', async () => {
    const random = () => {
      throw new Error('a random number was drawn');
    };
    const { failingChat, runtime } = openScripted([apiError(500, 'INTERNAL')], { random });
    const startMs = runtime.monotonicMs();
    expect(await failingChat({ maxAttempts: 1 })).toMatchObject({ attempts: 1 });
    expect(runtime.monotonicMs()).toBe(startMs);
  });

  test('maxAttempts of the client is the default of its calls', async () => {
    const options = { maxAttempts: 5 };
    const { failingChat, script } = openScripted([refuse()], { options });
    await failingChat();
    expect(script.seen).toHaveLength(5);
    await failingChat({ maxAttempts: 2 });
    expect(script.seen).toHaveLength(7);
  });

  test('a wait that cannot end before the deadline does not begin', async () => {
    const { failingChat, runtime, script } = openScripted([refuse()]);
    const startMs = runtime.monotonicMs();
    // The first wait is 250 ms: it ends with the deadline, not before it.
    expect(await failingChat({ timeoutMs: 250 })).toMatchObject({ code: 'NETWORK', attempts: 1 });
    expect(runtime.monotonicMs()).toBe(startMs);
    await failingChat({ timeoutMs: 251 });
    expect(script.seen).toHaveLength(3);
  });
});

describe('onRetry', () => {
  test('is called before each wait', async () => {
    const events: RetryEvent[] = [];
    const { chat } = openScripted([
      refuse(),
      apiError(503, 'WALLET_BUSY', { 'retry-after': '2' }),
      answer(200, chatAnswer),
    ]);
    await chat({ onRetry: (event) => events.push(event) });
    expect(events).toMatchObject([
      { attempt: 1, waitMs: 250, error: { code: 'NETWORK', attempts: 1 } },
      { attempt: 2, waitMs: 2_500, error: { code: 'WALLET_BUSY', attempts: 2 } },
    ]);
  });

  test('its exception ends the call, and nothing remains', async () => {
    const { chat, runtime } = openScripted([refuse()]);
    const thrown = new Error('enough');
    const onRetry = () => {
      throw thrown;
    };
    expect(await chat({ onRetry })).toEqual({ kind: 'error', error: thrown });
    expect(runtime.timers()).toBe(0);
  });

  test('its rejection also ends the call, and is handled', async () => {
    const { chat, runtime, script } = openScripted([refuse(), answer(200, chatAnswer)]);
    const rejected = new Error('statsd is down');
    const onRetry = async () => {
      await Promise.resolve();
      throw rejected;
    };
    expect(await chat({ onRetry })).toEqual({ kind: 'error', error: rejected });
    expect(script.seen).toHaveLength(1);
    await runtime.advance(1_000);
    expect(runtime.timers()).toBe(0);
  });

  test('its promise is awaited in parallel with the wait', async () => {
    const { chat, runtime, script } = openScripted([refuse(), refuse(), answer(200, chatAnswer)]);
    const tooks = [700, 100];
    const onRetry = () =>
      new Promise<void>((resolve) => {
        runtime.after(tooks.shift() ?? 0, resolve);
      });
    expect(await chat({ onRetry })).toMatchObject({ kind: 'answer' });
    // The waits are 250 and 500 ms.
    expect(script.seen.map(({ atMs }) => atMs)).toEqual([0, 700, 1_200]);
  });

  test('an endless promise ends with the call, even if it rejects later', async () => {
    const { failingChat, runtime } = openScripted([refuse()]);
    const onRetry = () =>
      new Promise((_resolve, reject) => {
        runtime.after(9_000, () => reject(new Error('too late')));
      });
    const error = await failingChat({ onRetry, timeoutMs: 2_000 });
    expect(error).toMatchObject({ code: 'TIMEOUT', attempts: 1, cause: { code: 'NETWORK' } });
    await runtime.advance(10_000);
  });

  test('an abort within it ends the call before the wait', async () => {
    const controller = new AbortController();
    const { chat, script, runtime } = openScripted([refuse()]);
    const startMs = runtime.monotonicMs();
    const onRetry = () => controller.abort();
    const error = failure(await chat({ signal: controller.signal, onRetry }));
    expect(error).toMatchObject({ code: 'ABORTED', attempts: 1 });
    expect(script.seen).toHaveLength(1);
    expect(runtime.monotonicMs()).toBe(startMs);
  });
});
