import assert from 'node:assert';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/compose/open-store.ts';
import { silentLog } from '../../src/lib/log.ts';
import { pseudonymOf } from '../../src/lib/pseudonym.ts';
import { correctCall } from '../../src/operations/calls/corrections.ts';
import { pruneDays } from '../../src/operations/days/prune.ts';
import { rebuildRollups } from '../../src/operations/reports/rebuild-rollups.ts';
import { scrubStore } from '../../src/operations/store/store-file.ts';
import { eraseUser, planErasure } from '../../src/operations/users/erase-user.ts';
import { findWallet } from '../../src/operations/wallets/wallets.ts';
import type { Store } from '../../src/store/port/port.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { credit, grant, type Months, openMonths, ring, tablesWith } from './support/user-months.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const september = Date.parse('2026-09-10T12:00:00Z');
/** A name that JSON, SQL and the keys of budgets must accept unchanged. */
const ada = `ada.lovelace:"o'neil"@home`;
const owner = { app: 'tutor', userId: ada };
const pseudonym = pseudonymOf(ring, 'tutor', ada);

describe.each(['sqlite', 'postgres'] as const)('a user who is erased on %s', (kind) => {
  let folder: string;
  let opened: Store;
  let months: Months;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'model-gateway-erase-'));
    opened = await open(ring);
    months = await openMonths(opened, september);
  });
  afterEach(async () => {
    await opened.close().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });

  async function open(by: typeof ring | undefined): Promise<Store> {
    const target =
      kind === 'postgres'
        ? ({ kind, url: await server.database() } as const)
        : ({ kind, path: join(folder, 'gateway.db') } as const);
    return openStore({ target, ring: by, log: silentLog, onDeath: () => undefined });
  }

  const erase = () => months.clock.run(eraseUser(months.admin, owner));

  /** Calls, top-ups and corrections from September to November, of two users. */
  async function live() {
    const { call, topUp, pass } = months;
    for (const month of [9, 10, 11]) {
      for (const userId of [ada, 'bob']) {
        await topUp(userId, '50', `order-${month}`);
        // More than the grant: some of it uses top-ups.
        for (const cost of [60n, 55n, 5n]) {
          await call({ app: 'tutor', userId, cost: cost * credit });
          await call({ app: 'search', userId, cost: cost * credit, estimated: 2n });
        }
      }
      await pass(dayMs);
      const lateCall = await call({ app: 'tutor', userId: ada, cost: 3n * credit });
      await pass(dayMs);
      const fix = { callId: lateCall?.callId ?? '', usd: '0.02' };
      await months.clock.run(correctCall(months.admin, fix));
      if (month < 11) await pass(30 * dayMs);
    }
    await months.clock.run(pruneDays(months.admin, { before: '2026-10-01' }));
  }

  test('has no name anywhere once the month is over, and every sum stays', async () => {
    const { store, clock, admin, sums, isClean, pass } = months;
    await live();
    expect(await isClean()).toEqual([]);
    const [before, wallet] = [await sums(), await clock.run(findWallet(admin, owner))];
    const erased = await erase();
    expect(erased).toMatchObject({ pseudonym, calls: 4, namedUntil: '2026-12-01T00:00:00.000Z' });
    expect(await isClean()).toEqual([]);
    expect(await sums()).toEqual(before);
    // The grant and the rest of the top-ups are as before.
    const shown = await clock.run(findWallet(admin, owner));
    expect(shown.available).toBe(wallet.available);
    expect(await namesBefore('2026-11')).toEqual([]);
    await months.call({ app: 'tutor', userId: ada, cost: credit });
    const lines: object[] = [];
    const elsewhere = await clock.run(eraseUser(admin, { app: 'search', userId: ada }));
    // No wallet binds its calls to the month.
    expect(elsewhere).toMatchObject({ calls: 6, namedUntil: null });
    const [spent] = [await sums()];
    await pass(20 * dayMs, lines);
    expect(await tablesWith(store, 'ada.lovelace')).toEqual([]);
    expect(JSON.stringify(lines)).not.toContain('ada.lovelace');
    expect(lines).toHaveLength(1);
    expect(await isClean()).toEqual([]);
    expect({ ...(await sums()), users: 0 }).toEqual({ ...spent, users: 0 });
    expect(await tablesWith(store, 'bob')).toContain('wallet_topup');
    expect(await clock.run(rebuildRollups(admin, () => undefined))).toMatchObject({ rows: 0 });
    if (kind === 'sqlite') await expectNoBytes();
  });

  /** Names of closed months in rows of months or days. */
  function namesBefore(month: string) {
    return months.store.read({
      sql: `
        select 'wallet' as at from wallet_month where user_id = $1 and month < $2
         union all select 'pruned' from pruned_wallet where user_id = $1 and month < $2
         union all select 'sums' from usage_user_month
                    where user_id = $1 and app = 'tutor' and month < $2
         union all select 'gone' from usage_pruned where user_id = $1 and app = 'tutor'
         union all select 'call' from call where user_id = $1 and app = 'tutor' and day < $2
         union all select 'cap' from budget_scope
                    where scope = 'user:tutor:' || $1 and period < $2`,
      values: [ada, month],
      map: (rows) => rows.map(({ at }) => at),
    });
  }

  async function expectNoBytes() {
    await opened.close();
    scrubStore({ kind: 'sqlite', path: join(folder, 'gateway.db') });
    for (const file of await readdir(folder)) {
      const bytes = await readFile(join(folder, file), 'latin1');
      expect([file, bytes.includes('ada.lovelace')]).toEqual([file, false]);
    }
  }

  test('has no second grant, and no reference acts twice', async () => {
    const { call, clock, admin, topUp, pass } = months;
    await topUp(ada, '50', 'order-1');
    await pass(30 * dayMs);
    await call({ app: 'tutor', userId: ada, cost: grant });
    await erase();
    await expect(topUp(ada, '50', 'order-1')).rejects.toThrow('before this user was erased');
    expect((await clock.run(findWallet(admin, owner))).available).toBe('50');
    await erase();
    expect((await clock.run(findWallet(admin, owner))).available).toBe('50');
    expect(await months.isClean()).toEqual([]);
  });

  test('is rejected while a call runs; without an open call it is done at once', async () => {
    const { begin, clock, admin, pass } = months;
    const running = await begin({ app: 'tutor', userId: ada, cost: credit });
    await expect(clock.run(planErasure(admin, owner))).rejects.toThrow(
      /running calls: call_\w{26};/,
    );
    await running?.settle();
    await pass(40 * dayMs);
    expect(await erase()).toMatchObject({ calls: 1, namedUntil: null });
    expect(await tablesWith(months.store, 'ada.lovelace')).toEqual([]);
    expect(await erase()).toMatchObject({ calls: 0, namedUntil: null });
  });

  test('calls over midnight, and lost ones, are erased once they are settled', async () => {
    const { begin, clock, admin, isClean, pass, store } = months;
    clock.set(Date.parse('2026-09-30T23:59:59Z'));
    await months.call({ app: 'tutor', userId: ada, cost: credit });
    await erase();
    const running = await begin({ app: 'tutor', userId: ada, cost: 70n * credit });
    const lost = await begin({ app: 'tutor', userId: ada, cost: 2n * credit });
    const { callId, app, day, month, userId, keyHash } = lost?.facts ?? assert.fail();
    const now = clock.now();
    const expiry = { kind: 'expire', callId, app, day, month, userId, keyHash, now } as const;
    await clock.run(admin.queue.submit(expiry));
    await pass(2 * hourMs);
    expect(await tablesWith(store, 'ada.lovelace')).toContain('hold');
    await running?.settle();
    await pass(2 * hourMs);
    expect(await tablesWith(store, 'ada.lovelace')).toContain('call');
    await lost?.settle();
    expect(await isClean()).toEqual([]);
    await pass(2 * dayMs);
    expect(await tablesWith(store, 'ada.lovelace')).toEqual([]);
    expect(await isClean()).toEqual([]);
  });
});

test('without a key ring on PostgreSQL it is rejected with the missing setting', async () => {
  const target = { kind: 'postgres', url: await server.database() } as const;
  const store = await openStore({ target, log: silentLog, onDeath: () => undefined });
  const { clock, admin } = await openMonths(store, september);
  await expect(clock.run(eraseUser(admin, owner))).rejects.toThrow('set MODEL_GATEWAY_KEYS');
  expect(await tablesWith(store, 'ada.lovelace')).toEqual([]);
  await store.close();
});
