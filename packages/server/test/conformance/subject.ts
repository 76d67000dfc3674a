import type { Operation } from '../../src/books/operations.ts';
import type { ScopeMode } from '../../src/books/scope.ts';
import { createLedgerQueue } from '../../src/ledger/queue.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { createApp, updateApp } from '../../src/operations/apps/apps.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import { createAdminContext } from '../../src/operations/context/context.ts';
import { checkInvariants } from '../../src/store/audit/audit.ts';
import type { OperationResult, Statement, Store } from '../../src/store/port/port.ts';
import { seen } from '../../src/store/queries/instances.ts';
import { type LedgerRows, ledgerTables, readLedgerRows } from './ledger-rows.ts';

/** Another limit, or another mode, for all periods of a scope. */
export interface ScopeChange {
  readonly scope: string;
  readonly cap: bigint;
  readonly mode: ScopeMode;
}

/** The part that is compared with the oracle: a store, or the core. */
export interface Subject {
  /**
   * True if an instance is dead that was not seen recently; false if only an unknown instance is
   * dead.
   */
  readonly instancesGoByTime: boolean;
  /** An operator's change of an app's daily budget. It affects `today` and the days after it. */
  setCap(change: { app: string; cap: bigint | undefined; today: string }): Promise<void>;
  /** An operator's change of another budget. It increments the revision of the definitions. */
  setScope(change: ScopeChange): Promise<void>;
  /** A heartbeat of a process. */
  seen(instanceId: string, at: number): Promise<void>;
  commit(batch: readonly Operation[]): Promise<readonly OperationResult[]>;
  rows(): Promise<LedgerRows>;
  /** The ids of the audit's checks that fail. */
  breaches(): Promise<readonly string[]>;
}

/** A store as a subject, emptied first. */
export async function createStoreSubject(store: Store, apps: readonly string[]): Promise<Subject> {
  const first = { sql: 'update budget_revision set value = 0', values: [] };
  await store.write([...forgetEverything, first]);
  for (const app of apps) await createApp(adminOn(store, 0), app, {});
  return {
    instancesGoByTime: store.kind !== 'sqlite',
    async setCap({ app, cap, today }) {
      await updateApp(adminOn(store, Date.parse(today)), app, { dailyBudgetPicoUsd: cap });
    },
    async setScope({ scope, cap, mode }) {
      const sql = 'update budget_scope set cap = $2, mode = $3 where scope = $1';
      await store.write([{ sql, values: [scope, cap, mode] }, bumpBudgets]);
    },
    async seen(id, seenAt) {
      await store.write([seen({ id, seenAt, configHash: 'test' })]);
    },
    commit: (batch) => store.commit(batch),
    rows: () => readLedgerRows(store),
    async breaches() {
      // Expired reservations are not a breach here: at the epoch none is late. Lines of the audit
      // log stay from run to run: `store/audit-chain.test.ts` has their chain.
      const checks = await checkInvariants(store, 0);
      return checks.filter((check) => !check.ok).map(({ id }) => id);
    },
  };
}

export const bumpBudgets: Statement = {
  sql: 'update budget_revision set value = value + 1 where id = 1',
  values: [],
  locksBudgets: true,
};

const otherTables = [
  ...['owner', 'app', 'prune_horizon', 'pruned_wallet', 'rollup_state'],
  ...['budget_definition', 'budget_member'],
  ...[
    'usage_split',
    'usage_user_month',
    'usage_late',
    'usage_pruned',
    'usage_correction',
    'call_peak',
    'rejection',
  ],
];
const forgetEverything: readonly Statement[] = [...ledgerTables, ...otherTables].map((table) => ({
  sql: `delete from ${table}`,
  values: [],
}));

const ids = createIds(systemClock);

/** An operator at a time of the store's clock. */
export function adminOn(store: Store, nowMs: number): AdminContext {
  const clock = { ...systemClock, now: () => nowMs };
  const queue = createLedgerQueue({ store, clock });
  const who = { company: 'acme', adminEmail: undefined, actor: 'test' };
  const admin = createAdminContext({ store, clock, queue, ids, ...who });
  return { ...admin, clock, queue };
}
