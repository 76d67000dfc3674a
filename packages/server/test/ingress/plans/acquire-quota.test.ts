import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../../../harness/until.ts';
import { utcDayOf } from '../../../src/lib/clock.ts';
import type { QuotaGrant, QuotaRequest } from '../../../src/store/port/port.ts';
import { openSharing, type Sharing, sharings } from '../../store/support/sharing.ts';
import { createPlanTable } from '../../support/plan-table.ts';

let sharing: Sharing;
const open = (kind: (typeof sharings)[number]) => async () => {
  sharing = await openSharing(kind);
};
const close = () => sharing.close();

const plan = { ratePerSecond: 50, burst: 100, requestsPerDay: 1_000 };
const nothing = { needed: 0, owed: 0, ahead: 0, day: '', returned: 0 };

function requestOf(keyId: string, parts: Partial<QuotaRequest>): QuotaRequest {
  return { keyId, ...plan, ...nothing, ...parts };
}

async function acquire(
  requests: readonly QuotaRequest[],
  nowMs?: number,
  replica = 0,
): Promise<readonly QuotaGrant[]> {
  const now = nowMs === undefined ? undefined : { day: utcDayOf(nowMs), nowMs };
  return (await sharing.stores[replica]?.acquire?.(requests, now)) ?? [];
}

let keys = 0;
const newKey = () => `key-${keys++}`;

const amount = fc.constantFrom(0, 0, 1, 2, 5, 30);
const steps = fc.array(
  fc.record({
    passMs: fc.constantFrom(0, 0, 1, 20, 333, 5_000, 43_200_000),
    keys: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
    request: fc.record({
      needed: amount,
      owed: amount,
      ahead: amount,
      returned: amount,
    }),
    plan: fc.constantFrom(
      plan,
      { ratePerSecond: 0.5, burst: 3, requestsPerDay: 20 },
      { ratePerSecond: 4, burst: 40, requestsPerDay: 60 },
    ),
  }),
  { maxLength: 25 },
);

describe.each(sharings)('acquiring quota, of two %s', (kind) => {
  beforeAll(open(kind));
  afterAll(close);

  test('grants the needed quota if possible, and little of the rest in advance', async () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const keyId = newKey();
    const request = requestOf(keyId, { needed: 20, ahead: 90 });
    const first = { keyId, tokens: 30, deficit: 0, quota: 30, day: '2026-11-21' };
    expect(await acquire([request], now)).toEqual([first]);
    const rest = requestOf(keyId, { needed: 200 });
    expect(await acquire([rest], now, 1)).toMatchObject([{ tokens: 70, deficit: 30, quota: 70 }]);
    expect(await acquire([rest], now + 39)).toMatchObject([{ tokens: 1, deficit: 98.05 }]);
    expect(await acquire([rest], now + 40)).toMatchObject([{ tokens: 1, deficit: 99 }]);
  });

  test('takes back another day’s unused quota only on that day', async () => {
    const now = Date.UTC(2026, 10, 21, 23, 59);
    const keyId = newKey();
    const all = { needed: 9, requestsPerDay: 9 };
    expect(await acquire([requestOf(keyId, all)], now)).toMatchObject([{ tokens: 9, quota: 9 }]);
    const returned = { day: '2026-11-21', returned: 4 };
    expect(await acquire([requestOf(keyId, { ...all, ...returned })], now)).toMatchObject([
      { quota: 4 },
    ]);
    const tomorrow = now + 60_000;
    expect(await acquire([requestOf(keyId, { ...all, ...returned })], tomorrow)).toMatchObject([
      { quota: 9, day: '2026-11-22' },
    ]);
    expect(await acquire([requestOf(keyId, { ...all, ...returned })], tomorrow)).toMatchObject([
      { quota: 0 },
    ]);
  });

  test('of many at once grants nothing twice', async () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const [a, b] = [newKey(), newKey()];
    const requests = [a, b].map((keyId) =>
      requestOf(keyId, { needed: 7, burst: 60, requestsPerDay: 50 }),
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        acquire(index % 2 === 0 ? requests : requests.toReversed(), now, index % 2),
      ),
    );
    for (const keyId of [a, b]) {
      const grants = answers.flat().filter((grant) => grant.keyId === keyId);
      expect(grants.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(60);
      expect(grants.reduce((sum, { quota }) => sum + quota, 0)).toBe(50);
    }
  });

  test('the store returns the result of the rule, for any requests at any times', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const table = createPlanTable();
        const prefix = newKey();
        let now = Date.UTC(2026, 10, 21, 12);
        for (const step of script) {
          now += step.passMs;
          const day = new Date(now).toISOString().slice(0, 10);
          const requests = step.keys.map((key) =>
            requestOf(`${prefix} ${key}`, { ...step.plan, ...step.request, day }),
          );
          const expected = table.acquire(requests, now);
          const found = await acquire(requests, now);
          const byKey = new Map(found.map((grant) => [grant.keyId, grant]));
          for (const { deficit, ...grant } of expected) {
            expect(byKey.get(grant.keyId)).toMatchObject(grant);
            expect(byKey.get(grant.keyId)?.deficit).toBeCloseTo(deficit, 3);
          }
          expect(found).toHaveLength(expected.length);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('acquiring quota of PostgreSQL', () => {
  beforeAll(open('replicas on PostgreSQL'));
  afterAll(close);

  test('uses the database’s clock without a given time', async () => {
    const keyId = newKey();
    const request = requestOf(keyId, { needed: 100 });
    const [first] = await acquire([request]);
    const today = [Date.now() - 60_000, Date.now()].map((at) =>
      new Date(at).toISOString().slice(0, 10),
    );
    expect(first).toMatchObject({ tokens: 100, deficit: 0, quota: 100 });
    expect(today).toContain(first?.day);
  });

  test('uses the time at which the row was locked, not that of the wait for it', async () => {
    const keyId = newKey();
    await acquire([requestOf(keyId, { needed: 1 })]);
    const other = new pg.Client(sharing.url);
    await other.connect();
    await other.query('begin');
    await other.query('select from plan_use where key_id = $1 for update', [keyId]);
    const waiting = acquire([requestOf(keyId, { needed: 100 })]);
    await untilLocked(other);
    // Everything available now (the burst and the refill since) goes to another replica.
    const { rows } = await other.query(
      `update plan_use set full_at = extract(epoch from clock_timestamp()) * 1000000 + 2000000
        where key_id = $1 returning full_at`,
      [keyId],
    );
    await other.query('commit');
    await waiting;
    const after = await other.query('select full_at from plan_use where key_id = $1', [keyId]);
    await other.end();
    expect(BigInt(after.rows[0].full_at)).toBeGreaterThanOrEqual(BigInt(rows[0].full_at));
  });
});

/** Waits until a statement waits for this client's lock. */
function untilLocked(client: pg.Client) {
  const locks = `
    select from pg_stat_activity
     where wait_event_type = 'Lock' and datname = current_database()`;
  return until(async () => (await client.query(locks)).rowCount !== 0);
}
