import { describe, expect, test } from 'vitest';
import { LlmError } from '../src/call/llm-error.ts';
import { chatAnswer, openScripted } from './scripted-client.ts';
import { answer, apiError, hang, later, partial, refuse } from './scripted-fetch.ts';

describe('the deadline', () => {
  test('is 120 s by default, and covers an attempt without a response', async () => {
    const { failingChat, runtime, script } = openScripted([hang()]);
    const startMs = runtime.monotonicMs();
    const error = await failingChat();
    expect(error).toMatchObject({ status: 0, code: 'TIMEOUT', attempts: 1 });
    expect(runtime.monotonicMs() - startMs).toBe(120_000);
    expect(script.seen[0]?.signal.aborted).toBe(true);
    expect(error.cause).toBeUndefined();
    expect(error.message).toContain('120000 ms');
  });

  test('holds for a fetch that ignores its signal', async () => {
    const { failingChat } = openScripted([hang({ deaf: true })]);
    expect(await failingChat({ timeoutMs: 900 })).toMatchObject({ code: 'TIMEOUT' });
  });

  test('covers a body that stalls after its headers, and cancels it', async () => {
    const { failingChat, runtime, script } = openScripted([partial(200, '{"text":')]);
    const startMs = runtime.monotonicMs();
    expect(await failingChat({ timeoutMs: 700 })).toMatchObject({ status: 0, code: 'TIMEOUT' });
    expect(runtime.monotonicMs() - startMs).toBe(700);
    expect(script.cancelledBodies).toBe(1);
  });

  test('covers the body of an error too', async () => {
    const { failingChat, script } = openScripted([partial(503, '{"error":')]);
    expect(await failingChat({ timeoutMs: 700 })).toMatchObject({ status: 0, code: 'TIMEOUT' });
    expect(script.cancelledBodies).toBe(1);
  });
});

describe('the deadline of a slow call', () => {
  test('covers a body that drips forever', async () => {
    const { failingChat, runtime, script } = openScripted((clock) => [
      async () => {
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) =>
            new Promise((resolve) => {
              clock.after(100, () => {
                controller.enqueue(Uint8Array.of(0x20));
                resolve();
              });
            }),
        });
        return new Response(body);
      },
    ]);
    const startMs = runtime.monotonicMs();
    expect(await failingChat({ timeoutMs: 1_050 })).toMatchObject({ code: 'TIMEOUT' });
    expect(runtime.monotonicMs() - startMs).toBe(1_050);
    expect(script.seen).toHaveLength(1);
  });

  test('is one for all attempts and waits, and reports the earlier failure', async () => {
    const { failingChat, runtime, script } = openScripted((clock) => [
      later(clock, 400, apiError(500, 'INTERNAL')),
      later(clock, 400, refuse()),
      hang(),
    ]);
    const startMs = runtime.monotonicMs();
    // 400 + 250 + 400 + 500, then the third attempt has 50 ms left.
    const error = await failingChat({ timeoutMs: 1_600 });
    expect(error).toMatchObject({ code: 'TIMEOUT', attempts: 3 });
    expect(error.cause).toBeInstanceOf(LlmError);
    expect(error.cause).toMatchObject({ code: 'NETWORK', attempts: 2 });
    expect(script.seen.map(({ atMs }) => atMs)).toEqual([0, 650, 1_550]);
    expect(runtime.monotonicMs() - startMs).toBe(1_600);
  });

  test('timeoutMs of the client is the default of its calls', async () => {
    const { failingChat, runtime } = openScripted([hang()], { options: { timeoutMs: 300 } });
    const startMs = runtime.monotonicMs();
    await failingChat();
    expect(runtime.monotonicMs() - startMs).toBe(300);
    await failingChat({ timeoutMs: 50 });
    expect(runtime.monotonicMs() - startMs).toBe(350);
  });
});

describe('after a deadline', () => {
  test('the body of a late response is canceled', async () => {
    const { failingChat, runtime, script } = openScripted((clock) => [
      later(clock, 500, partial(200, '{')),
    ]);
    expect(await failingChat({ timeoutMs: 400 })).toMatchObject({ code: 'TIMEOUT' });
    await runtime.advance(200);
    expect(script.cancelledBodies).toBe(1);
  });

  test('a fetch that fails late has no effect', async () => {
    const { failingChat, runtime } = openScripted((clock) => [later(clock, 500, refuse())]);
    expect(await failingChat({ timeoutMs: 400 })).toMatchObject({ code: 'TIMEOUT' });
    await runtime.advance(200);
  });

  const outcomes = [
    { name: 'an answer', step: answer(200, chatAnswer) },
    { name: 'an error', step: apiError(400, 'INVALID') },
    { name: 'retries', step: refuse() },
    { name: 'a timeout', step: hang() },
    { name: 'a stalled body', step: partial(200, '{') },
  ];
  for (const { name, step } of outcomes) {
    test(`no timer remains after ${name}`, async () => {
      const { chat, runtime } = openScripted([step]);
      await chat();
      expect(runtime.timers()).toBe(0);
    });
  }
});
