import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type AgentRunRequest, LlmError, tool } from '../src/index.ts';
import { messagesOf, runRequest, turn } from './agent-script.ts';
import { failure, openScripted } from './scripted-client.ts';
import { apiError, hang, refuse, type Step, text } from './scripted-fetch.ts';

const schema = { type: 'object' };
const clock = tool<object>({ name: 'clock', input: schema, execute: () => 'noon' });
const request: AgentRunRequest = { ...runRequest, tools: [clock] };
const toolTurn = turn({ calls: [{ name: 'clock' }] });
const finishes = turn({ text: 'ok' });
const options = { idempotencyKey: 'K' };

function keysOf(seen: readonly { readonly headers: Readonly<Record<string, string>> }[]) {
  return seen.map(({ headers }) => headers['idempotency-key']);
}

/** A run whose third turn fails; returns its error. */
async function failThirdTurn(step: Step): Promise<LlmError> {
  const { client, runtime } = openScripted([toolTurn, toolTurn, step], {
    options: { maxAttempts: 1 },
  });
  const runOptions = { ...options, timeoutMs: 5_000 };
  return failure(await runtime.settle(client.runAgent(request, runOptions)));
}

describe('a turn that fails', () => {
  test('throws its error, with the run so far', async () => {
    const error = await failThirdTurn(apiError(429, 'BUDGET_EXCEEDED'));
    expect(error).toMatchObject({
      status: 429,
      code: 'BUDGET_EXCEEDED',
      idempotencyKey: 'K:3',
      attempts: 1,
    });
    expect(error.run).toMatchObject({ turns: 2, costUsd: '0.002', usage: { inputTokens: 20 } });
    expect(error.run?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
  });

  test('does not print the run, nor write it to JSON: it contains the conversation', async () => {
    const error = await failThirdTurn(apiError(429, 'BUDGET_EXCEEDED'));
    expect(Object.keys(error)).not.toContain('run');
    for (const printed of [inspect(error), JSON.stringify(error), String(error)]) {
      expect(printed).not.toContain('weather');
    }
  });

  test('of the first turn has a run without turns', async () => {
    const { client, runtime } = openScripted([apiError(400, 'INVALID')]);
    const error = failure(await runtime.settle(client.runAgent(request)));
    expect(error.run).toMatchObject({ messages: request.messages, turns: 0, costUsd: '0' });
  });
});

describe('a run resumed from error.run', () => {
  const open: readonly { readonly name: string; readonly step: Step }[] = [
    { name: 'TIMEOUT of the client', step: hang() },
    { name: 'NETWORK', step: refuse() },
    { name: 'BAD_RESPONSE', step: text(200, '<h1>Hello</h1>') },
    { name: 'TIMEOUT of the API', step: apiError(504, 'TIMEOUT') },
    { name: 'HTTP_502 of a load balancer', step: text(502, '') },
    { name: 'INTERNAL', step: apiError(500, 'INTERNAL') },
  ];
  for (const { name, step } of open) {
    test(`after ${name} repeats the failed turn with its key, to collect it`, async () => {
      const { run } = await failThirdTurn(step);
      const { client, runtime, script } = openScripted([finishes]);
      const settled = await runtime.settle(client.runAgent(request, { resume: run }));
      expect(settled).toMatchObject({ answer: { turns: 3, costUsd: '0.003', text: 'ok' } });
      expect(keysOf(script.seen)).toEqual(['K:3']);
      expect(messagesOf(script.seen[0])).toEqual(run?.messages);
    });
  }

  for (const [status, code] of [
    [422, 'TRUNCATED'],
    [502, 'BAD_OUTPUT'],
    [429, 'THROTTLED'],
    [400, 'INVALID'],
  ] as const) {
    test(`after ${code} continues with a new key: the old one has its response`, async () => {
      const { run } = await failThirdTurn(apiError(status, code));
      const { client, runtime, script } = openScripted([finishes]);
      const more = { ...request, maxTokens: 200 };
      await runtime.settle(client.runAgent(more, { resume: run }));
      expect(keysOf(script.seen)).toEqual(['uuid-1:3']);
    });
  }

  test('by its messages only starts new counts, and pays no turn twice', async () => {
    const { run } = await failThirdTurn(hang());
    const { client, runtime, script } = openScripted([finishes]);
    const again = { ...request, messages: run?.messages ?? [] };
    expect(await runtime.settle(client.runAgent(again))).toMatchObject({ answer: { turns: 1 } });
    expect(keysOf(script.seen)).toEqual(['uuid-1:1']);
  });

  test('continues its turns and its cost within the limits', async () => {
    const { run } = await failThirdTurn(hang());
    const { client, runtime, script } = openScripted([toolTurn]);
    const limited = (limits: object) =>
      runtime.settle(client.runAgent({ ...request, ...limits }, { resume: run }));
    expect(await limited({ maxTurns: 2 })).toMatchObject({ answer: { stopReason: 'max-turns' } });
    expect(await limited({ maxCostUsd: '0.002' })).toMatchObject({
      answer: { stopReason: 'max-cost', turns: 2 },
    });
    expect(script.seen).toHaveLength(0);
    expect(await limited({ maxTurns: 4 })).toMatchObject({ answer: { turns: 4 } });
  });

  test('is plain JSON: it can be saved in between', async () => {
    const { run } = await failThirdTurn(hang());
    const saved: typeof run = JSON.parse(JSON.stringify(run));
    expect(saved).toEqual(run);
    const { client, runtime, script } = openScripted([finishes]);
    await runtime.settle(client.runAgent(request, { resume: saved }));
    expect(keysOf(script.seen)).toEqual(['K:3']);
  });
});

describe('an abort in a tool', () => {
  /** Two tools: one ends at once, the other waits for its signal. */
  function openAbort() {
    const controller = new AbortController();
    const events: string[] = [];
    const slow = tool<object>({
      name: 'slow',
      input: schema,
      execute: (_input, { signal }) => {
        events.push('slow began');
        signal.addEventListener('abort', () => events.push(`slow: ${signal.reason}`));
        return new Promise(() => {});
      },
    });
    const calls = [{ name: 'slow' }, { name: 'clock' }];
    const scripted = openScripted([turn({ calls }), finishes]);
    return { controller, events, tools: [slow, clock], ...scripted };
  }

  test('ends the run at once, with the tools’ results until then', async () => {
    const { controller, events, tools, client, runtime, script } = openAbort();
    const { signal } = controller;
    const run = client.runAgent({ ...request, tools }, { ...options, signal });
    runtime.after(300, () => controller.abort('the user has left'));
    const error = failure(await runtime.settle(run));
    expect(error).toMatchObject({ code: 'ABORTED', status: 0, cause: 'the user has left' });
    expect(error.run).toMatchObject({ turns: 1, costUsd: '0.001' });
    expect(error.run?.messages.slice(-1)).toEqual([
      { role: 'tool', toolCallId: 'call-2', content: 'noon' },
    ]);
    expect(events).toEqual(['slow began', 'slow: the user has left']);
    expect(script.seen).toHaveLength(1);
    expect(runtime.timers()).toBe(0);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('leaves a run that executes only the tools that had not ended', async () => {
    const { controller, tools, client, runtime } = openAbort();
    const run = client.runAgent({ ...request, tools }, { ...options, signal: controller.signal });
    runtime.after(300, () => controller.abort());
    const { run: resume } = failure(await runtime.settle(run));

    const executed: string[] = [];
    const remade = ['slow', 'clock'].map((name) =>
      tool<object>({ name, input: schema, execute: () => executed.push(name) && 'done' }),
    );
    const next = openScripted([finishes]);
    const resumed = next.client.runAgent({ ...request, tools: remade }, { resume });
    expect(await next.runtime.settle(resumed)).toMatchObject({ answer: { turns: 2 } });
    expect(executed).toEqual(['slow']);
    expect(keysOf(next.script.seen)).toEqual(['K:2']);
    expect(messagesOf(next.script.seen[0]).slice(-2)).toMatchObject([
      { role: 'tool', toolCallId: 'call-2' },
      { role: 'tool', toolCallId: 'call-1', content: 'done' },
    ]);
  });

  test('before pending tools began executes none of them', async () => {
    const executed: string[] = [];
    const counted = tool<object>({
      name: 'clock',
      input: schema,
      execute: () => executed.push(''),
    });
    const toolCalls = [{ id: 'call-1', name: 'clock', input: {} }];
    const messages = [...request.messages, { role: 'assistant' as const, toolCalls }];
    const { client, runtime } = openScripted([finishes]);
    const pending = { ...request, messages, tools: [counted] };
    const run = client.runAgent(pending, { signal: AbortSignal.abort() });
    expect(failure(await runtime.settle(run))).toMatchObject({
      code: 'ABORTED',
      run: { messages },
    });
    const badOptions = client.runAgent(pending, { timeoutMs: 0 });
    await expect(badOptions).rejects.toBeInstanceOf(TypeError);
    expect(executed).toEqual([]);
    expect(await runtime.settle(client.runAgent(pending))).toMatchObject({ answer: { turns: 1 } });
    expect(executed).toEqual(['']);
  });

  test('before the first turn sends nothing and executes nothing', async () => {
    const { client, runtime, script } = openScripted([toolTurn]);
    const run = client.runAgent(request, { signal: AbortSignal.abort() });
    const error = failure(await runtime.settle(run));
    expect(error).toMatchObject({ code: 'ABORTED', run: { turns: 0 } });
    expect(script.seen).toHaveLength(0);
  });
});

describe('runTimeoutMs', () => {
  const never = tool<object>({
    name: 'clock',
    input: schema,
    execute: () => new Promise(() => {}),
  });
  const rows = [
    { name: 'a model call', steps: [toolTurn, hang()], run: {}, turns: 1 },
    { name: 'a tool', steps: [toolTurn], run: { tools: [never] }, turns: 1 },
    { name: 'a back-off', steps: [apiError(503, 'X', { 'retry-after': '9' })], run: {}, turns: 0 },
  ];
  for (const { name, steps, run, turns } of rows) {
    test(`ends the run in ${name}: TIMEOUT with the run`, async () => {
      const { client, runtime } = openScripted(steps);
      const startMs = runtime.monotonicMs();
      const call = client.runAgent({ ...request, ...run }, { runTimeoutMs: 2_000 });
      const error = failure(await runtime.settle(call));
      expect(error).toMatchObject({ code: 'TIMEOUT', status: 0, run: { turns } });
      expect(error.message).toContain('runTimeoutMs');
      expect(runtime.monotonicMs() - startMs).toBe(2_000);
      expect(runtime.timers()).toBe(0);
    });
  }

  test('ends a run whose onStep never ends', async () => {
    const { client, runtime } = openScripted([toolTurn]);
    const onStep = () => new Promise(() => {});
    const call = client.runAgent(request, { runTimeoutMs: 2_000, onStep });
    const error = failure(await runtime.settle(call));
    expect(error).toMatchObject({ code: 'TIMEOUT', run: { turns: 1 } });
  });

  test('timeoutMs applies to each turn, not to tools', async () => {
    const { client, runtime } = openScripted([toolTurn, finishes]);
    const slow = tool<object>({
      name: 'clock',
      input: schema,
      execute: () => new Promise((resolve) => runtime.after(9_000, () => resolve('late'))),
    });
    const call = client.runAgent({ ...request, tools: [slow] }, { timeoutMs: 1_000 });
    expect(await runtime.settle(call)).toMatchObject({ answer: { turns: 2 } });
  });
});

describe('invalid use of runAgent rejects with a TypeError that names the correction', () => {
  const rows: readonly { readonly name: string; readonly cure: RegExp; readonly bad: object }[] = [
    {
      name: 'no tools',
      bad: { tools: undefined },
      cure: /tools must be a list made with tool/,
    },
    { name: 'a bare tool', bad: { tools: [{ name: 'a' }] }, cure: /made with tool\(/ },
    { name: 'two of a name', bad: { tools: [clock, clock] }, cure: /two tools are named clock/ },
    { name: 'no messages', bad: { messages: undefined }, cure: /messages must be a list/ },
    {
      name: 'maxTurns 0',
      bad: { maxTurns: 0 },
      cure: /maxTurns must be a whole number of at least 1; it is 0/,
    },
    { name: 'maxTurns NaN', bad: { maxTurns: Number.NaN }, cure: /whole number/ },
    { name: 'maxCostUsd 0', bad: { maxCostUsd: '0.00' }, cure: /above 0, such as "0.05"/ },
    { name: 'maxCostUsd NaN', bad: { maxCostUsd: Number.NaN }, cure: /decimal string/ },
    { name: 'maxCostUsd 1e-7', bad: { maxCostUsd: 1e-7 }, cure: /decimal string/ },
    { name: 'maxCostUsd -1', bad: { maxCostUsd: '-1' }, cure: /decimal string/ },
  ];
  for (const { name, bad, cure } of rows) {
    test(name, async () => {
      const { client, script } = openScripted([finishes]);
      const run = client.runAgent({ ...request, ...bad });
      await expect(run).rejects.toThrow(cure);
      await expect(run).rejects.toBeInstanceOf(TypeError);
      await expect(run).rejects.not.toBeInstanceOf(LlmError);
      expect(script.seen).toHaveLength(0);
    });
  }

  const badOptions = [
    {
      name: 'runTimeoutMs 0',
      bad: { runTimeoutMs: 0 },
      cure: /runTimeoutMs must be .*; it is 0\. .* no limit/,
    },
    { name: 'timeoutMs 0', bad: { timeoutMs: 0 }, cure: /runAgent: timeoutMs must be .*; it is 0/ },
    { name: 'a long key', bad: { idempotencyKey: 'k'.repeat(239) }, cure: /at most 238/ },
    {
      name: 'an unknown option',
      bad: { maxTurns: 3 },
      cure: /unknown option maxTurns; known options:/,
    },
    { name: 'an onStep that is none', bad: { onStep: true }, cure: /onStep must be a function/ },
    { name: 'an error as resume', bad: { resume: new Error() }, cure: /such as error.run/ },
    {
      name: 'a controller',
      bad: { signal: new AbortController() },
      cure: /such as controller.signal/,
    },
  ];
  for (const { name, bad, cure } of badOptions) {
    test(name, async () => {
      const { client, script } = openScripted([finishes]);
      const run: unknown = Reflect.apply(client.runAgent, undefined, [request, bad]);
      await expect(run).rejects.toThrow(cure);
      await expect(run).rejects.toBeInstanceOf(TypeError);
      expect(script.seen).toHaveLength(0);
    });
  }
});
