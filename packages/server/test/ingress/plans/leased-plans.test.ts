import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLeasedPlans } from '../../../src/ingress/limits/rate/leased-plans.ts';
import { appRateOf, type PlanVerdict } from '../../../src/ingress/limits/rate/plan-limiter.ts';
import { sleep } from '../../../src/lib/clock.ts';
import { type Log, silentLog } from '../../../src/lib/log.ts';
import { StoreError } from '../../../src/store/port/port.ts';
import { createPlanTable } from '../../support/plan-table.ts';
import { createTestClock } from '../../support/test-clock.ts';

const plan = { ratePerSecond: 50, burst: 100, requestsPerDay: 10_000 };

/** Replicas on one table, in virtual time. A request takes `tripMs` each way. */
function openReplicas(count: number, tripMs = 2, log: Log = silentLog) {
  const clock = createTestClock();
  const table = createPlanTable();
  let isAway = false;
  const replicas = Array.from({ length: count }, () =>
    createLeasedPlans({
      clock,
      log,
      time: () => undefined,
      async acquire(requests) {
        await sleep(clock, tripMs);
        if (isAway) throw new StoreError('the database is away');
        const grants = table.acquire(requests, clock.now());
        await sleep(clock, tripMs);
        return grants;
      },
    }),
  );
  const allowedAtMs: number[] = [];
  let waits = 0;
  return {
    ...{ clock, table, replicas, allowedAtMs, ask },
    waits: () => waits,
    setAway(to: boolean) {
      isAway = to;
    },
  };

  /** One request on one replica. It counts at the time at which it is allowed. */
  async function ask(replica: number, of = plan, keyId = 'key'): Promise<PlanVerdict> {
    const verdict = replicas[replica % count]?.take(keyId, of) ?? { kind: 'limit-exceeded' };
    const askedAtMs = clock.monotonic();
    if (!(verdict instanceof Promise)) {
      if (verdict.kind === 'allowed') allowedAtMs.push(askedAtMs);
      return verdict;
    }
    waits += 1;
    const told = await verdict;
    // The store allowed it when it received the request, half a round trip earlier.
    if (told.kind === 'allowed') allowedAtMs.push(clock.monotonic() - tripMs);
    return told;
  }
}

/** The largest excess over the rate limit in any window; at most 0 is correct. */
function excess(atMs: readonly number[], of: typeof plan): number {
  let most = Number.NEGATIVE_INFINITY;
  // The bucket as a level: below zero there were more requests than it ever allowed.
  let level = of.burst;
  let lastMs = 0;
  for (const at of atMs.toSorted((a, b) => a - b)) {
    level = Math.min(of.burst, level + ((at - lastMs) / 1_000) * of.ratePerSecond) - 1;
    lastMs = at;
    most = Math.max(most, -level);
  }
  return most;
}

describe('two replicas', () => {
  test('use a rate limit fully and never exceed it, on any replica', async () => {
    const opened = openReplicas(2);
    const { clock, ask, allowedAtMs } = opened;
    let asked = 0;
    // 200 requests a second, one after the other on each replica in turn.
    for (; clock.monotonic() < 20_000; asked++) {
      void ask(asked);
      await clock.advance(5);
    }
    await clock.advance(100);
    const mayBe = plan.burst + (plan.ratePerSecond * clock.monotonic()) / 1_000;
    expect(excess(allowedAtMs, plan)).toBeLessThan(0.001);
    expect(allowedAtMs.length / mayBe).toBeGreaterThan(0.98);
  });

  test('have the whole burst at once, and the day to its last request', async () => {
    const opened = openReplicas(2);
    const of = { ratePerSecond: 1_000, burst: 1_000, requestsPerDay: 777 };
    const verdicts = Array.from({ length: 1_000 }, (_, index) => opened.ask(index, of));
    const kinds = (await opened.clock.run(Promise.all(verdicts))).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'allowed')).toHaveLength(777);
    expect(kinds.filter((kind) => kind === 'limit-exceeded')).toHaveLength(223);
  });

  test('let almost no request wait for the store, and query it seldom', async () => {
    const opened = openReplicas(2);
    const of = { ratePerSecond: 1_000, burst: 2_000, requestsPerDay: 1_000_000 };
    let asked = 0;
    for (; opened.clock.monotonic() < 5_000; asked++) {
      void opened.ask(asked, of);
      await opened.clock.advance(2);
    }
    expect(opened.allowedAtMs.length).toBeGreaterThan(asked - 10);
    expect(opened.waits() / asked).toBeLessThan(0.02);
    expect(opened.table.acquired() / asked).toBeLessThan(0.1);
  });

  test('seldom query the store for a key that uses little of a large rate', async () => {
    const opened = openReplicas(2);
    const of = { ratePerSecond: 100_000, burst: 100_000, requestsPerDay: 1_000_000 };
    let asked = 0;
    for (; opened.clock.monotonic() < 5_000; asked++) {
      void opened.ask(asked, of);
      await opened.clock.advance(4);
    }
    expect(opened.allowedAtMs.length).toBeGreaterThan(asked - 10);
    expect(opened.waits() / asked).toBeLessThan(0.02);
    expect(opened.table.acquired() / asked).toBeLessThan(0.1);
    expect(excess(opened.allowedAtMs, of)).toBeLessThan(0.001);
  });
});

test('unused leases are lost when the bucket is full again without them', async () => {
  const opened = openReplicas(2);
  const { clock, ask, allowedAtMs } = opened;
  for (let request = 0; request < 20; request++) {
    void ask(0);
    await clock.advance(10);
  }
  // Long enough for the bucket, and too short for the replica to return anything.
  await clock.advance(900);
  const burst = Array.from({ length: 130 }, (_, index) => ask(index < 100 ? 1 : 0));
  await clock.run(Promise.all(burst));
  expect(excess(allowedAtMs, plan)).toBeLessThan(0.001);
  expect(allowedAtMs.length).toBeGreaterThanOrEqual(120);
});

describe('a rejected key', () => {
  test('gets the time for a retry, and costs the store nothing until then', async () => {
    const opened = openReplicas(1);
    const of = { ratePerSecond: 0.5, burst: 2, requestsPerDay: 10 };
    const asked = await opened.clock.run(Promise.all([1, 2, 3].map(() => opened.ask(0, of))));
    expect(asked.map(({ kind }) => kind)).toEqual(['allowed', 'allowed', 'too-many']);
    const acquired = opened.table.acquired();
    for (let request = 0; request < 100; request++) {
      const verdict = await opened.ask(0, of);
      expect(verdict.kind === 'too-many' && Math.ceil(verdict.waitMs / 1_000)).toBe(2);
    }
    expect(opened.table.acquired()).toBe(acquired);
    await opened.clock.advance(2_000);
    expect(await opened.clock.run(opened.ask(0, of))).toEqual({ kind: 'allowed' });
  });

  test('for its quota has used nearly all, though another replica keeps some', async () => {
    const opened = openReplicas(2);
    const of = { ratePerSecond: 1_000, burst: 2_000, requestsPerDay: 1_000 };
    for (let request = 0; request < 20; request++) {
      void opened.ask(0, of);
      await opened.clock.advance(10);
    }
    const rest = Array.from({ length: 1_000 }, () => opened.ask(1, of));
    const kinds = (await opened.clock.run(Promise.all(rest))).map(({ kind }) => kind);
    expect(kinds).toContain('limit-exceeded');
    expect(opened.allowedAtMs.length).toBeGreaterThanOrEqual(990);
    // The first replica keeps its rest for its own callers all day.
    await opened.clock.advance(60_000);
    const late = Array.from({ length: 20 }, () => opened.ask(0, of));
    await opened.clock.run(Promise.all(late));
    expect(opened.allowedAtMs.length).toBe(1_000);
  });
});

test('a changed rate limit applies to the next request, on every replica', async () => {
  const opened = openReplicas(2);
  const { clock, ask } = opened;
  const small = { ...plan, requestsPerDay: 3 };
  for (const replica of [0, 1]) {
    expect((await clock.run(ask(replica))).kind).toBe('allowed');
    await clock.advance(10);
    expect((await clock.run(ask(replica))).kind).toBe('allowed');
  }
  expect((await clock.run(ask(0, small))).kind).toBe('limit-exceeded');
  expect((await clock.run(ask(1, { ...plan, requestsPerDay: 5 }))).kind).toBe('allowed');
});

test('a replica that stops returns its unused quota', async () => {
  const opened = openReplicas(2);
  const { clock, ask, replicas } = opened;
  const of = { ...plan, requestsPerDay: 40 };
  for (let request = 0; request < 12; request++) {
    void ask(0, of);
    await clock.advance(10);
  }
  await clock.run(replicas[0]?.stop() ?? Promise.resolve());
  const rest = await clock.run(Promise.all(Array.from({ length: 29 }, () => ask(1, of))));
  expect(rest.map(({ kind }) => kind)).toEqual([...Array(28).fill('allowed'), 'limit-exceeded']);
});

test('a replica that stops during its use returns all that it leased in advance', async () => {
  const opened = openReplicas(2);
  const { clock, ask, replicas, allowedAtMs } = opened;
  const of = { ratePerSecond: 1_000, burst: 2_000, requestsPerDay: 1_000 };
  for (let request = 0; request < 12; request++) {
    void ask(0, of);
    await clock.advance(10);
  }
  await clock.run(replicas[0]?.stop() ?? Promise.resolve());
  await clock.run(Promise.all(Array.from({ length: 1_200 }, () => ask(1, of))));
  expect(allowedAtMs).toHaveLength(of.requestsPerDay);
});

test('during an outage of the store, leased requests pass, and no others', async () => {
  const opened = openReplicas(1);
  const { clock, ask } = opened;
  for (let request = 0; request < 20; request++) {
    void ask(0);
    await clock.advance(10);
  }
  opened.setAway(true);
  const verdicts = await clock.run(Promise.all(Array.from({ length: 50 }, () => ask(0))));
  const kinds = new Set(verdicts.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['allowed', 'unavailable']);
  opened.setAway(false);
  expect((await clock.run(ask(0))).kind).toBe('allowed');
});

test('720 rejections during an outage of the store are one line a minute', async () => {
  const lines: [object, string][] = [];
  const warn: Log['warn'] = (fields, text) => void lines.push([fields, text]);
  const { clock, ask, setAway } = openReplicas(1, 2, { ...silentLog, warn });
  setAway(true);
  for (let refusal = 0; refusal < 720; refusal++) await clock.run(ask(0));
  const message = 'rate limits could not be read from the store';
  const fields = { error: 'StoreError: the database is away', keys: 1 };
  expect(lines).toEqual([[fields, message]]);
  await clock.advance(60_000);
  await clock.run(ask(0));
  expect(lines.slice(1)).toEqual([[{ ...fields, repeated: 719 }, message]]);
});

const script = fc.array(
  fc.record({
    passMs: fc.constantFrom(0, 0, 0, 1, 7, 20, 60, 300, 1_500),
    replica: fc.nat(2),
    count: fc.constantFrom(1, 1, 2, 5, 40),
  }),
  { minLength: 1, maxLength: 60 },
);
const plans = fc.record({
  ratePerSecond: fc.constantFrom(0.5, 3, 10, 50, 700),
  burst: fc.constantFrom(1, 2, 10, 100),
  requestsPerDay: fc.constantFrom(5, 60, 100_000),
});

test('three replicas never exceed the rate limit, for any requests at any times', async () => {
  await fc.assert(
    fc.asyncProperty(script, plans, fc.constantFrom(0, 1, 15), async (steps, of, tripMs) => {
      const { clock, ask, allowedAtMs } = openReplicas(3, tripMs);
      for (const { passMs, replica, count } of steps) {
        if (passMs > 0) await clock.advance(passMs);
        for (let request = 0; request < count; request++) void ask(replica, of);
      }
      await clock.advance(100);
      expect(excess(allowedAtMs, of)).toBeLessThan(0.001);
      expect(allowedAtMs.length).toBeLessThanOrEqual(of.requestsPerDay);
      // The first request is always allowed: the bucket is full then.
      expect(allowedAtMs.length).toBeGreaterThan(0);
    }),
    { numRuns: 40 },
  );
});

const rates = fc.constantFrom(0.5, 1, 3, 10, 40);
const keySteps = fc.array(
  fc.record({
    passMs: fc.constantFrom(0, 0, 0, 1, 20, 300, 1_500),
    replica: fc.nat(1),
    key: fc.constantFrom('one', 'two', 'three'),
    count: fc.constantFrom(1, 1, 2, 5, 30),
  }),
  { minLength: 1, maxLength: 40 },
);

test('neither the rate limits of keys nor the rate of their app are exceeded', async () => {
  await fc.assert(
    fc.asyncProperty(
      keySteps,
      plans,
      rates,
      fc.constantFrom(0, 1, 15),
      async (steps, of, rate, tripMs) => {
        const opened = openReplicas(2, tripMs);
        const { clock } = opened;
        const app = appRateOf('search', rate);
        const allowedOf = new Map<string, number[]>();
        for (const { passMs, replica, key, count } of steps) {
          if (passMs > 0) await clock.advance(passMs);
          for (let request = 0; request < count; request++) {
            const verdict = opened.replicas[replica]?.take(key, of, app);
            // A request that waits counts from its start.
            const atMs = clock.monotonic();
            const note = (told: PlanVerdict | undefined) => {
              if (told?.kind === 'allowed')
                allowedOf.set(key, [...(allowedOf.get(key) ?? []), atMs]);
            };
            if (verdict instanceof Promise) void verdict.then(note);
            else note(verdict);
          }
        }
        await clock.advance(200);
        const all = [...allowedOf.values()];
        for (const times of all) expect(times.length).toBeLessThanOrEqual(of.requestsPerDay);
        // With no time for the store, times are exact.
        if (tripMs > 0) return;
        for (const times of all) expect(excess(times, of)).toBeLessThan(0.001);
        expect(excess(all.flat(), app.plan)).toBeLessThan(0.001);
        expect(all.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 60 },
  );
});

test('a rejection by the app’s rate leaves the rate limit of the key unchanged', async () => {
  const { clock, replicas } = openReplicas(2);
  const of = { ratePerSecond: 50, burst: 10, requestsPerDay: 10 };
  const app = appRateOf('search', 1);
  const first = await clock.run(Promise.resolve(replicas[0]?.take('one', of, app)));
  expect(first).toEqual({ kind: 'allowed' });
  for (let request = 0; request < 40; request++) {
    const verdict = await clock.run(Promise.resolve(replicas[request % 2]?.take('two', of, app)));
    expect(verdict).toMatchObject({ kind: 'too-many', isOfApp: true });
  }
  const rest = Array.from({ length: 10 }, () => replicas[1]?.take('two', of));
  expect(await clock.run(Promise.all(rest))).toEqual(Array(10).fill({ kind: 'allowed' }));
});

test('a rejection by the key’s rate limit returns the request to the rate of its app', async () => {
  const { clock, replicas } = openReplicas(1, 0);
  const of = { ratePerSecond: 1, burst: 2, requestsPerDay: 100 };
  const app = appRateOf('search', 5);
  const take = async (key: string) =>
    (await clock.run(Promise.resolve(replicas[0]?.take(key, of, app))))?.kind;
  const taken: unknown[] = [];
  for (const key of ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'c']) taken.push(await take(key));
  const allowed = ['allowed', 'allowed'];
  expect(taken).toEqual([
    ...allowed,
    'too-many',
    'too-many',
    ...allowed,
    'too-many',
    'allowed',
    'too-many',
  ]);
});
