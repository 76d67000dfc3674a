import { describe, expect, test } from 'vitest';
import { createCpuBudget } from '../../src/json-schema/cpu-budget.ts';
import type { CpuMsOf } from '../../src/json-schema/cpu-limit.ts';
import { inspect } from '../../src/json-schema/inspect.ts';
import { createPool } from '../../src/json-schema/pool.ts';
import { poolLimits } from '../../src/json-schema/pool-limits.ts';
import { createSchemas } from '../../src/json-schema/schemas.ts';
import { createTimedOutSchemas } from '../../src/json-schema/timed-out-schemas.ts';
import { silentLog } from '../../src/lib/log.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';
import { createTestClock } from '../support/test-clock.ts';
import { objectOf, sendInRealTime } from './ask.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 1000, burst: 1000, requestsPerDay: 100000 } }
apps:
  - { name: search, dailyBudgetUsd: "50" }
  - { name: batch, dailyBudgetUsd: "50" }
  - { name: tutor, dailyBudgetUsd: "50" }
`;

/** A schema for a thread, like all with more than 64 schemas in them. */
function large(title: string) {
  const names = Array.from({ length: 70 }, (_, index) => [`p${index}`, { type: 'string' }]);
  return { type: 'object', title, properties: Object.fromEntries(names) };
}

/** Threads that report this much more CPU time at each request. */
function counting(cpuMs: number): CpuMsOf {
  const asked = new WeakMap<object, number>();
  return (worker) => {
    const times = (asked.get(worker) ?? 0) + 1;
    asked.set(worker, times);
    return Promise.resolve(cpuMs * times);
  };
}

/** Lets a little time pass until it is done: many concurrent calls are committed together. */
async function ticking<T>(stack: Stack, work: Promise<T>): Promise<T> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  while (!isDone) await stack.clock.advance(1);
  return work;
}

const tooMany = { status: 429, text: '{"message":"Too Many Requests"}' };

test(
  'apps with costly schemas use up their own time, and another one has all its calls',
  onStack(
    async (stack) => {
      const ask = (app: string, schema: object) =>
        ticking(stack, sendInRealTime(stack, '/v1/objects', objectOf('sim-echo', { schema }), app));
      for (const app of ['search', 'batch', 'tutor']) await stack.key(app);
      const statuses = { search: new Map<number, number>(), batch: new Map<number, number>() };
      const hostile = Array.from({ length: 25 }, (_, index) =>
        (['search', 'batch'] as const).map(async (app) => {
          const answer = await ask(app, large(`${app} ${index}`));
          statuses[app].set(answer.status, (statuses[app].get(answer.status) ?? 0) + 1);
          if (answer.status !== 429) return;
          expect(answer).toMatchObject(tooMany);
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        }),
      );
      const victim: number[] = [];
      for (let call = 0; call < 4; call++) {
        victim.push((await ask('tutor', objectOf('sim-echo').schema)).status);
        victim.push((await ask('tutor', large('of the tutor'))).status);
      }
      await Promise.all(hostile.flat());
      expect(victim).toEqual(victim.map(() => 200));
      // 10 s each: one for each schema, and two for each answer.
      for (const app of ['search', 'batch'] as const) {
        const served = statuses[app].get(200) ?? 0;
        expect(served).toBeGreaterThanOrEqual(1);
        expect(served).toBeLessThanOrEqual(12);
        expect([...statuses[app].keys()].sort()).toEqual([200, 429]);
      }
      // Schemas that are checked in the process itself cost none of it.
      expect((await ask('search', objectOf('sim-echo').schema)).status).toBe(200);
      expect(await ask('search', large('one more'))).toMatchObject(tooMany);
      await stack.clock.advance(60_000);
      expect((await ask('search', large('a minute later'))).status).toBe(200);
    },
    // The time of a compilation or a check is requested at its start and its end.
    { yaml, cpuMsOf: counting(1_000) },
  ),
);

test('an app does not see the queue of another app with the same schema', async () => {
  const clock = createTestClock();
  const schemas = createSchemas({ log: silentLog, clock, cpuMsOf: counting(4_000) });
  for (let index = 0; index < 5; index++) await schemas.compile('search', large(`${index}`));
  const shared = large('shared');
  const [one, other] = await Promise.all([
    schemas.compile('search', shared),
    schemas.compile('tutor', shared),
  ]);
  expect([one.kind, other.kind]).toEqual(['crowded', 'compiled']);
  schemas.close();
});

test('a schema that takes too long is tried once in ten minutes', async () => {
  const clock = createTestClock();
  let asked = 0;
  // A thread that reports one more minute of work at every check.
  const cpuMsOf = () => Promise.resolve(60_000 * asked++);
  const limits = { compileMs: 1 };
  const schemas = createSchemas({ log: silentLog, clock, cpuMsOf, limits });
  const slow = {
    type: 'object',
    oneOf: Array.from({ length: 3_000 }, (_, index) => ({ required: [`p${index}`] })),
  };
  const first = await schemas.compile('search', slow);
  expect(first).toMatchObject({ kind: 'problem', text: 'takes too long to compile; simplify it' });
  expect(asked).toBeGreaterThan(0);
  const before = asked;
  for (const app of ['search', 'tutor']) expect(await schemas.compile(app, slow)).toEqual(first);
  expect(asked).toBe(before);
  await clock.advance(600_000);
  expect(await schemas.compile('tutor', slow)).toEqual(first);
  expect(asked).toBeGreaterThan(before);
  schemas.close();
});

describe('the processor time of an app', () => {
  test('is 10 s, is restored each minute, and is each app’s own', async () => {
    const clock = createTestClock();
    const budget = createCpuBudget({ clock });
    budget.spend('search', 9_999);
    expect(budget.waitMs('search')).toBe(0);
    budget.spend('search', 5_001);
    expect([budget.waitMs('search'), budget.waitMs('tutor')]).toEqual([30_000, 0]);
    await clock.advance(29_999);
    expect(budget.waitMs('search')).toBe(1);
    await clock.advance(30_001);
    budget.spend('search', 4_000);
    expect(budget.waitMs('search')).toBe(0);
    budget.spend('search', 1_000_000);
    expect(budget.waitMs('search')).toBe(60_000);
  });

  test('is used up by a job whose thread cannot report its CPU time', async () => {
    const spent: number[] = [];
    const budget = { waitMs: () => 0, spend: (_app: string, cpuMs: number) => spent.push(cpuMs) };
    const cpuMsOf = () => Promise.reject(new Error('it is gone'));
    const pool = createPool({ log: silentLog, limits: poolLimits, budget, cpuMsOf });
    const schema = { text: '{"type":"object"}', dialect: 'draft-07' } as const;
    await pool.run('search', { schema, value: undefined });
    await pool.run('search', { schema, value: '{}' });
    await pool.run('search', { schema, value: undefined });
    expect(spent).toEqual([poolLimits.compileMs, poolLimits.compileMs + poolLimits.checkMs]);
    pool.close();
  });
});

test('verdicts are cached for ten minutes, ten thousand of them', async () => {
  const clock = createTestClock();
  const timedOut = createTimedOutSchemas({ clock });
  for (let index = 0; index <= 10_000; index++) timedOut.add(String(index));
  expect([timedOut.has('0'), timedOut.has('1'), timedOut.has('10000')]).toEqual([
    false,
    true,
    true,
  ]);
  await clock.advance(599_999);
  expect(timedOut.has('1')).toBe(true);
  await clock.advance(1);
  expect(timedOut.has('1')).toBe(false);
});

describe('a schema that is an endless reference to itself', () => {
  const endlessAt = (schema: object) => {
    const inspection = inspect({ type: 'object', ...schema });
    return inspection.kind === 'sound' ? inspection.endlessAt : inspection;
  };
  const ref = (name: string) => ({ $ref: `#/definitions/${name}` });
  const circle = { a: ref('b'), b: ref('a') };
  const chain = Object.fromEntries(
    Array.from({ length: 4_000 }, (_, index) => [`d${index}`, ref(`d${index + 1}`)] as const),
  );

  test.each([
    ['in a circle', { allOf: [ref('a')], definitions: circle }, 'definitions.a'],
    ['to the root', { anyOf: [{ type: 'null' }, { $ref: '#' }] }, ''],
    ['below a property', { properties: { x: ref('a') }, definitions: circle }, 'definitions.a'],
    ['in a long circle', { ...ref('d0'), definitions: { ...chain, d4000: ref('d0') } }, /^defin/],
    ['through conditions', { if: {}, else: ref('c'), definitions: { c: { not: ref('c') } } }, /c$/],
  ] as const)('%s', (_, schema, at) => {
    expect(endlessAt(schema)).toEqual(typeof at === 'string' ? at : expect.stringMatching(at));
  });

  test.each([
    ['a step into the value', { properties: { x: { $ref: '#' } }, items: { $ref: '#' } }],
    ['what nothing leads to', { definitions: circle }],
    ['a long chain', { ...ref('d0'), definitions: { ...chain, d4000: {} } }],
    ['two ways to one', { allOf: [ref('x'), ref('x')], definitions: { x: ref('y'), y: {} } }],
  ])('is not %s', (_, schema) => {
    expect(endlessAt(schema)).toBeUndefined();
  });

  test(
    'is INVALID, and needs no thread',
    onStack(
      async (stack) => {
        const schema = { type: 'object', allOf: [ref('a')], definitions: circle };
        const request = objectOf('sim-echo', { schema });
        const answer = await sendInRealTime(stack, '/v1/objects', request);
        expect(answer.status).toBe(400);
        expect(answer.text).toContain('schema.definitions.a is an endless reference to itself');
      },
      {
        cpuMsOf() {
          throw new Error('a thread was asked');
        },
      },
    ),
  );
});
