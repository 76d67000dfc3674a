import { apiErrors, gatewayErrors } from '@model-gateway/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { LlmError, metaOf, tool } from '../src/index.ts';
import type { FakeErrorCode } from '../src/testing/fake-step.ts';
import {
  createFakeClient,
  type FakeClient,
  FakeScriptError,
  type FakeStep,
} from '../src/testing.ts';

const request = {
  model: 'my-model',
  maxTokens: 100,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

const apiCodes = Object.entries(apiErrors);
// The gateway's other responses have no code but their status.
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
  test('follows its script, and records requests', async () => {
    const client = createFakeClient([
      { text: 'Hi', usage: { outputTokens: 2 }, costUsd: '0.5' },
      { object: { city: 'Oslo' } },
      ({ request: sent }) => ({ text: `of ${sent.model}` }),
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

  test('plays an agent, whose tools are really executed', async () => {
    const client = createFakeClient([
      { toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }], costUsd: '0.1' },
      { text: 'Cold.', costUsd: '0.2' },
    ]);
    const prompts: string[] = [];
    const weather = tool({
      name: 'weather',
      input: z.object({ city: z.string() }),
      execute: ({ city }) => prompts.push(city),
    });
    const run = await client.runAgent({ ...request, tools: [weather] });
    expect(run).toMatchObject({ text: 'Cold.', turns: 2, costUsd: '0.3', stopReason: 'done' });
    expect(prompts).toEqual(['Oslo']);
  });

  for (const [code, { status }] of [...apiCodes, ...gatewayCodes]) {
    test(`fails with ${code}, with the service’s status`, async () => {
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

  test('retries with the next step, without a wait', async () => {
    const client = createFakeClient([{ error: 'INTERNAL' }, { text: 'Hi' }], { maxAttempts: 2 });
    const waits: number[] = [];
    const onRetry = ({ waitMs }: { waitMs: number }) => waits.push(waitMs);
    expect((await client.chat(request, { onRetry })).text).toBe('Hi');
    expect(waits).toEqual([0]);
  });

  test('reports a call’s cost, like the gateway', async () => {
    const bad = { error: { code: 'BAD_OUTPUT', costUsd: '0.1' } } as const;
    const client = createFakeClient([bad, { text: 'Hi', costUsd: '0.2' }], { maxAttempts: 2 });
    expect(metaOf(await client.chat(request))).toMatchObject({
      gatewayRequestId: 'fake-request-2',
      attempts: 2,
      costUsd: '0.3',
    });
  });
});

describe('a fake client takes no real time', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    // It has set no timers, so tests need not run them.
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test('for a retry-after, which still counts', async () => {
    const later = { error: { code: 'INTERNAL', retryAfter: 15 } } as const;
    const options = { maxAttempts: 9, timeoutMs: 40_000 };
    const client = createFakeClient([later, later, { text: 'Hi' }], options);
    const waits: number[] = [];
    const onRetry = ({ waitMs }: { waitMs: number }) => waits.push(waitMs);
    const answer = await client.chat(request, { onRetry });
    expect(waits).toEqual([15_000, 15_000]);
    expect(metaOf(answer)).toMatchObject({ attempts: 3, durationMs: 30_000 });
    const spent = createFakeClient([later, later, later], options);
    expect(await errorOf(spent.chat(request))).toMatchObject({ code: 'INTERNAL', attempts: 3 });
  });

  test('for a time-out of a hanging call that cannot be aborted', async () => {
    const client = createFakeClient([{ error: 'INTERNAL' }, { hangs: true }], { maxAttempts: 2 });
    expect(await errorOf(client.chat(request))).toMatchObject({
      code: 'TIMEOUT',
      status: 0,
      attempts: 2,
      cause: { code: 'INTERNAL' },
    });
  });

  test('for an abort of a hanging call by its signal', async () => {
    const controller = new AbortController();
    const client = createFakeClient([{ hangs: true }]);
    const { signal } = controller;
    const failed = errorOf(client.chat(request, { signal, timeoutMs: 5 }));
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    controller.abort('enough');
    expect(await failed).toMatchObject({ code: 'ABORTED', cause: 'enough', attempts: 1 });
  });

  test('for a hanging turn of a run', async () => {
    const tools = [tool<object>({ name: 'a', input: { type: 'object' }, execute: () => 'b' })];
    const steps = [{ toolCalls: [{ name: 'a', input: {} }] }, { hangs: true }] as const;
    const timedOut = await errorOf(createFakeClient(steps).runAgent({ ...request, tools }));
    expect(timedOut).toMatchObject({ code: 'TIMEOUT', run: { turns: 1 } });
    const controller = new AbortController();
    const { signal } = controller;
    const run = createFakeClient(steps).runAgent({ ...request, tools }, { signal });
    const aborted = errorOf(run);
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    controller.abort();
    expect(await aborted).toMatchObject({ code: 'ABORTED', run: { turns: 1 } });
  });
});

describe('a fake client is strict', () => {
  const turnOf = (more: object) => ({
    ...request,
    tools: [{ name: 'a', inputSchema: {} }],
    ...more,
  });
  const chat = (client: FakeClient) => client.chat(request);
  const badly = (more: object) => (client: FakeClient) =>
    Reflect.apply(client.chat, undefined, [{ ...request, ...more }]);
  const misspelt = (step: object): readonly FakeStep[] => JSON.parse(JSON.stringify([step]));
  const failing = new Error('expected 2 to be 1');
  const rows: readonly {
    readonly name: string;
    readonly script: readonly FakeStep[];
    readonly run: (client: FakeClient) => Promise<unknown>;
    readonly says: RegExp;
  }[] = [
    { name: 'too few steps', script: [], run: chat, says: /only 0 steps, but call 1 is to \/chat/ },
    {
      name: 'another kind',
      script: [{ object: {} }],
      run: chat,
      says: /returns object.* use text/,
    },
    {
      name: 'an answer of a model for usage',
      script: [{ text: 'Hi' }],
      run: (client) => client.usage(),
      says: /the call is to \/usage; use body, or error/,
    },
    {
      name: 'no kind at all',
      script: misspelt({ txt: 'Hi' }),
      run: chat,
      says: /step 1 of the script returns txt; use one of error, body/,
    },
    {
      name: 'a misspelt field',
      script: misspelt({ text: 'Hi', finnishReason: 'stop' }),
      run: chat,
      says: /has the unknown field finnishReason; known fields: text, finishReason/,
    },
    {
      name: 'misspelt usage',
      script: misspelt({ text: 'Hi', usage: { tokens: 1 } }),
      run: chat,
      says: /usage of step 1 of the script has the unknown field tokens/,
    },
    {
      name: 'a misspelt code',
      script: misspelt({ error: 'BUDGET_EXCEDED' }),
      run: chat,
      says: /unknown code BUDGET_EXCEDED/,
    },
    {
      name: 'an assertion of a step',
      script: [
        () => {
          throw failing;
        },
      ],
      run: chat,
      says: /step 1 of the script threw: expected 2 to be 1/,
    },
    {
      name: 'a request with an unknown field',
      script: [{ text: 'Hi' }],
      run: badly({ max_tokens: 5 }),
      says: /rejects this request to \/chat as INVALID: max_tokens is an unknown field/,
    },
    {
      name: 'a request without maxTokens',
      script: [{ text: 'Hi' }],
      run: badly({ maxTokens: undefined }),
      says: /maxTokens is missing/,
    },
    {
      name: 'a tool that was not offered',
      script: [{ toolCalls: [{ name: 'b', input: {} }] }],
      run: (client) => client.agent(turnOf({})),
      says: /calls the tool b, but the call offers a; .*BAD_OUTPUT/,
    },
  ];
  for (const { name, script, run, says } of rows) {
    test(`about ${name}: no handler of LlmErrors can catch it`, async () => {
      const client = createFakeClient(script, { maxAttempts: 3 });
      const error: unknown = await run(client).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(FakeScriptError);
      expect(error).toMatchObject({
        name: 'FakeScriptError',
        message: expect.stringMatching(says),
      });
      expect(LlmError.is(error)).toBe(false);
      // Code under test might have caught everything.
      expect(() => client.assertDone()).toThrow(says);
      expect(client.calls).toHaveLength(1);
    });
  }

  test('the cause is the exception of the step', async () => {
    const client = createFakeClient([() => Promise.reject(failing)]);
    await expect(client.chat(request)).rejects.toMatchObject({ cause: failing });
  });

  test('a script can contain an error for a request that the service rejects', async () => {
    const client = createFakeClient([{ error: 'INVALID' }]);
    const wrong = { ...request, maxTokens: 0 };
    expect(await errorOf(client.chat(wrong))).toMatchObject({ code: 'INVALID', status: 400 });
  });

  test('a mistake within a run is thrown with the run, and not sent to the model', async () => {
    const input = { type: 'object' };
    const act = tool<object>({ name: 'act', input, execute: () => 'done' });
    const client = createFakeClient([{ toolCalls: [{ name: 'act', input: {} }] }]);
    const run = client.runAgent({ ...request, tools: [act] });
    await expect(run).rejects.toBeInstanceOf(FakeScriptError);
    await expect(run).rejects.toMatchObject({ run: { turns: 1 } });
  });

  test('assertDone is for the end of a test: all steps were used', async () => {
    const client = createFakeClient([{ text: 'Hi' }, { text: 'Ho' }]);
    await client.chat(request);
    expect(() => client.assertDone()).toThrow(/1 of the 2 steps of the script were not used/);
    await client.chat(request);
    expect(() => client.assertDone()).not.toThrow();
  });
});
