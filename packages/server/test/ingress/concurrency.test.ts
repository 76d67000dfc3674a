import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Permit } from '../../src/calls/model/permit.ts';
import { createOwnCounts } from '../../src/compose/parts/process-counts.ts';
import {
  createConcurrencyLimiter,
  type RequestPermit,
} from '../../src/ingress/limits/concurrency.ts';
import { createTestClock } from '../support/test-clock.ts';

const limits = { inFlight: 10, bodyBytesInFlight: 1_000 };

/** A limiter whose detached calls are forwarded permits. The oldest counts as the smallest. */
function openGate(of = limits, appCount = 0) {
  const drains: Permit[] = [];
  let elapsedMs = 0;
  const concurrency = createConcurrencyLimiter({
    limits: of,
    clock: { ...createTestClock(), monotonic: () => elapsedMs },
    detachedCalls: {
      count: () => drains.length,
      cutSmallest() {
        const first = drains.shift();
        first?.release();
        return first !== undefined;
      },
    },
    registry: { enabledApps: () => appCount },
    counts: createOwnCounts(),
  });
  return {
    concurrency,
    drains,
    enter(app: string, bodyBytes = 0): RequestPermit | undefined {
      return concurrency.isFull(app, bodyBytes) ? undefined : concurrency.acquire(app, bodyBytes);
    },
    enterMany(app: string, count: number): number {
      return Array.from({ length: count }, () => this.enter(app)).filter(Boolean).length;
    },
    pass(ms: number) {
      elapsedMs += ms;
    },
  };
}

describe('permits', () => {
  test('are granted until they are used up, and again when they are released', () => {
    const opened = openGate();
    const first = opened.enter('search');
    expect(opened.enterMany('search', 20)).toBe(9);
    first?.release();
    first?.release();
    expect(opened.concurrency.load().requests).toBe(9);
    expect(opened.enterMany('search', 20)).toBe(1);
  });

  test('go to one app while no other requests any, and to 60 % of them otherwise', () => {
    const opened = openGate();
    expect(opened.enterMany('search', 20)).toBe(10);
    expect(opened.enterMany('tutor', 1)).toBe(0);
    const other = openGate();
    expect(other.enterMany('tutor', 1)).toBe(1);
    expect(other.enterMany('search', 20)).toBe(6);
    expect(other.enterMany('tutor', 20)).toBe(3);
  });

  test('that become free go to the rejected app, until it sends no request for 1 s', () => {
    const opened = openGate();
    const places = Array.from({ length: 10 }, () => opened.enter('search'));
    expect(opened.enterMany('tutor', 1)).toBe(0);
    for (const place of places.slice(0, 3)) place?.release();
    expect(opened.enterMany('search', 5)).toBe(0);
    opened.pass(1_000);
    expect(opened.enterMany('search', 5)).toBe(0);
    opened.pass(1);
    expect(opened.enterMany('search', 5)).toBe(3);
  });

  test('are reserved for apps without any: one each, at most a tenth in total', () => {
    const few = openGate({ ...limits, inFlight: 100 }, 4);
    expect(few.enterMany('search', 200)).toBe(97);
    expect(few.enterMany('tutor', 1)).toBe(1);
    expect(few.enterMany('tutor', 1)).toBe(0);
    expect(few.enterMany('batch', 1)).toBe(1);
    expect(few.enterMany('tutor', 1)).toBe(0);
    expect(openGate({ ...limits, inFlight: 100 }, 500).enterMany('search', 200)).toBe(90);
  });

  test('stay free for apps below their equal part while others have more than that', () => {
    const opened = openGate({ ...limits, inFlight: 100 });
    for (const app of ['one', 'two', 'third']) expect(opened.enterMany(app, 1)).toBe(1);
    for (let turn = 0; turn < 100; turn++) {
      opened.enterMany('one', 1);
      opened.enterMany('two', 1);
    }
    // Each of the two has at most three times the permits that were free before its last.
    expect([...opened.concurrency.loads()].map(([, { requests }]) => requests)).toEqual([
      43, 42, 1,
    ]);
    expect(opened.enterMany('third', 100)).toBe(14);
  });

  test('are shared by apps that had some within 10 s', () => {
    const opened = openGate({ ...limits, inFlight: 100 });
    opened.enter('third')?.release();
    opened.pass(10_000);
    opened.enterMany('one', 1);
    opened.enterMany('two', 50);
    expect(opened.enterMany('one', 100)).toBe(37);
    opened.pass(1);
    expect(opened.enterMany('one', 100)).toBe(12);
  });

  test('are at least one for an app, however few there are', () => {
    const opened = openGate({ ...limits, inFlight: 2 });
    expect(opened.enterMany('tutor', 1)).toBe(1);
    expect(opened.enterMany('search', 5)).toBe(1);
  });
});

describe('bodies', () => {
  test('are limited in total by their bytes', () => {
    const opened = openGate();
    const first = opened.enter('search', 600);
    expect(opened.enter('tutor', 401)).toBeUndefined();
    expect(opened.enter('tutor', 400)).toBeDefined();
    first?.release();
    expect(opened.enter('search', 600)).toBeDefined();
  });

  test('count as they arrive', () => {
    const opened = openGate();
    const place = opened.enter('search');
    expect([place?.hasRoom(400), place?.hasRoom(900)]).toEqual([true, true]);
    expect(opened.enter('tutor', 101)).toBeUndefined();
    expect(place?.hasRoom(1_001)).toBe(false);
    expect(opened.concurrency.load().bodyBytes).toBe(900);
    place?.release();
    expect(opened.concurrency.load()).toEqual({ requests: 0, bodyBytes: 0 });
  });

  test('of one app leave room for an app without any', () => {
    const many = { inFlight: 1_000, bodyBytesInFlight: 1_000 };
    const alone = openGate(many, 2);
    const enter = (app: string) => alone.enter(app, 10);
    expect(Array.from({ length: 200 }, () => enter('search')).filter(Boolean)).toHaveLength(90);
    const first = enter('tutor');
    expect(first?.hasRoom(100)).toBe(true);
    expect([first?.hasRoom(101), enter('tutor')]).toEqual([false, undefined]);
  });

  test('of two apps above their equal part leave room for a third', () => {
    const many = { inFlight: 1_000, bodyBytesInFlight: 1_000 };
    const opened = openGate(many);
    for (const app of ['one', 'two', 'third']) opened.enter(app, 10);
    for (let turn = 0; turn < 100; turn++) for (const app of ['one', 'two']) opened.enter(app, 10);
    expect(opened.concurrency.loads().get('one')?.bodyBytes).toBe(430);
    expect(opened.concurrency.loads().get('two')?.bodyBytes).toBe(420);
    expect(opened.enter('third', 140)).toBeDefined();
  });

  test('are not shared out if an app has only one', () => {
    const opened = openGate(limits, 5);
    opened.enter('tutor', 100);
    const only = opened.enter('search', 100);
    expect([only?.hasRoom(900), only?.hasRoom(901)]).toEqual([true, false]);
  });
});

test('an app’s many calls cancel its own detached calls before those of others', () => {
  const drains: { app: string; permit: Permit }[] = [];
  const concurrency = createConcurrencyLimiter({
    ...{ limits, clock: createTestClock(), counts: createOwnCounts() },
    registry: { enabledApps: () => 0 },
    detachedCalls: {
      count: () => drains.length,
      cutSmallest(app) {
        const at = drains.findIndex((drain) => app === undefined || drain.app === app);
        const [cut] = at < 0 ? [] : drains.splice(at, 1);
        cut?.permit.release();
        return cut !== undefined;
      },
    },
  });
  const apps = ['tutor', 'search', 'search', ...Array<string>(7).fill('tutor')];
  for (const app of apps) {
    const permit = concurrency.acquire(app, 0)?.transfer();
    if (permit !== undefined) drains.push({ app, permit });
  }
  const left = () => drains.filter(({ app }) => app === 'search').length;
  expect([concurrency.acquire('search', 0), left()]).toEqual([expect.anything(), 1]);
  expect([concurrency.acquire('search', 0), left()]).toEqual([expect.anything(), 0]);
  expect([concurrency.acquire('search', 0), drains.length]).toEqual([expect.anything(), 7]);
});

test('a detached call keeps its permit until it is canceled for a needed one', () => {
  const opened = openGate();
  const places = Array.from({ length: 10 }, () => opened.enter('search', 10));
  const drain = places[0]?.transfer();
  if (drain !== undefined) opened.drains.push(drain);
  places[0]?.release();
  expect(opened.concurrency.load()).toEqual({ requests: 10, bodyBytes: 100 });
  expect(opened.concurrency.isFull('tutor', 0)).toBe(false);
  // The check cancels nothing.
  expect(opened.drains).toHaveLength(1);
  expect(opened.enter('tutor')).toBeDefined();
  expect(opened.drains).toHaveLength(0);
  expect(opened.enter('tutor')).toBeUndefined();
  expect(opened.concurrency.load()).toEqual({ requests: 10, bodyBytes: 90 });
});

/** An event of the limiter. */
const steps = fc.oneof(
  fc.record({
    kind: fc.constant('enter' as const),
    app: fc.constantFrom('a', 'b', 'c'),
    bytes: fc.constantFrom(0, 1, 300, 1_000),
  }),
  fc.record({
    kind: fc.constantFrom('leave' as const, 'drain' as const, 'end' as const),
    at: fc.nat(20),
  }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 500, 1_001, 10_001) }),
);

/** One more than the apps that send calls, so a permit stays reserved. */
const appCount = 4;

interface Inside {
  readonly id: number;
  readonly app: string;
  readonly bytes: number;
  isDrain: boolean;
}

/** The rules without counters: from the list of running calls, and of all requests. */
function createOracle() {
  const inside: Inside[] = [];
  const lastWanted = new Map<string, number>();
  const lastInside = new Map<string, number>();
  const lastLacked = new Map<string, number>();
  return { inside, lastWanted, lastInside, mayEnter };

  function mayEnter(app: string, bytes: number, nowMs: number): boolean {
    const own = inside.filter((one) => one.app === app);
    const free = limits.inFlight - inside.filter(({ isDrain }) => !isDrain).length;
    const freeBytes = limits.bodyBytesInFlight - sumOf(inside);
    const present = new Set(inside.map((one) => one.app));
    const wanting = new Set([...present, ...within(lastWanted, 1_000)]);
    const sharing = new Set([app, ...wanting, ...within(lastInside, 10_000)]);
    const kept = present.size < appCount ? 1 : 0;
    const isContested = [...wanting].some((other) => other !== app);
    if (own.length >= 6 && isContested) return false;
    return (
      isFair({ total: 10, has: own.length, more: 1, left: free, spare: kept }) &&
      (bytes === 0 ||
        isFair({ total: 1_000, has: sumOf(own), more: bytes, left: freeBytes, spare: kept * 100 }))
    );

    function within(at: ReadonlyMap<string, number>, ms: number): readonly string[] {
      return [...at].filter(([, atMs]) => nowMs - atMs <= ms).map(([other]) => other);
    }

    function isFair({ total, has, more, left, spare }: Asked): boolean {
      const isBelow = has + more <= total / sharing.size;
      const isFirst = has === 0;
      const isAlone = sharing.size === 1;
      const isLacked = total === limits.inFlight && others(lastLacked, 10_000);
      const isAbove = !isLacked && (has + more) / 3 <= left;
      const mayHave =
        left - more >= (isFirst ? 0 : spare) && (isFirst || isAlone || isBelow || isAbove);
      if (!mayHave && isBelow && total === limits.inFlight) lastLacked.set(app, nowMs);
      return mayHave;
    }

    function others(at: ReadonlyMap<string, number>, ms: number): boolean {
      return within(at, ms).some((other) => other !== app);
    }
  }
}

interface Asked {
  readonly total: number;
  readonly has: number;
  readonly more: number;
  readonly left: number;
  readonly spare: number;
}

function sumOf(some: readonly Inside[]): number {
  return some.reduce((sum, one) => sum + one.bytes, 0);
}

type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** Runs a limiter and the oracle side by side. */
function createPair() {
  const opened = openGate(limits, appCount);
  const oracle = createOracle();
  const held = new Map<number, Permit>();
  const drainIds: number[] = [];
  let nowMs = 0;
  return { opened, oracle, run };

  function run(step: Step, id: number) {
    if (step.kind === 'pass') {
      nowMs += step.ms;
      opened.pass(step.ms);
    } else if (step.kind === 'enter') {
      enter(step, id);
    } else {
      const isDrain = step.kind === 'end';
      const one = oracle.inside.filter((inside) => inside.isDrain === isDrain)[step.at];
      if (one === undefined) return;
      if (step.kind === 'drain') drain(one);
      else leave(one);
    }
  }

  function enter({ app, bytes }: { app: string; bytes: number }, id: number) {
    const mayEnter = oracle.mayEnter(app, bytes, nowMs);
    const place = opened.enter(app, bytes);
    expect(place !== undefined).toBe(mayEnter);
    oracle.lastWanted.set(app, nowMs);
    if (place === undefined) return;
    if (oracle.inside.length === limits.inFlight) {
      const cut = drainIds.shift();
      forget(oracle.inside.find((inside) => inside.id === cut));
    }
    oracle.inside.push({ id, app, bytes, isDrain: false });
    held.set(id, place);
  }

  function drain(one: Inside) {
    const place = held.get(one.id);
    const kept = place?.transfer();
    place?.release();
    if (kept === undefined) return;
    one.isDrain = true;
    held.set(one.id, kept);
    drainIds.push(one.id);
    opened.drains.push(kept);
  }

  function leave(one: Inside) {
    const place = held.get(one.id);
    const at = drainIds.indexOf(one.id);
    if (at !== -1) {
      drainIds.splice(at, 1);
      opened.drains.splice(at, 1);
    }
    place?.release();
    forget(one);
  }

  function forget(one: Inside | undefined) {
    if (one === undefined) return;
    oracle.lastWanted.set(one.app, nowMs);
    oracle.lastInside.set(one.app, nowMs);
    oracle.inside.splice(oracle.inside.indexOf(one), 1);
  }
}

test('in any order of events, no app exceeds its limit, and no permit is lost', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 200 }), (script) => {
      const { opened, oracle, run } = createPair();
      for (const [id, step] of script.entries()) {
        run(step, id);
        const bodyBytes = oracle.inside.reduce((sum, one) => sum + one.bytes, 0);
        expect(opened.concurrency.load()).toEqual({ requests: oracle.inside.length, bodyBytes });
        expect(oracle.inside.length).toBeLessThanOrEqual(limits.inFlight);
      }
    }),
    { numRuns: 300 },
  );
});
