import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanSlice, PlanWish, Store } from '../../../src/store/port.ts';
import { openReplica } from '../../store/support/books.ts';
import { createPlanTable } from '../../support/plan-table.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';

let server: TestPostgres;
let stores: readonly Store[];
beforeAll(async () => {
  server = await startPostgres();
  const url = await server.database();
  stores = [await openReplica(url), await openReplica(url)];
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await server.close();
});

const plan = { ratePerSecond: 50, burst: 100, requestsPerDay: 1_000 };
const nothing = { waiting: 0, quotaWaiting: 0, ahead: 0, quotaAhead: 0 };

function wishOf(keyId: string, parts: Partial<PlanWish>): PlanWish {
  return { keyId, ...plan, ...nothing, returned: { day: '', requests: 0 }, ...parts };
}

async function draw(
  wishes: readonly PlanWish[],
  now?: number,
  replica = 0,
): Promise<readonly PlanSlice[]> {
  return (await stores[replica]?.draw?.(wishes, now)) ?? [];
}

let keys = 0;
const newKey = () => `key-${keys++}`;

describe('a draw', () => {
  test('gives what waits as far as it goes, and an eighth of the rest ahead', async () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const keyId = newKey();
    const wish = wishOf(keyId, { waiting: 20, quotaWaiting: 20, ahead: 90, quotaAhead: 500 });
    const first = { keyId, slots: 30, debt: 0, requests: 145, day: '2026-11-21' };
    expect(await draw([wish], now)).toEqual([first]);
    const rest = wishOf(keyId, { waiting: 200, quotaWaiting: 200 });
    expect(await draw([rest], now, 1)).toMatchObject([{ slots: 70, debt: 30, requests: 70 }]);
    expect(await draw([rest], now + 39)).toMatchObject([{ slots: 1, debt: 98.05 }]);
    expect(await draw([rest], now + 40)).toMatchObject([{ slots: 1, debt: 99 }]);
  });

  test('takes back what another day did not use only on that day', async () => {
    const now = Date.UTC(2026, 10, 21, 23, 59);
    const keyId = newKey();
    const all = { waiting: 9, quotaWaiting: 9, requestsPerDay: 9 };
    expect(await draw([wishOf(keyId, all)], now)).toMatchObject([{ slots: 9, requests: 9 }]);
    const returned = { day: '2026-11-21', requests: 4 };
    expect(await draw([wishOf(keyId, { ...all, returned })], now)).toMatchObject([{ requests: 4 }]);
    const tomorrow = now + 60_000;
    expect(await draw([wishOf(keyId, { ...all, returned })], tomorrow)).toMatchObject([
      { requests: 9, day: '2026-11-22' },
    ]);
    expect(await draw([wishOf(keyId, { ...all, returned })], tomorrow)).toMatchObject([
      { requests: 0 },
    ]);
  });

  test('goes by the clock of the database where nobody says the time', async () => {
    const keyId = newKey();
    const wish = wishOf(keyId, { waiting: 100, quotaWaiting: 100 });
    const [first] = await draw([wish]);
    const today = [Date.now() - 60_000, Date.now()].map((at) =>
      new Date(at).toISOString().slice(0, 10),
    );
    expect(first).toMatchObject({ slots: 100, debt: 0, requests: 100 });
    expect(today).toContain(first?.day);
  });

  test('of many at once gives nothing twice', async () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const [a, b] = [newKey(), newKey()];
    const wishes = [a, b].map((keyId) =>
      wishOf(keyId, { waiting: 7, quotaWaiting: 7, burst: 60, requestsPerDay: 50 }),
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        draw(index % 2 === 0 ? wishes : wishes.toReversed(), now, index % 2),
      ),
    );
    for (const keyId of [a, b]) {
      const slices = answers.flat().filter((slice) => slice.keyId === keyId);
      expect(slices.reduce((sum, { slots }) => sum + slots, 0)).toBe(60);
      expect(slices.reduce((sum, { requests }) => sum + requests, 0)).toBe(50);
    }
  });
});

const amount = fc.constantFrom(0, 0, 1, 2, 5, 30);
const steps = fc.array(
  fc.record({
    passMs: fc.constantFrom(0, 0, 1, 20, 333, 5_000, 43_200_000),
    keys: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
    wish: fc.record({ waiting: amount, quotaWaiting: amount, ahead: amount, quotaAhead: amount }),
    plan: fc.constantFrom(
      plan,
      { ratePerSecond: 0.5, burst: 3, requestsPerDay: 20 },
      { ratePerSecond: 4, burst: 40, requestsPerDay: 60 },
    ),
    returned: amount,
  }),
  { maxLength: 25 },
);

test('whatever is wished when, the statement answers what the rule says', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const table = createPlanTable();
      const prefix = newKey();
      let now = Date.UTC(2026, 10, 21, 12);
      for (const step of script) {
        now += step.passMs;
        const returned = { day: new Date(now).toISOString().slice(0, 10), requests: step.returned };
        const wishes = step.keys.map((key) =>
          wishOf(`${prefix} ${key}`, { ...step.plan, ...step.wish, returned }),
        );
        const expected = table.draw(wishes, now);
        const found = await draw(wishes, now);
        const byKey = new Map(found.map((slice) => [slice.keyId, slice]));
        for (const { debt, ...slice } of expected) {
          expect(byKey.get(slice.keyId)).toMatchObject(slice);
          expect(byKey.get(slice.keyId)?.debt).toBeCloseTo(debt, 3);
        }
        expect(found).toHaveLength(expected.length);
      }
    }),
    { numRuns: 40 },
  );
});
