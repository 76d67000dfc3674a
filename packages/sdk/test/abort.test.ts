import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { LlmError } from '../src/call/llm-error.ts';
import {
  chatAnswer,
  chatRequest,
  failure,
  openScripted,
  type Scripted,
} from './scripted-client.ts';
import { answer, apiError, hang, partial, refuse, type Step } from './scripted-fetch.ts';

const reason = new Error('the user has left');

/** A call that its caller aborts after `waitMs`. */
async function abortAfter(scripted: Scripted, waitMs: number): Promise<LlmError> {
  const controller = new AbortController();
  const { client, runtime } = scripted;
  const startMs = runtime.monotonicMs();
  const call = runtime.settle(client.chat(chatRequest, { signal: controller.signal }));
  runtime.after(waitMs, () => controller.abort(reason));
  const error = failure(await call);
  expect(runtime.monotonicMs() - startMs).toBe(waitMs);
  expect(runtime.timers()).toBe(0);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  return error;
}

describe('the caller’s signal', () => {
  test('aborted before the call: nothing is sent', async () => {
    const { failingChat, runtime, script } = openScripted([answer(200, chatAnswer)]);
    const error = await failingChat({ signal: AbortSignal.abort(reason) });
    expect(error).toMatchObject({ status: 0, code: 'ABORTED', attempts: 0 });
    expect(error.cause).toBe(reason);
    expect(script.seen).toHaveLength(0);
    expect(runtime.timers()).toBe(0);
  });

  const rows: readonly { readonly when: string; readonly step: Step }[] = [
    { when: 'during the fetch', step: hang() },
    { when: 'during a fetch that is deaf', step: hang({ deaf: true }) },
    { when: 'during the body', step: partial(200, '{"text":') },
    { when: 'during the body of an error', step: partial(500, '{"error":') },
  ];
  for (const { when, step } of rows) {
    test(`aborted ${when}: ABORTED at once, never retried`, async () => {
      const scripted = openScripted([step]);
      const error = await abortAfter(scripted, 40);
      expect(error).toMatchObject({ status: 0, code: 'ABORTED', attempts: 1 });
      expect(error.cause).toBe(reason);
      expect(scripted.script.seen).toHaveLength(1);
      expect(scripted.script.seen[0]?.signal.aborted).toBe(true);
    });
  }

  test('an aborted body is canceled', async () => {
    const scripted = openScripted([partial(200, '{"text":')]);
    await abortAfter(scripted, 40);
    expect(scripted.script.cancelledBodies).toBe(1);
  });

  test('aborted during the back-off: ABORTED at once', async () => {
    const scripted = openScripted([apiError(503, 'WALLET_BUSY', { 'retry-after': '10' })]);
    expect(await abortAfter(scripted, 4_000)).toMatchObject({ code: 'ABORTED', attempts: 1 });
    expect(scripted.script.seen).toHaveLength(1);
  });

  test('aborted after a failure: the error has the failure and the reason', async () => {
    const retryHeaders = { 'retry-after': '10', 'x-request-id': 'req_1' };
    const error = await abortAfter(
      openScripted([apiError(503, 'WALLET_BUSY', retryHeaders)]),
      4_000,
    );
    expect(error.cause).toBe(reason);
    expect(error.lastError).toMatchObject({ code: 'WALLET_BUSY', gatewayRequestId: 'req_1' });
    expect(error.message).toBe(
      'the caller aborted the call after attempt 1 failed with WALLET_BUSY',
    );
    expect(Object.keys(error)).not.toContain('lastError');
  });

  test('aborted after the response: no effect', async () => {
    const controller = new AbortController();
    const { chat } = openScripted([answer(200, chatAnswer)]);
    const settled = await chat({ signal: controller.signal });
    controller.abort();
    expect(settled.kind).toBe('answer');
  });

  test('does not end another call with another signal', async () => {
    const controller = new AbortController();
    const { client, runtime } = openScripted([hang()]);
    const aborted = client.chat(chatRequest, { signal: controller.signal, timeoutMs: 100 });
    const other = client.chat(chatRequest, {
      signal: new AbortController().signal,
      timeoutMs: 100,
    });
    controller.abort();
    expect(failure(await runtime.settle(aborted)).code).toBe('ABORTED');
    expect(failure(await runtime.settle(other)).code).toBe('TIMEOUT');
  });
});

describe('one signal for many calls', () => {
  test('has no listener left after 1,000 calls of every outcome', async () => {
    const steps = [answer(200, chatAnswer), refuse(), apiError(400, 'INVALID'), partial(200, '{')];
    const { signal } = new AbortController();
    const { client, runtime, script } = openScripted([
      (seen, current) => {
        const step = steps[current.seen.length % steps.length] ?? refuse();
        return step(seen, current);
      },
    ]);
    const calls = Array.from({ length: 1_000 }, () => client.chat(chatRequest, { signal }));
    // Shared: Node warns of a leak at the eleventh listener.
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await runtime.settle(Promise.allSettled(calls));
    expect(script.seen.length).toBeGreaterThan(1_000);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(runtime.timers()).toBe(0);
  });

  test('ends all of them at once', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const { client, runtime } = openScripted([hang()]);
    const calls = Array.from({ length: 50 }, () => client.chat(chatRequest, { signal }));
    runtime.after(10, () => controller.abort(reason));
    const all = await runtime.settle(Promise.allSettled(calls));
    if (all.kind === 'error') throw all.error;
    for (const settled of all.answer) {
      expect(settled).toMatchObject({ status: 'rejected', reason: { code: 'ABORTED' } });
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(runtime.timers()).toBe(0);
  });

  test('has no listener left after 1,000 calls one after the other', async () => {
    const { signal } = new AbortController();
    const { chat } = openScripted([answer(200, chatAnswer)]);
    for (let call = 0; call < 1_000; call++) await chat({ signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
