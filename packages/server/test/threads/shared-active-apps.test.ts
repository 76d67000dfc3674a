import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ActiveApps, createActiveApps } from '../../src/ingress/limits/active-apps.ts';
import {
  createActiveAppsMemory,
  createSharedActiveApps,
} from '../../src/ingress/limits/shared-active-apps.ts';
import { createTestClock } from '../support/test-clock.ts';

const apps = ['search', 'tutor', 'reports', 'mail'] as const;

/** Beyond the delay between threads, and never near the end of the recent period. */
const stepMs = 320;

const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom('enter' as const, 'leave' as const, 'refuse' as const, 'lack' as const),
    app: fc.constantFrom(...apps),
    side: fc.constantFrom(0, 1, 2),
  }),
  fc.record({
    kind: fc.constant('pass' as const),
    steps: fc.constantFrom(1, 1, 3, 4, 31, 32),
  }),
);

test('threads together have the same state as one thread', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const clock = createTestClock();
    const memory = createActiveAppsMemory(16);
    const sides = [1, 2, 3].map(() => createSharedActiveApps(memory, clock));
    const one = createActiveApps();
    const held = new Map<string, number>();
    for (const each of steps) {
      const nowMs = clock.monotonic();
      if (each.kind === 'pass') {
        await clock.advance(each.steps * stepMs);
        for (const side of sides)
          expect(viewOf(side, clock.monotonic())).toEqual(viewOf(one, clock.monotonic()));
        continue;
      }
      const side = sides[each.side];
      if (side === undefined) throw new Error('there are three');
      const holder = `${each.app} ${each.side}`;
      const count = held.get(holder) ?? 0;
      if (each.kind === 'leave' && count === 0) continue;
      for (const activeApps of [side, one]) act(activeApps, each, nowMs);
      if (each.kind === 'enter') held.set(holder, count + 1);
      if (each.kind === 'leave') held.set(holder, count - 1);
      for (const of of sides) expect(exactOf(of)).toEqual(exactOf(one));
    }
  });
  await fc.assert(property, { numRuns: 300 });
});

function act(
  activeApps: ActiveApps,
  { kind, app }: { readonly kind: string; readonly app: string },
  nowMs: number,
) {
  if (kind === 'enter') activeApps.enter(app).bodyBytes += 1_024;
  if (kind === 'leave') {
    // Like a permit that is released.
    activeApps.enter(app).bodyBytes -= 1_024;
    activeApps.leave(app, nowMs);
    activeApps.leave(app, nowMs);
  }
  if (kind === 'refuse') activeApps.refuse(app, false, nowMs);
  if (kind === 'lack') activeApps.refuse(app, true, nowMs);
}

function exactOf(activeApps: ActiveApps) {
  const of = apps.map((app) => {
    const { requests, bodyBytes } = activeApps.of(app);
    return { requests, bodyBytes };
  });
  return { of, count: activeApps.count() };
}

function viewOf(activeApps: ActiveApps, nowMs: number) {
  return apps.map((app) => ({
    sharing: activeApps.sharing(app, nowMs),
    want: activeApps.hasCompetingApps(app, nowMs),
    lack: activeApps.areOthersBelowShare(app, nowMs),
  }));
}

test('bytes of another thread are counted by the KiB, its own to the byte', () => {
  const memory = createActiveAppsMemory();
  const clock = createTestClock();
  const one = createSharedActiveApps(memory, clock);
  const two = createSharedActiveApps(memory, clock);
  one.enter('search').bodyBytes += 1_500;
  expect([one.of('search').bodyBytes, two.of('search').bodyBytes]).toEqual([1_500, 2_048]);
  two.enter('search').bodyBytes += 10;
  expect([one.of('search').bodyBytes, two.of('search').bodyBytes]).toEqual([2_524, 2_058]);
  expect([...one.present().keys(), ...two.present().values()]).toEqual([
    'search',
    expect.objectContaining({ requests: 1, bodyBytes: 10 }),
  ]);
});

test('apps beyond the capacity are counted with others, and lose nothing', () => {
  const one = createSharedActiveApps(createActiveAppsMemory(4), createTestClock());
  const names = Array.from({ length: 12 }, (_, index) => `app-${index}`);
  for (const name of names) one.enter(name);
  for (const name of names) expect(one.of(name).requests).toBeGreaterThanOrEqual(1);
  for (const name of names) one.leave(name, 0);
  expect(names.map((name) => one.of(name).requests)).toEqual(names.map(() => 0));
  expect(one.count()).toBe(0);
});
