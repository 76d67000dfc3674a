import { apiErrors, gatewayErrors } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LlmError, tool } from '../src/index.ts';
import type { FakeErrorCode } from '../src/testing/fake-answer.ts';
import { createFakeClient } from '../src/testing.ts';

const request = {
  model: 'my-model',
  maxTokens: 100,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

const apiCodes = Object.entries(apiErrors);
// The gateway's other answers have no code but their status.
const named = ['FORBIDDEN', 'TOO_MANY_REQUESTS', 'LIMIT_EXCEEDED', 'REQUEST_TOO_LONG'];
const gatewayCodes = Object.entries(gatewayErrors).filter(
  ([name]) => named.includes(name) || name === 'GATEWAY_TIMEOUT',
);

function isCode(code: string): code is FakeErrorCode {
  return code in apiErrors || code in gatewayErrors;
}

async function errorOf(call: Promise<unknown>): Promise<LlmError> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (error instanceof LlmError) return error;
  throw new Error('the call did not fail with an LlmError', { cause: error });
}

describe('a fake client', () => {
  test('answers by its script, and tells what was asked', async () => {
    const client = createFakeClient([
      { text: 'Hi', usage: { outputTokens: 2 }, costUsd: '0.5' },
      { object: { city: 'Oslo' } },
      ({ request: asked }) => ({ text: `of ${asked.model}` }),
      { body: { models: [] } },
    ]);
    expect(await client.chat(request, { idempotencyKey: 'K' })).toEqual({
      id: 'fake-1',
      model: 'my-model',
      requestId: null,
      text: 'Hi',
      finishReason: 'stop',
      usage: {
        inputTokens: 0,
        cachedInputTokens: 0,
        cacheWriteInputTokens: 0,
        outputTokens: 2,
        reasoningTokens: 0,
      },
      cost: { usd: '0.5', estimated: false },
    });
    const schema = z.object({ city: z.string() });
    const { object } = await client.object({ ...request, schema });
    expect(object.city).toBe('Oslo');
    expect(client.remaining()).toBe(2);
    expect((await client.chat(request)).text).toBe('of my-model');
    expect(await client.models()).toEqual({ models: [] });
    expect(client.remaining()).toBe(0);
    const paths = client.calls.map(({ path }) => path);
    expect(paths).toEqual(['/chat', '/objects', '/chat', '/models']);
    expect(client.calls[0]?.request).toEqual(request);
    expect(client.calls[0]?.headers['idempotency-key']).toBe('K');
  });

  test('plays an agent, with the tools that are really executed', async () => {
    const client = createFakeClient([
      { toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }], costUsd: '0.1' },
      { text: 'Cold.', costUsd: '0.2' },
    ]);
    const asked: string[] = [];
    const weather = tool({
      name: 'weather',
      input: z.object({ city: z.string() }),
      execute: ({ city }) => asked.push(city),
    });
    const run = await client.runAgent({ ...request, tools: [weather] });
    expect(run).toMatchObject({ text: 'Cold.', turns: 2, costUsd: '0.3', stopReason: 'done' });
    expect(asked).toEqual(['Oslo']);
  });

  for (const [code, { status }] of [...apiCodes, ...gatewayCodes]) {
    test(`fails with ${code}, with the status that the service gives it`, async () => {
      const client = createFakeClient([isCode(code) ? { error: code } : { hangs: true }]);
      const error = await errorOf(client.chat(request));
      expect(error).toMatchObject({ code, status, attempts: 1 });
    });
  }

  test('fails with the codes of the client, and with any status', async () => {
    const client = createFakeClient([
      { error: 'NETWORK' },
      { error: 'BAD_RESPONSE' },
      { error: 'HTTP_502' },
      { error: { code: 'BUDGET_EXCEEDED', message: 'spent', retryAfter: 60 } },
    ]);
    expect(await errorOf(client.chat(request))).toMatchObject({ code: 'NETWORK', status: 0 });
    expect(await errorOf(client.chat(request))).toMatchObject({ code: 'BAD_RESPONSE' });
    expect(await errorOf(client.chat(request))).toMatchObject({ code: 'HTTP_502', status: 502 });
    const spent = { code: 'BUDGET_EXCEEDED', message: 'spent', retryAfterMs: 60_000 };
    expect(await errorOf(client.chat(request))).toMatchObject(spent);
  });

  test('hangs until the time is up', async () => {
    const client = createFakeClient([{ hangs: true }]);
    expect(await errorOf(client.chat(request, { timeoutMs: 20 }))).toMatchObject({
      code: 'TIMEOUT',
    });
  });

  test('retries, when it may, with the next step and without a wait', async () => {
    const client = createFakeClient([{ error: 'INTERNAL' }, { text: 'Hi' }], { maxAttempts: 2 });
    const waits: number[] = [];
    const onRetry = ({ waitMs }: { waitMs: number }) => waits.push(waitMs);
    expect((await client.chat(request, { onRetry })).text).toBe('Hi');
    expect(waits).toEqual([0]);
  });

  test('says what its script lacks', async () => {
    const client = createFakeClient([{ object: {} }]);
    expect((await errorOf(client.chat(request))).message).toMatch(/step 1 .* gives object/);
    expect((await errorOf(client.chat(request))).message).toMatch(/has 1 steps, and call 2/);
  });
});
