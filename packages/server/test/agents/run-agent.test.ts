import {
  type AgentRunRequest,
  type AgentStep,
  LlmError,
  ToolError,
  tool,
} from '@model-gateway/sdk';
import type { ModelCall, Outcome, Script } from '@model-gateway/simulator';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type ExpectedCall, expectBooks, paid } from '../support/books.ts';
import { onStack } from '../support/on-stack.ts';
import { platformError } from '../support/platform-outcomes.ts';
import type { Stack } from '../support/stack.ts';

/** A model with these outcomes in order, and the messages that it received. */
function modelOf(...outcomes: readonly Outcome[]) {
  const calls: ModelCall[] = [];
  const script: Script = (call) => outcomes[calls.push(call) - 1];
  return { calls, script };
}

function asks(...calls: readonly (readonly [name: string, input: object])[]): Outcome {
  const toolCalls = calls.map(([name, input]) => ({ name, arguments: JSON.stringify(input) }));
  return { kind: 'answer', text: 'Let me see.', toolCalls, delayMs: 10 };
}

// No two calls begin in the same millisecond, so their order is that of the ledger.
const finishes: Outcome = { kind: 'answer', text: 'It is 7 degrees.', delayMs: 10 };
const asksWeather = asks(['weather', { city: 'Oslo' }]);

const executed: string[] = [];
const weather = tool({
  name: 'weather',
  input: z.object({ city: z.string().refine((city) => city !== 'Nowhere', 'no such city') }),
  execute: ({ city }) => {
    executed.push(city);
    if (city === 'Atlantis') throw new ToolError('It has sunk.');
    return { city, celsius: 7 };
  },
});
const broken = tool<object>({
  name: 'broken',
  input: { type: 'object' },
  execute: () => {
    throw new Error('password hunter2 was refused');
  },
});
const clock = tool<object>({ name: 'clock', input: { type: 'object' }, execute: () => 'noon' });
const request: AgentRunRequest = {
  model: 'sim-echo',
  maxTokens: 500,
  messages: [{ role: 'user', content: 'Do I need a coat in Oslo?' }],
  tools: [weather, broken, clock],
};

type Options = Parameters<Awaited<ReturnType<Stack['client']>>['runAgent']>[1];

async function run(stack: Stack, more: Partial<AgentRunRequest> = {}, options: Options = {}) {
  const client = await stack.client('search');
  return stack.clock.run(client.runAgent({ ...request, ...more }, options).then((it) => it));
}

async function failingRun(stack: Stack, options: Options = {}): Promise<LlmError> {
  const error: unknown = await run(stack, {}, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!LlmError.is(error)) throw new Error('the run did not fail', { cause: error });
  await stack.clock.advance(10);
  return error;
}

/** Checks that exactly these calls are billed and booked. Returns their total cost. */
async function expectCalls(stack: Stack, calls: readonly ExpectedCall[]) {
  expect(stack.simulator.bill().total.calls).toBe(calls.filter(isBilled).length);
  const picoUsd = calls.reduce((sum, { costUsd }) => sum + picoUsdOf(costUsd), 0n);
  const billedUsd = usdOf(picoUsd);
  await expectBooks(stack, 'search', { calls, billedUsd });
  return billedUsd;
}

const isBilled = ({ costUsd }: ExpectedCall) => costUsd !== '0';

function picoUsdOf(usd: string): bigint {
  const [whole = '', part = ''] = usd.split('.');
  return BigInt(whole + part.padEnd(12, '0'));
}

function usdOf(picoUsd: bigint): string {
  const digits = String(picoUsd).padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '');
}

function costsOf(steps: readonly AgentStep[]): readonly ExpectedCall[] {
  return steps.map(({ answer }) => paid(answer.cost.usd ?? ''));
}

function lastResults({ request: { messages } }: ModelCall): readonly string[] {
  return messages.filter(({ role }) => role === 'tool').flatMap(({ texts }) => texts);
}

const threeTools = modelOf(
  asks(['weather', { city: 'Oslo' }], ['broken', {}], ['clock', {}]),
  asks(['weather', { city: 'Atlantis' }], ['weather', { city: 'Nowhere' }]),
  finishes,
);
test(
  'a tool that throws and a tool that rejects its input: the model gets the errors',
  onStack(
    async (stack) => {
      const steps: AgentStep[] = [];
      const onStep = (step: AgentStep) => void steps.push(step);
      const result = await run(stack, {}, { onStep });
      expect(result).toMatchObject({ text: 'It is 7 degrees.', turns: 3, stopReason: 'done' });
      const told = ['{"city":"Oslo","celsius":7}', 'The tool failed.', 'noon'];
      const refused = 'The input does not fit the tool.\ncity: no such city';
      expect(lastResults(threeTools.calls[1] ?? expect.fail())).toEqual(told);
      expect(lastResults(threeTools.calls[2] ?? expect.fail())).toEqual([
        ...told,
        'It has sunk.',
        refused,
      ]);
      expect(threeTools.calls.map(({ bodyText }) => bodyText).join()).not.toContain('hunter2');
      expect(result.costUsd).toBe(await expectCalls(stack, costsOf(steps)));
    },
    { script: threeTools.script },
  ),
);

test(
  'input that does not match the schema is bad output: it is paid, and the run resumes',
  onStack(
    async (stack) => {
      const error = await failingRun(stack);
      expect(error).toMatchObject({ code: 'BAD_OUTPUT', status: 502, run: { turns: 1 } });
      const [first] = await bookedUsd(stack);
      const result = await run(stack, {}, { resume: error.run });
      expect(result).toMatchObject({ turns: 2, stopReason: 'done' });
      const [, bad = '', last = ''] = await bookedUsd(stack);
      const calls = [paid(first ?? ''), paid(bad, 'BAD_OUTPUT'), paid(last)];
      // error.run includes the cost of the bad output.
      expect(result.costUsd).toBe(await expectCalls(stack, calls));
    },
    { script: modelOf(asksWeather, asks(['weather', { town: 'Oslo' }]), finishes).script },
  ),
);

test(
  'maxTurns ends a run that would continue: no other turn is paid',
  onStack(
    async (stack) => {
      const result = await run(stack, { maxTurns: 2 });
      expect(result).toMatchObject({ turns: 2, stopReason: 'max-turns', text: 'Let me see.' });
      const calls = (await bookedUsd(stack)).map((usd) => paid(usd));
      expect(calls).toHaveLength(2);
      expect(result.costUsd).toBe(await expectCalls(stack, calls));
    },
    { script: () => asksWeather },
  ),
);

test(
  'maxCostUsd ends a run before the turn that could exceed it, by the service’s maximum cost',
  onStack(
    async (stack) => {
      const first = await run(stack, { maxTurns: 1 });
      const one = picoUsdOf(first.costUsd ?? '');
      // The first turn fits. The rest of the run budget is too small for the next.
      const error: unknown = await run(stack, { maxCostUsd: usdOf(one) }).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'BUDGET_EXCEEDED', run: { turns: 0 } });
      const { message } = Object(error);
      const most = picoUsdOf(/could cost \$([\d.]+)/.exec(message)?.[1] ?? expect.fail(message));
      const result = await run(stack, { maxCostUsd: usdOf(most) });
      expect(result).toMatchObject({ turns: 1, stopReason: 'max-cost', costUsd: first.costUsd });
      const booked = await bookedUsd(stack);
      expect(booked).toHaveLength(2);
      await expectCalls(
        stack,
        booked.map((usd) => paid(usd)),
      );
    },
    { script: () => asksWeather },
  ),
);

const again = modelOf(asksWeather, finishes);
test(
  'a repeated run with its key is not paid again, with and without a run budget',
  onStack(
    async (stack) => {
      const options = { idempotencyKey: 'coat-7' };
      const first = await run(stack, { maxCostUsd: '0.05' }, options);
      expect(first).toMatchObject({ turns: 2, stopReason: 'done' });
      const second = await run(stack, { maxCostUsd: '0.05' }, options);
      expect(second).toMatchObject({ turns: 2, stopReason: 'done', costUsd: first.costUsd });
      expect(await bookedUsd(stack)).toHaveLength(2);
    },
    { script: again.script },
  ),
);

const aborted = modelOf(asks(['slow', {}], ['clock', {}]), finishes);
test(
  'an abort within a tool ends the run, and a resumed run does not pay the finished turn again',
  onStack(
    async (stack) => {
      const controller = new AbortController();
      const slow = tool<object>({
        name: 'slow',
        input: { type: 'object' },
        execute: () => {
          // The other tool ends first, and its result is kept.
          setImmediate(() => controller.abort('the user has left'));
          return new Promise(() => {});
        },
      });
      const { signal } = controller;
      const error: unknown = await run(stack, { tools: [slow, clock] }, { signal }).catch(
        (thrown: unknown) => thrown,
      );
      if (!LlmError.is(error)) throw new Error('the run did not fail', { cause: error });
      expect(error).toMatchObject({ code: 'ABORTED', status: 0, run: { turns: 1 } });
      const quick = tool<object>({ name: 'slow', input: { type: 'object' }, execute: () => 'ok' });
      const result = await run(stack, { tools: [quick, clock] }, { resume: error.run });
      expect(result).toMatchObject({ turns: 2, stopReason: 'done' });
      expect(lastResults(aborted.calls[1] ?? expect.fail())).toEqual(['noon', 'ok']);
      const booked = await bookedUsd(stack);
      expect(booked).toHaveLength(2);
      const calls = booked.map((usd) => paid(usd));
      expect(result.costUsd).toBe(await expectCalls(stack, calls));
    },
    { script: aborted.script },
  ),
);

test(
  'only the turn that the platform rejected is repeated',
  onStack(
    async (stack) => {
      executed.length = 0;
      const error = await failingRun(stack);
      expect(error).toMatchObject({ code: 'BAD_REQUEST', status: 400, run: { turns: 2 } });
      const result = await run(stack, {}, { resume: error.run });
      expect(result).toMatchObject({ turns: 3, stopReason: 'done' });
      expect(executed).toEqual(['Oslo', 'Oslo']);
      const [one = '', two = '', refused, three = ''] = await bookedUsd(stack);
      expect(refused).toBe('0');
      const free = { code: 'BAD_REQUEST', basis: 'free', costUsd: '0' } as const;
      const calls = [paid(one), paid(two), { ...free, attempts: ['BAD_REQUEST'] }, paid(three)];
      expect(result.costUsd).toBe(await expectCalls(stack, calls));
    },
    { script: modelOf(asksWeather, asksWeather, platformError(400), finishes).script },
  ),
);

test(
  'a turn that timed out is collected, so the run pays each turn once',
  onStack(
    async (stack) => {
      const error = await failingRun(stack);
      expect(error).toMatchObject({ code: 'TIMEOUT', status: 504, run: { turns: 1 } });
      await stack.clock.advance(4_000);
      const result = await run(stack, {}, { resume: error.run });
      expect(result).toMatchObject({ turns: 2, stopReason: 'done', text: 'It is 7 degrees.' });
      const [one = '', late = ''] = await bookedUsd(stack);
      const calls = [paid(one), paid(late, 'TIMEOUT')];
      expect(result.costUsd).toBe(await expectCalls(stack, calls));
    },
    { script: modelOf(asksWeather, { ...finishes, delayMs: 30_000 }).script },
  ),
);

/** The booked cost of each call, in the order of the calls. */
function bookedUsd(stack: Stack): Promise<readonly string[]> {
  return stack.store.read({
    sql: 'select cost from call order by started_at',
    values: [],
    map: (rows) => rows.map(({ cost }) => usdOf(BigInt(String(cost)))),
  });
}
