import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type AgentStep,
  type AgentTool,
  type ToolContext,
  ToolError,
  type ToolResult,
  tool,
} from '../src/index.ts';
import { messagesOf, runRequest, turn } from './agent-script.ts';
import { failure, openScripted } from './scripted-client.ts';

const schema = { type: 'object' };

/** The model's and `onStep`'s result of one tool call. */
async function resultOf(
  toolOrName: AgentTool | string,
  { input = {}, advanceMs = 0 }: { input?: unknown; advanceMs?: number } = {},
): Promise<ToolResult | undefined> {
  const isKnown = typeof toolOrName !== 'string';
  const name = isKnown ? toolOrName.name : toolOrName;
  const steps: AgentStep[] = [];
  const { client, runtime, script } = openScripted([
    turn({ calls: [{ name, input }] }),
    turn({ text: 'ok' }),
  ]);
  const tools = isKnown ? [toolOrName] : [];
  const startMs = runtime.monotonicMs();
  const options = { onStep: (step: AgentStep) => steps.push(step) };
  const settled = await runtime.settle(client.runAgent({ ...runRequest, tools }, options));
  expect(settled).toMatchObject({ answer: { text: 'ok', turns: 2 } });
  expect(runtime.monotonicMs() - startMs).toBe(advanceMs);
  expect(runtime.timers()).toBe(0);
  const result = steps[0]?.toolResults[0];
  const toolMessage = { role: 'tool', toolCallId: 'call-1', content: result?.content };
  expect(messagesOf(script.seen[1]).at(-1)).toEqual(toolMessage);
  return result;
}

function executing(execute: () => unknown): AgentTool {
  return tool<object>({ name: 'act', input: schema, execute });
}

describe('the result of a tool', () => {
  const rows = [
    { name: 'a text, as it is', value: 'plain', content: 'plain' },
    { name: 'an empty text', value: '', content: '' },
    { name: 'an object, as JSON', value: { a: [1, null] }, content: '{"a":[1,null]}' },
    { name: 'a promise of a number', value: Promise.resolve(7), content: '7' },
    { name: 'nothing', value: undefined, content: 'null' },
    { name: 'false', value: false, content: 'false' },
    { name: 'a text cut within an emoji', value: 'a🎈'.slice(0, 2), content: 'a\ufffd' },
    { name: 'a whole emoji', value: '🎈', content: '🎈' },
  ];
  for (const { name, value, content } of rows) {
    test(`${name}, goes to the model`, async () => {
      const result = await resultOf(executing(() => value));
      expect(result).toEqual({ toolCallId: 'call-1', name: 'act', content });
    });
  }
});

describe('a tool’s failure goes to the model, not to the caller', () => {
  const secret = new Error('connect ECONNREFUSED 10.0.0.7, password hunter2');
  const thrown = [
    { name: 'an error', error: secret, content: 'The tool failed.' },
    { name: 'a rejection', error: secret, content: 'The tool failed.', isAsync: true },
    { name: 'a text', error: 'hunter2', content: 'The tool failed.' },
    { name: 'a ToolError', error: new ToolError('There is no such city.') },
    { name: 'a ToolError’s cause', error: new ToolError('No luck.', { cause: secret }) },
  ];
  for (const { name, error, content, isAsync = false } of thrown) {
    test(`${name}: ${content ?? 'its message'}`, async () => {
      const act = executing(() => {
        if (isAsync) return Promise.reject(error);
        throw error;
      });
      const result = await resultOf(act);
      expect(result?.error).toBe(error);
      expect(result?.content).toBe(content ?? (ToolError.is(error) ? error.message : undefined));
      expect(result?.content).not.toContain('hunter2');
    });
  }

  test('a ToolError of another copy of the package', async () => {
    const foreign = Object.assign(new Error('Try again tomorrow.'), {
      [Symbol.for('@model-gateway/sdk/ToolError')]: true,
    });
    const act = executing(() => {
      throw foreign;
    });
    expect((await resultOf(act))?.content).toBe('Try again tomorrow.');
  });

  test('a result that JSON cannot carry', async () => {
    const result = await resultOf(executing(() => 10n));
    expect(result).toMatchObject({ content: 'The tool failed.', error: expect.any(TypeError) });
  });

  test('a missing tool', async () => {
    expect((await resultOf('teleport'))?.content).toBe('There is no tool teleport.');
  });

  test('unfitting input: its mismatches, without execution of the tool', async () => {
    let executions = 0;
    const act = tool({
      name: 'act',
      input: z.object({ city: z.string(), days: z.array(z.number()) }),
      execute: () => {
        executions += 1;
      },
    });
    const result = await resultOf(act, { input: { days: [1, 'two'] } });
    expect(result?.content).toMatch(/^The input does not fit the tool\.\n/);
    expect(result?.content).toContain('\ncity: ');
    expect(result?.content).toContain('\ndays.1: ');
    expect(result?.error).toBeInstanceOf(ToolError);
    expect(executions).toBe(0);
  });

  test('a schema that throws', async () => {
    const input = z.object({}).refine(() => {
      throw new Error('hunter2');
    });
    const result = await resultOf(tool({ name: 'act', input, execute: () => 'no' }));
    expect(result?.content).toBe('The tool failed.');
  });
});

describe('a tool', () => {
  test('gets its schema’s output', async () => {
    const act = tool({
      name: 'act',
      input: z.object({ day: z.string().transform((day) => new Date(`${day}T00:00:00Z`)) }),
      execute: ({ day }) => day.getTime(),
    });
    expect((await resultOf(act, { input: { day: '1970-01-02' } }))?.content).toBe('86400000');
  });

  test('gets its call’s turn and a unique key', async () => {
    const seen: ToolContext[] = [];
    const act = tool<object>({
      name: 'act',
      input: schema,
      execute: (_input, context) => seen.push(context),
    });
    const twoCallsTurn = turn({ calls: [{ name: 'act' }, { name: 'act' }] });
    const { client, runtime } = openScripted([twoCallsTurn, twoCallsTurn, turn({ text: 'ok' })]);
    const run = client.runAgent({ ...runRequest, tools: [act] }, { idempotencyKey: 'K' });
    await runtime.settle(run);
    expect(seen.map(({ signal: _, ...told }) => told)).toEqual([
      { toolCallId: 'call-1', turn: 1, idempotencyKey: 'K:1:call-1' },
      { toolCallId: 'call-2', turn: 1, idempotencyKey: 'K:1:call-2' },
      { toolCallId: 'call-1', turn: 2, idempotencyKey: 'K:2:call-1' },
      { toolCallId: 'call-2', turn: 2, idempotencyKey: 'K:2:call-2' },
    ]);
    expect(seen.every(({ signal }) => signal instanceof AbortSignal)).toBe(true);
  });

  test('has the same key when a resumed run executes it again', async () => {
    const keys: string[] = [];
    const controller = new AbortController();
    const order = tool<object>({
      name: 'order',
      input: schema,
      // The order is placed, and its result is lost.
      execute: (_input, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        controller.abort();
        return keys.length === 1 ? new Promise(() => {}) : 'made before';
      },
    });
    const request = { ...runRequest, tools: [order] };
    const first = openScripted([
      turn({ calls: [{ name: 'look' }] }),
      turn({ calls: [{ name: 'order' }] }),
    ]);
    const { signal } = controller;
    const aborted = failure(await first.runtime.settle(first.client.runAgent(request, { signal })));
    expect(aborted).toMatchObject({ code: 'ABORTED', run: { turns: 2 } });
    const stored = JSON.parse(JSON.stringify(aborted.run));
    const { client, runtime } = openScripted([turn({ text: 'ok' })]);
    const resumed = await runtime.settle(client.runAgent(request, { resume: stored }));
    expect(resumed).toMatchObject({ answer: { turns: 3, text: 'ok' } });
    expect(keys).toEqual(['uuid-1:2:call-1', 'uuid-1:2:call-1']);
  });

  test('has its own time limit: its signal aborts, and the model gets the error', async () => {
    const reasons: unknown[] = [];
    const act = tool<object>({
      name: 'act',
      input: schema,
      timeoutMs: 700,
      execute: (_input, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => reasons.push(signal.reason));
        }),
    });
    const result = await resultOf(act, { advanceMs: 700 });
    expect(result?.content).toBe('The tool gave no answer within 700 ms.');
    expect(reasons).toEqual([expect.any(ToolError)]);
  });

  test('that ends in time leaves no timer', async () => {
    const definition = { name: 'act', input: schema, timeoutMs: 700, execute: () => 'done' };
    expect((await resultOf(tool<object>(definition)))?.content).toBe('done');
  });

  test('runs in parallel with the others of its turn; results keep the order', async () => {
    const { client, runtime, script } = openScripted([
      turn({ calls: [{ name: 'slow' }, { name: 'quick' }] }),
      turn({ text: 'ok' }),
    ]);
    const waits = { slow: 900, quick: 100 };
    const tools = Object.entries(waits).map(([name, waitMs]) =>
      tool<object>({
        name,
        input: schema,
        execute: () => new Promise((resolve) => runtime.after(waitMs, () => resolve(name))),
      }),
    );
    await runtime.settle(client.runAgent({ ...runRequest, tools }));
    expect(script.seen.map(({ atMs }) => atMs)).toEqual([0, 900]);
    expect(messagesOf(script.seen[1]).slice(-2)).toMatchObject([
      { toolCallId: 'call-1', content: 'slow' },
      { toolCallId: 'call-2', content: 'quick' },
    ]);
  });
});

describe('an invalid tool definition is a TypeError at once, with the correction', () => {
  const good = { name: 'act', input: schema, execute: () => 1 };
  const rows = [
    { name: 'no name', bad: { name: undefined }, cure: /name must be a string/ },
    { name: 'no execute', bad: { execute: undefined }, cure: /tool act: execute must be a func/ },
    { name: 'no input', bad: { input: undefined }, cure: /tool act: input must be JSON Schema/ },
    { name: 'timeoutMs 0', bad: { timeoutMs: 0 }, cure: /Omit it for the time of the run/ },
    { name: 'a description that is no text', bad: { description: 7 }, cure: /must be a string/ },
    {
      name: 'an unknown field',
      bad: { parameters: {} },
      cure: /unknown option parameters; known options:/,
    },
    { name: 'a date', bad: { input: z.object({ at: z.date() }) }, cure: /Date cannot be/ },
  ];
  for (const { name, bad, cure } of rows) {
    test(name, () => {
      const make = () => Reflect.apply(tool, undefined, [{ ...good, ...bad }]);
      expect(make).toThrow(cure);
      expect(make).toThrow(TypeError);
    });
  }
});
