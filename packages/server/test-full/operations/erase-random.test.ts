import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/compose/open-store.ts';
import { utcMonthOf } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { pseudonymOf } from '../../src/lib/pseudonym.ts';
import { correctCall } from '../../src/operations/calls/corrections.ts';
import { pruneDays } from '../../src/operations/days/prune.ts';
import { rebuildRollups } from '../../src/operations/reports/rebuild-rollups.ts';
import { eraseUser } from '../../src/operations/users/erase-user.ts';
import { findWallet } from '../../src/operations/wallets/wallets.ts';
import {
  credit,
  grant,
  type Months,
  openMonths,
  ring,
  tablesWith,
} from '../../test/operations/support/user-months.ts';
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const september = Date.parse('2026-09-10T12:00:00Z');
const hourMs = 3_600_000;
const users = ['user-one', 'user-two', 'user-three'] as const;

/** Numbers below 2³² from a seed (mulberry32). */
function chances(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const seeds = [
  ...[1, 2, 3, 4].map((seed) => ({ kind: 'sqlite' as const, seed })),
  ...[7].map((seed) => ({ kind: 'postgres' as const, seed })),
];

describe('users who are erased at any time', () => {
  test.each(seeds)('leave the ledger as it was: $kind, seed $seed', async ({ kind, seed }) => {
    const folder = await mkdtemp(join(tmpdir(), 'model-gateway-erase-'));
    const target =
      kind === 'postgres'
        ? ({ kind, url: await server.database() } as const)
        : ({ kind, path: join(folder, 'gateway.db') } as const);
    const parts = { target, ring, log: silentLog, onDeath: () => undefined };
    const opened = await openStore(parts);
    const months = await openMonths(opened, september + seed * hourMs);
    await liveAtRandom(months, chances(seed));
    await opened.close();
    await rm(folder, { recursive: true, force: true });
  });
});

interface Owner {
  readonly userId: string;
  readonly app: 'tutor' | 'search';
}

/** The next possible event for a user. */
function happenings(months: Months, chance: (below: number) => number) {
  const { clock, admin, sums, pass } = months;
  const callIds: string[] = [];
  const counts = { topUps: 0, erasures: 0 };
  const wait = () => pass(chance(40) * hourMs);
  const waitLong = () => pass(chance(12) * 24 * hourMs);
  const all = [call, call, call, topUp, erase, correct, wait, wait, waitLong, prune];
  return { counts, next: (owner: Owner) => all[chance(all.length)]?.(owner) };

  async function call(owner: Owner) {
    const cost = BigInt(chance(40)) * credit;
    const facts = await months.call({ ...owner, cost, estimated: chance(2) === 0 ? 0n : cost });
    if (facts !== undefined) callIds.push(facts.callId);
  }

  async function topUp({ userId }: Owner) {
    counts.topUps += 1;
    await months.topUp(userId, String(1 + chance(60)), `order-${counts.topUps}`);
  }

  async function erase(owner: Owner) {
    counts.erasures += 1;
    const [before, remaining] = [await sums(), await remainingOf(months, owner.userId)];
    const { pseudonym } = await clock.run(eraseUser(admin, owner));
    expect(pseudonym).toBe(pseudonymOf(ring, owner.app, owner.userId));
    expect(await sums()).toEqual(before);
    // If the month has begun for a wallet, its remainder stays.
    if (remaining.hasBegun) expect(await remainingOf(months, owner.userId)).toEqual(remaining);
  }

  async function correct() {
    const callId = callIds[chance(Math.max(1, callIds.length))];
    if (callId === undefined) return;
    await clock.run(correctCall(admin, { callId, usd: `0.${chance(9)}` })).catch(wasPruned);
  }

  async function prune() {
    const before = `${utcMonthOf(clock.now() - 24 * hourMs)}-01`;
    await clock.run(pruneDays(admin, { before }));
  }
}

async function liveAtRandom(months: Months, chance: (below: number) => number) {
  const { store, clock, admin, isClean, sums, pass } = months;
  const { counts, next } = happenings(months, chance);
  for (let step = 0; step < 60; step += 1) {
    const userId = users[chance(users.length)] ?? users[0];
    await next({ userId, app: chance(3) === 0 ? 'search' : 'tutor' });
    expect([step, await isClean()]).toEqual([step, []]);
  }
  expect(counts.erasures).toBeGreaterThan(0);
  await expectOneGrant(months);
  for (const userId of users) {
    for (const app of ['tutor', 'search']) await clock.run(eraseUser(admin, { app, userId }));
  }
  const before = await sums();
  await pass(40 * 24 * hourMs);
  for (const userId of users) expect(await tablesWith(store, userId)).toEqual([]);
  expect({ ...(await sums()), users: 0 }).toEqual({ ...before, users: 0 });
  await expectOneGrant(months);
  expect(await clock.run(rebuildRollups(admin, () => undefined))).toMatchObject({ rows: 0 });
  expect(await isClean()).toEqual([]);
}

async function remainingOf({ store, clock, admin }: Months, userId: string) {
  const { available } = await clock.run(findWallet(admin, { app: 'tutor', userId }));
  const month = utcMonthOf(clock.now() - hourMs);
  const hasBegun = await store.read({
    sql: `
      select (select count(*) from wallet_month where user_id = $1 and month >= $2)
           + (select count(*) from wallet_entry where user_id = $1 and at >= $3) as n`,
    values: [userId, month, Date.parse(`${month}-01`)],
    map: ([row]) => Number(row?.n) > 0,
  });
  return { available, hasBegun };
}

/** Under the name and the pseudonym together, a user has one grant a month. */
async function expectOneGrant({ store }: Months) {
  for (const userId of users) {
    const granted = await store.read({
      sql: `
        select month, cast(sum(granted) as bigint) as granted from wallet_month
         where user_id in ($1, $2) group by month`,
      values: [userId, pseudonymOf(ring, 'tutor', userId)],
      map: (rows) => rows.map((row) => row.granted),
    });
    expect(new Set(granted.map(String))).toEqual(new Set(granted.length > 0 ? [`${grant}`] : []));
  }
}

function wasPruned(error: unknown) {
  if (!String(error).includes('is not known')) throw error;
}
