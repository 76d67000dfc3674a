import { expect, test, vi } from 'vitest';
import type { Step } from '../scripted-fetch.ts';
import { partial } from '../scripted-fetch.ts';
import { chatUrl, completion, openSettings } from './openai-script.ts';

const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
const event = 'data: {"choices":[]}\n\n';

/** A stream under a test's control, which detects a disconnected reader. */
function openSource() {
  const cancelled = vi.fn();
  let source: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      source = controller;
    },
    cancel: cancelled,
  });
  const step: Step = async () => new Response(body, { headers });
  const write = (text: string) => source?.enqueue(new TextEncoder().encode(text));
  return { step, cancelled, write, end: () => source?.close() };
}

test('its pieces are forwarded immediately, and no timer remains at the end', async () => {
  const { step, write, end } = openSource();
  const { complete, runtime } = openSettings([step]);
  write(event);
  const response = await complete();
  expect(response.headers.get('content-type')).toBe(headers['content-type']);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe(event);
  write('data: [DONE]\n\n');
  expect((await reader?.read())?.value).toBe('data: [DONE]\n\n');
  expect(runtime.timers()).toBe(1);
  end();
  expect((await reader?.read())?.done).toBe(true);
  expect(runtime.timers()).toBe(0);
});

test('a broken stream is not a response, and is not restarted', async () => {
  const { complete, runtime, script } = openSettings([
    partial(200, event, { breaks: true, headers }),
  ]);
  const response = await complete();
  await expect(response.text()).rejects.toThrow('terminated');
  expect(script.seen).toHaveLength(1);
  expect(runtime.timers()).toBe(0);
});

test('a reader that disconnects ends it', async () => {
  const { step, cancelled, write } = openSource();
  const { complete, runtime } = openSettings([step]);
  write(event);
  const response = await complete();
  await response.body?.cancel();
  expect(cancelled).toHaveBeenCalledTimes(1);
  expect(runtime.timers()).toBe(0);
});

test('the signal ends it, with its own reason, even if it is not read', async () => {
  const { step, write } = openSource();
  const { complete, runtime, script } = openSettings([step]);
  write(event);
  const controller = new AbortController();
  const response = await complete({}, { signal: controller.signal });
  const reason = new Error('enough');
  controller.abort(reason);
  expect(runtime.timers()).toBe(0);
  expect(script.seen[0]?.signal.aborted).toBe(true);
  const reader = response.body?.getReader();
  await reader?.read();
  await expect(reader?.read()).rejects.toBe(reason);
});

test('the time of the whole call ends it', async () => {
  const { step, write } = openSource();
  const { settings, runtime } = openSettings([step], { timeoutMs: 5_000 });
  write(event);
  const response = await settings.fetch(chatUrl, { method: 'POST', body: completion });
  const ended = expect(response.text()).rejects.toThrow('did not finish within timeoutMs');
  await runtime.advance(5_000);
  await ended;
  expect(runtime.timers()).toBe(0);
});
