import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AgentStep, tool } from '../src/index.ts';
import { bodyOf, messagesOf, runRequest, turn } from './agent-script.ts';
import { openScripted } from './scripted-client.ts';
import { apiError } from './scripted-fetch.ts';

const city = z.object({ city: z.string() });
const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  input: city,
  execute: ({ city: name }) => ({ city: name, celsius: 7 }),
});
const clock = tool<{ zone?: string }>({
  name: 'clock',
  input: { type: 'object', properties: { zone: { type: 'string' } } },
  execute: () => 'noon',
});
const tools = [weather, clock];
const request = { ...runRequest, tools };
const twoToolsTurn = turn({
  calls: [{ name: 'weather', input: { city: 'Oslo' } }, { name: 'clock' }],
  text: 'Let me see.',
  usd: '0.0001',
});

describe('a run of an agent', () => {
  test('makes turns until the model calls no tool', async () => {
    const { client, runtime, script } = openScripted([
      twoToolsTurn,
      turn({ calls: [{ name: 'clock' }], usd: '0.0002' }),
      turn({ text: 'It is 7 degrees.', usd: '0.00000000003' }),
    ]);
    const settled = await runtime.settle(client.runAgent(request));
    expect(settled).toMatchObject({
      kind: 'answer',
      answer: {
        text: 'It is 7 degrees.',
        turns: 3,
        stopReason: 'done',
        costUsd: '0.00030000003',
        usage: {
          inputTokens: 30,
          cachedInputTokens: 12,
          cacheWriteInputTokens: 9,
          outputTokens: 6,
          reasoningTokens: 3,
        },
      },
    });
    expect(script.seen.map(({ url }) => url)).toEqual(
      Array(3).fill('https://gateway.test/v1/agents/run'),
    );
    const messages = settled.kind === 'answer' ? settled.answer.messages : [];
    expect(messages.slice(0, -1)).toEqual(messagesOf(script.seen[2]));
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(runtime.timers()).toBe(0);
  });

  test('sends only fields of the contract', async () => {
    const { client, runtime, script } = openScripted([twoToolsTurn, turn({ text: 'ok' })]);
    const limits = { maxTurns: 5, maxCostUsd: '1', temperature: 0.5 };
    await runtime.settle(client.runAgent({ ...request, ...limits }));
    const wireTools = [
      {
        name: 'weather',
        description: 'The weather of a city',
        inputSchema: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
        },
      },
      {
        name: 'clock',
        inputSchema: { type: 'object', properties: { zone: { type: 'string' } } },
      },
    ];
    expect(bodyOf(script.seen[0])).toEqual({ ...runRequest, temperature: 0.5, tools: wireTools });
    expect(messagesOf(script.seen[1])).toEqual([
      ...runRequest.messages,
      {
        role: 'assistant',
        content: 'Let me see.',
        toolCalls: [
          { id: 'call-1', name: 'weather', input: { city: 'Oslo' } },
          { id: 'call-2', name: 'clock', input: {} },
        ],
      },
      { role: 'tool', toolCallId: 'call-1', content: '{"city":"Oslo","celsius":7}' },
      { role: 'tool', toolCallId: 'call-2', content: 'noon' },
    ]);
  });

  test('gives the turns of a key K the keys K:1, K:2, …', async () => {
    const steps = [twoToolsTurn, twoToolsTurn, turn({ text: 'ok' })];
    const { client, runtime, script } = openScripted(steps);
    await runtime.settle(client.runAgent(request, { idempotencyKey: 'order 7' }));
    const keys = script.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['order 7:1', 'order 7:2', 'order 7:3']);
  });

  test('makes a new key for each run', async () => {
    const { client, runtime, script } = openScripted([twoToolsTurn, turn({ text: 'ok' })]);
    await runtime.settle(client.runAgent(request));
    await runtime.settle(client.runAgent(request));
    const keys = script.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['uuid-1:1', 'uuid-1:2', 'uuid-2:1']);
  });

  test('uses a tool choice only for the first turn, so it can end', async () => {
    const { client, runtime, script } = openScripted([twoToolsTurn, turn({ text: 'ok' })]);
    await runtime.settle(client.runAgent({ ...request, toolChoice: 'required' }));
    expect(bodyOf(script.seen[0])).toHaveProperty('toolChoice', 'required');
    expect(bodyOf(script.seen[1])).not.toHaveProperty('toolChoice');
  });

  test('a tool is also valid for a single turn', async () => {
    const { client, runtime, script } = openScripted([turn({ text: 'ok' })]);
    await runtime.settle(client.agent(request));
    const sent = bodyOf(script.seen[0]).tools;
    expect(sent).toEqual(JSON.parse(JSON.stringify(tools)));
    expect(sent).toMatchObject([{ name: 'weather' }, { name: 'clock' }]);
  });
});

describe('the limits of a run', () => {
  test('maxTurns ends it, with the last tools executed and the whole run', async () => {
    const { client, runtime, script } = openScripted([twoToolsTurn]);
    const settled = await runtime.settle(client.runAgent({ ...request, maxTurns: 2 }));
    expect(settled).toMatchObject({
      answer: { stopReason: 'max-turns', turns: 2, text: 'Let me see.' },
    });
    expect(script.seen).toHaveLength(2);
    expect(settled.kind === 'answer' && settled.answer.messages.at(-1)).toEqual({
      role: 'tool',
      toolCallId: 'call-2',
      content: 'noon',
    });
  });

  test('maxTurns is 10 by default', async () => {
    const { client, runtime, script } = openScripted([twoToolsTurn]);
    const settled = await runtime.settle(client.runAgent(request));
    expect(settled).toMatchObject({ answer: { stopReason: 'max-turns', turns: 10 } });
    expect(script.seen).toHaveLength(10);
  });

  const costs = [
    // As floats, 0.1 + 0.2 is more than 0.3.
    { turnUsd: ['0.1', '0.2'], maxCostUsd: '0.3', turns: 2 },
    { turnUsd: ['0.1', '0.2'], maxCostUsd: '0.30000000000000004', turns: 3 },
    { turnUsd: ['0.1', '0.2'], maxCostUsd: 0.3, turns: 2 },
    { turnUsd: ['1', '1'], maxCostUsd: '0.000000000001', turns: 1 },
    { turnUsd: ['0', '0'], maxCostUsd: '0.000000000001', turns: 3 },
    { turnUsd: ['0.999999999999', '0.000000000001'], maxCostUsd: '1', turns: 2 },
    { turnUsd: ['9007199254740993', '0'], maxCostUsd: '9007199254740993.000', turns: 1 },
  ];
  for (const { turnUsd, maxCostUsd, turns } of costs) {
    test(`maxCostUsd ${maxCostUsd} ends turns of ${turnUsd} USD at ${turns}`, async () => {
      const steps = turnUsd.map((usd) => turn({ calls: [{ name: 'clock' }], usd }));
      const { client, runtime } = openScripted([...steps, turn({ text: 'ok', usd: '0' })]);
      const settled = await runtime.settle(client.runAgent({ ...request, maxCostUsd }));
      const stopReason = turns === 3 ? 'done' : 'max-cost';
      expect(settled).toMatchObject({ answer: { turns, stopReason } });
    });
  }

  test('a model without a price has no cost, and maxCostUsd cannot limit it', async () => {
    const steps = [
      turn({ calls: [{ name: 'clock' }], usd: null }),
      turn({ text: 'ok', usd: null }),
    ];
    const open = openScripted(steps);
    const free = await open.runtime.settle(open.client.runAgent(request));
    expect(free).toMatchObject({ answer: { stopReason: 'done', costUsd: null } });
    const { client, runtime } = openScripted(steps);
    const capped = await runtime.settle(client.runAgent({ ...request, maxCostUsd: '5' }));
    expect(capped).toMatchObject({ answer: { stopReason: 'max-cost', turns: 1, costUsd: null } });
  });
});

describe('the steps of a run', () => {
  test('are reported after each turn, and awaited', async () => {
    const { client, runtime, script } = openScripted([twoToolsTurn, turn({ text: 'ok' })]);
    const steps: AgentStep[] = [];
    const onStep = async (step: AgentStep) => {
      await new Promise<void>((resolve) => {
        runtime.after(1_000, resolve);
      });
      steps.push(step);
    };
    await runtime.settle(client.runAgent(request, { onStep }));
    expect(script.seen.map(({ atMs }) => atMs)).toEqual([0, 1_000]);
    expect(steps).toMatchObject([
      {
        turn: 1,
        answer: { done: false, text: 'Let me see.' },
        toolResults: [
          { toolCallId: 'call-1', name: 'weather', content: '{"city":"Oslo","celsius":7}' },
          { toolCallId: 'call-2', name: 'clock', content: 'noon' },
        ],
        run: { turns: 1, costUsd: '0.0001', idempotencyKey: 'uuid-1' },
      },
      { turn: 2, answer: { done: true }, toolResults: [], run: { turns: 2 } },
    ]);
    expect(steps[0]?.run.messages).toEqual(messagesOf(script.seen[1]));
  });

  test('an exception of onStep ends the run and is thrown unchanged', async () => {
    const { client, runtime, script } = openScripted([twoToolsTurn]);
    const thrown = new Error('enough');
    const onStep = () => {
      throw thrown;
    };
    const settled = await runtime.settle(client.runAgent(request, { onStep }));
    expect(settled).toEqual({ kind: 'error', error: thrown });
    expect(script.seen).toHaveLength(1);
    expect(runtime.timers()).toBe(0);
  });

  test('an exception of onStep has the run, which can be resumed', async () => {
    const { client, runtime, script } = openScripted([twoToolsTurn, turn({ text: 'ok' })]);
    const full = new Error('the disk is full');
    const onStep = async () => {
      throw full;
    };
    const options = { onStep, idempotencyKey: 'K' };
    expect(await runtime.settle(client.runAgent(request, options))).toMatchObject({ error: full });
    expect(Object.keys(full)).toEqual([]);
    const { run } = Object(full);
    expect(run).toMatchObject({ turns: 1, costUsd: '0.0001', idempotencyKey: 'K' });
    const resumed = await runtime.settle(client.runAgent(request, { resume: run }));
    expect(resumed).toMatchObject({ answer: { turns: 2, text: 'ok' } });
    expect(script.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['K:1', 'K:2']);
  });

  test.each([
    { name: 'a frozen error', thrown: Object.freeze(new Error('no')) },
    { name: 'an error with a run of its own', thrown: Object.assign(new Error('no'), { run: 7 }) },
    { name: 'a text', thrown: 'no' },
  ])('$name stays as it is', async ({ thrown }) => {
    const { client, runtime } = openScripted([twoToolsTurn]);
    const onStep = () => {
      throw thrown;
    };
    const settled = await runtime.settle(client.runAgent(request, { onStep }));
    expect(settled).toEqual({ kind: 'error', error: thrown });
  });

  test('can be iterated: each turn is made on demand', async () => {
    const { client, runtime, script } = openScripted([twoToolsTurn, turn({ text: 'ok' })]);
    const run = client.runAgent(request);
    const steps = run.steps();
    expect((await runtime.settle(steps.next())).kind).toBe('answer');
    await runtime.advance(60_000);
    expect(script.seen).toHaveLength(1);
    expect(await runtime.settle(steps.next())).toMatchObject({ answer: { value: { turn: 2 } } });
    expect(await runtime.settle(steps.next())).toMatchObject({ answer: { done: true } });
    expect(await runtime.settle(run)).toMatchObject({ answer: { text: 'ok', turns: 2 } });
  });

  test('left early end the run, which reports its state', async () => {
    const { client, runtime, script } = openScripted([twoToolsTurn]);
    const run = client.runAgent(request);
    for await (const { turn: number } of run.steps()) if (number === 2) break;
    expect(await runtime.settle(run)).toMatchObject({
      error: { code: 'ABORTED', run: { turns: 2, costUsd: '0.0002' } },
    });
    expect(script.seen).toHaveLength(2);
    expect(runtime.timers()).toBe(0);
  });

  test('throw the run’s error, and the run need not be awaited', async () => {
    const { client, runtime } = openScripted([
      twoToolsTurn,
      async () => new Response('', { status: 403 }),
    ]);
    const steps = client.runAgent(request).steps();
    await runtime.settle(steps.next());
    expect(await runtime.settle(steps.next())).toMatchObject({
      error: { code: 'HTTP_403', run: { turns: 1 } },
    });
  });

  test('without an iteration do not let the run’s caller wait forever', async () => {
    const { client, runtime, script } = openScripted([turn({ text: 'ok' })]);
    const run = client.runAgent(request);
    const steps = run.steps();
    const settled = await runtime.settle(run.then((result) => result));
    expect(settled).toMatchObject({
      error: { message: expect.stringMatching(/was not iterated/) },
    });
    expect(settled).toMatchObject({ error: expect.any(TypeError) });
    await expect(steps.next()).rejects.toThrow(/for await \(const step of/);
    expect(script.seen).toHaveLength(0);
  });

  test('can be iterated later, while the run is not awaited', async () => {
    const { client, runtime, script } = openScripted([turn({ text: 'ok' })]);
    const run = client.runAgent(request);
    const steps = run.steps();
    await runtime.advance(60_000);
    expect(script.seen).toHaveLength(0);
    expect(await runtime.settle(steps.next())).toMatchObject({ answer: { value: { turn: 1 } } });
    expect(await runtime.settle(steps.next())).toMatchObject({ answer: { done: true } });
    expect(await runtime.settle(run)).toMatchObject({ answer: { text: 'ok' } });
  });

  test('and the run can be awaited right before the loop begins', async () => {
    const { client, runtime } = openScripted([twoToolsTurn, turn({ text: 'ok' })]);
    const run = client.runAgent(request);
    const steps = run.steps();
    const text = run.then((result) => result.text);
    const seen: number[] = [];
    for await (const { turn: number } of steps) seen.push(number);
    expect(await runtime.settle(text)).toEqual({ kind: 'answer', answer: 'ok' });
    expect(seen).toEqual([1, 2]);
  });

  test('requested too late do not leave the run’s failure unhandled', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const { client, runtime } = openScripted([apiError(403, 'DISABLED')]);
    const run = client.runAgent(request);
    await Promise.resolve();
    await Promise.resolve();
    expect(() => run.steps()).toThrow(/call steps\(\) once, immediately/);
    await runtime.advance(1_000);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    await expect(run).rejects.toMatchObject({ code: 'DISABLED' });
  });

  test('of an unobserved run leave its failure unhandled', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', note);
    const { client, runtime } = openScripted([apiError(403, 'DISABLED')]);
    client.runAgent(request);
    await runtime.advance(1_000);
    process.off('unhandledRejection', note);
    for (const other of others) process.on('unhandledRejection', other);
    expect(unhandled).toMatchObject([{ code: 'DISABLED' }]);
  });

  test('requested too late or twice are a TypeError', async () => {
    const { client, runtime } = openScripted([turn({ text: 'ok' })]);
    const run = client.runAgent(request);
    await runtime.settle(run);
    expect(() => run.steps()).toThrow(/call steps\(\) once, immediately/);
    const other = client.runAgent(request);
    const steps = other.steps();
    expect(() => other.steps()).toThrow(TypeError);
    await runtime.settle(steps.next());
  });
});
