import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOwnCounts } from '../../src/compose/parts/process-counts.ts';
import { createShares } from '../../src/ingress/limits/shares.ts';
import { createTestClock } from '../support/test-clock.ts';

const max = 20;
/** One more than the apps that send calls. */
const enabledApps = 4;

const step = fc.oneof(
  fc.record({ kind: fc.constant('take' as const), app: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ kind: fc.constant('leave' as const), at: fc.nat(20) }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 500, 1_001, 10_001) }),
);

/** The rules without counters: from the list of running calls, and of all requests. */
function createOracle() {
  const inside: string[] = [];
  const lastLeft = new Map<string, number>();
  const lastRefused = new Map<string, number>();
  const lastLacked = new Map<string, number>();
  return { inside, take, leave };

  function take(app: string, nowMs: number): boolean {
    const has = inside.filter((one) => one === app).length;
    const free = max - inside.length;
    const since = (times: ReadonlyMap<string, number>, ms: number) =>
      [...times].filter(([, at]) => nowMs - at <= ms).map(([other]) => other);
    const present = new Set(inside);
    const wanting = [...present, ...since(lastRefused, 1_000), ...since(lastLeft, 1_000)];
    const refused = since(lastRefused, 1_000);
    const sharing = new Set([app, ...present, ...refused, ...since(lastLeft, 10_000)]).size;
    const absent = enabledApps - present.size;
    const othersWant = wanting.some((other) => other !== app);
    const othersLack = since(lastLacked, 10_000).some((other) => other !== app);
    // One for each absent app, at most two; two more while only one app is present.
    const kept = Math.min(absent, 2) + (sharing === 1 && absent > 0 ? 2 : 0);
    const isWithin = (has + 1) * sharing <= max;
    const mayHaveMore =
      free - 1 >= kept &&
      !(has >= 12 && othersWant) &&
      (isWithin || sharing === 1 || (!othersLack && has + 1 <= 3 * free));
    if (free > 0 && (has === 0 || mayHaveMore)) {
      inside.push(app);
      return true;
    }
    lastRefused.set(app, nowMs);
    if (isWithin) lastLacked.set(app, nowMs);
    return false;
  }

  function leave(at: number, nowMs: number): string | undefined {
    const [app] = inside.splice(at, 1);
    if (app !== undefined && !inside.includes(app)) lastLeft.set(app, nowMs);
    return app;
  }
}

test('shares follow the rules of ADR 0030 and 0109, in any order of apps', () => {
  const property = fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
    let nowMs = 0;
    const clock = { ...createTestClock(), monotonic: () => nowMs };
    const { streams: counted } = createOwnCounts();
    const shares = createShares({ max, counted, clock, enabledApps: () => enabledApps });
    const oracle = createOracle();
    for (const each of steps) {
      if (each.kind === 'pass') {
        nowMs += each.ms;
      } else if (each.kind === 'take') {
        const isTaken = !shares.isFull(each.app) && shares.take(each.app);
        expect(isTaken).toBe(oracle.take(each.app, nowMs));
      } else {
        const app = oracle.leave(each.at, nowMs);
        if (app !== undefined) shares.leave(app);
      }
      expect(counted.own).toBe(oracle.inside.length);
    }
  });
  fc.assert(property, { numRuns: 500 });
});
