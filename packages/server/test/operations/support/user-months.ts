import type { Settle } from '../../../src/books/operations.ts';
import { startErasures } from '../../../src/compose/erasures.ts';
import { rollUp } from '../../../src/ledger/rollups.ts';
import { utcDayOf, utcMonthOf } from '../../../src/lib/clock.ts';
import { createIds } from '../../../src/lib/id.ts';
import { createKeyRing } from '../../../src/lib/key-ring.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createApp } from '../../../src/operations/apps/apps.ts';
import { createAdminContext } from '../../../src/operations/context/context.ts';
import { topUpWallet } from '../../../src/operations/wallets/wallets.ts';
import { audit } from '../../../src/store/audit/audit.ts';
import type { Store } from '../../../src/store/port/port.ts';
import { reservation, settlement } from '../../store/support/load.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { watchStore } from '../../support/watched-store.ts';

/** The key ring for user names in these tests. */
export const ring = createKeyRing([{ id: 'k1', secret: 'the first secret of the operator' }]);

/** 100 credits a month. */
export const credit = 10n ** 10n;
export const grant = 100n * credit;
const usualWallet = { granted: grant, picoUsdPerCredit: credit };

export interface UserCall {
  readonly app: 'tutor' | 'search';
  readonly userId: string;
  readonly cost: bigint;
  readonly estimated?: bigint;
}

/** Months of two apps on a store: `tutor` meters credits, and both limit each user's day. */
export async function openMonths(opened: Store, startMs: number) {
  // In virtual time a server's clock has no meaning.
  const { clock: _, ...rest } = opened;
  const store = watchStore(rest);
  const clock = createTestClock({ pending: store.pending, startMs });
  const parts = { company: 'acme', adminEmail: undefined, actor: 'cli:test' };
  const admin = createAdminContext({ store, clock, ids: createIds(clock), ...parts });
  const credits = { monthlyGrantPicoUsd: grant, picoUsdPerCredit: credit };
  await clock.run(createApp(admin, 'tutor', { credits }));
  await clock.run(createApp(admin, 'search', {}));
  return { store, clock, admin, begin, call, topUp, sums, isClean, pass };

  /** Admits a call; returns its settlement, or undefined for a rejected call. */
  async function begin({ app, userId, cost, estimated = 0n }: UserCall) {
    const now = clock.now();
    const [day, month] = [utcDayOf(now), app === 'tutor' ? utcMonthOf(now) : undefined];
    const cap = { cap: 10n ** 15n, mode: 'enforce' } as const;
    const scopes = [{ scope: `user:${app}:${userId}`, period: day, ...cap }];
    const usual = reservation({ app, amount: cost, userId, scopes, callId: admin.ids.call() });
    const facts = { ...usual.facts, day, month, startedAt: now };
    const wallet = month === undefined ? undefined : usualWallet;
    const reserved = { ...usual, facts, wallet, expiresAt: now + 120_000, now };
    const outcome = await clock.run(admin.queue.submit({ kind: 'reserve', ...reserved }));
    if (outcome?.kind !== 'reserved') return undefined;
    return { facts, settle };

    async function settle() {
      const usualEnd = settlement(reserved, cost);
      const end = { ...usualEnd.end, estimated, endedAt: clock.now() };
      const operation: Settle = { kind: 'settle', ...usualEnd, result: undefined, end };
      await clock.run(admin.queue.submit(operation));
      return facts;
    }
  }

  async function call(parts: UserCall) {
    return (await begin(parts))?.settle();
  }

  function topUp(userId: string, credits: string, reference: string) {
    return clock.run(topUpWallet(admin, { app: 'tutor', userId, credits, reference }));
  }

  /** Sums that no erasure may change. */
  function sums() {
    return store.read({ sql: sumsOfAll, values: [], map: ([row]) => ({ ...row }) });
  }

  async function isClean() {
    const { checks } = await audit(store, clock.now());
    return checks.filter(({ ok }) => !ok);
  }

  /** Lets this time pass, with a service that writes rollups and completes erasures. */
  async function pass(ms: number, lines: object[] = []) {
    clock.set(clock.now() + ms);
    await clock.run(rollUp(admin));
    const info = (...said: unknown[]) => void lines.push(said);
    const erasures = startErasures(admin, { ...silentLog, info, error: info });
    await clock.advance(300_000);
    await clock.run(erasures.stop());
  }
}

export type Months = Awaited<ReturnType<typeof openMonths>>;

const sumsOfAll = `
  select cast((select sum(cost) from call) as text) as calls,
         cast((select sum(granted) from wallet_month) as text) as granted,
         cast((select sum(spent_grant) from wallet_month) as text) as spent_grant,
         cast((select sum(spent_topup) from wallet_month) as text) as spent_topup,
         cast((select sum(added) from wallet_topup) as text) as added,
         cast((select sum(spent) from wallet_topup) as text) as topup_spent,
         cast((select sum(amount) from wallet_entry) as text) as entries,
         cast((select sum(spent) from budget_scope) as text) as scopes,
         cast((select sum(cost) from usage_user_month) as text) as users,
         cast((select sum(cost) from usage_late) as text) as late`;

/** Tables of a store with a column that contains a text, by the store's own schema. */
export async function tablesWith(store: Store, text: string): Promise<readonly string[]> {
  const names = await store.read({
    sql:
      store.kind === 'sqlite'
        ? "select name from sqlite_schema where type = 'table'"
        : "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    values: [],
    map: (rows) => rows.map(({ name }) => String(name)).sort(),
  });
  const tables: string[] = [];
  for (const name of names) {
    const values = await store.read({
      sql: `select * from "${name}"`,
      values: [],
      map: (rows) => rows.flatMap((row) => Object.values(row).map(String)),
    });
    if (values.some((value) => value.includes(text))) tables.push(name);
  }
  return tables;
}
