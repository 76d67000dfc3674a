import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Attendance, createAttendance } from '../../src/ingress/limits/attendance.ts';
import {
  createAttendanceMemory,
  createSharedAttendance,
} from '../../src/ingress/limits/shared-attendance.ts';
import { createTestClock } from '../support/test-clock.ts';

const apps = ['search', 'tutor', 'reports', 'mail'] as const;

/** Beyond what threads know late, and never near an end of what counts as of late. */
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

test('threads know together what one thread would', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const clock = createTestClock();
    const memory = createAttendanceMemory(16);
    const sides = [1, 2, 3].map(() => createSharedAttendance(memory, clock));
    const one = createAttendance();
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
      for (const attendance of [side, one]) act(attendance, each, nowMs);
      if (each.kind === 'enter') held.set(holder, count + 1);
      if (each.kind === 'leave') held.set(holder, count - 1);
      for (const of of sides) expect(exactOf(of)).toEqual(exactOf(one));
    }
  });
  await fc.assert(property, { numRuns: 300 });
});

function act(
  attendance: Attendance,
  { kind, app }: { readonly kind: string; readonly app: string },
  nowMs: number,
) {
  if (kind === 'enter') attendance.enter(app).bodyBytes += 1_024;
  if (kind === 'leave') {
    // As a permit does that is released.
    attendance.enter(app).bodyBytes -= 1_024;
    attendance.leave(app, nowMs);
    attendance.leave(app, nowMs);
  }
  if (kind === 'refuse') attendance.refuse(app, false, nowMs);
  if (kind === 'lack') attendance.refuse(app, true, nowMs);
}

function exactOf(attendance: Attendance) {
  const of = apps.map((app) => {
    const { requests, bodyBytes } = attendance.of(app);
    return { requests, bodyBytes };
  });
  return { of, count: attendance.count() };
}

function viewOf(attendance: Attendance, nowMs: number) {
  return apps.map((app) => ({
    sharing: attendance.sharing(app, nowMs),
    want: attendance.othersWant(app, nowMs),
    lack: attendance.othersLack(app, nowMs),
  }));
}

test('bytes of another thread are known by the KiB, its own to the byte', () => {
  const memory = createAttendanceMemory();
  const clock = createTestClock();
  const one = createSharedAttendance(memory, clock);
  const two = createSharedAttendance(memory, clock);
  one.enter('search').bodyBytes += 1_500;
  expect([one.of('search').bodyBytes, two.of('search').bodyBytes]).toEqual([1_500, 2_048]);
  two.enter('search').bodyBytes += 10;
  expect([one.of('search').bodyBytes, two.of('search').bodyBytes]).toEqual([2_524, 2_058]);
  expect([...one.present().keys(), ...two.present().values()]).toEqual([
    'search',
    expect.objectContaining({ requests: 1, bodyBytes: 10 }),
  ]);
});

test('apps beyond the room that there is are counted with others, and lose nothing', () => {
  const one = createSharedAttendance(createAttendanceMemory(4), createTestClock());
  const names = Array.from({ length: 12 }, (_, index) => `app-${index}`);
  for (const name of names) one.enter(name);
  for (const name of names) expect(one.of(name).requests).toBeGreaterThanOrEqual(1);
  for (const name of names) one.leave(name, 0);
  expect(names.map((name) => one.of(name).requests)).toEqual(names.map(() => 0));
  expect(one.count()).toBe(0);
});
