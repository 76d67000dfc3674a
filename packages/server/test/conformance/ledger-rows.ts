import type {
  AnswerRow,
  Attempt,
  BudgetDay,
  CallRecord,
  Hold,
  IdempotencyRow,
  ResultRow,
  UsageDay,
  WalletEntry,
  WalletMonth,
  WalletTopup,
} from '../../src/books/rows.ts';
import type { BudgetScope } from '../../src/books/scope.ts';
import type { UnclaimedPayment } from '../../src/books/unclaimed-payment.ts';
import type { Query, SqlRow, Store } from '../../src/store/port/port.ts';
import { budgetScopes } from '../../src/store/schema/scope-tables.ts';
import * as tables from '../../src/store/schema/tables.ts';
import { unclaimedPayments } from '../../src/store/schema/unclaimed-table.ts';

/** Every row of the ledger, ordered by key. */
export interface LedgerRows {
  readonly budgets: readonly BudgetDay[];
  readonly scopes: readonly BudgetScope[];
  readonly wallets: readonly WalletMonth[];
  readonly topups: readonly WalletTopup[];
  readonly entries: readonly WalletEntry[];
  readonly holds: readonly Hold[];
  readonly calls: readonly CallRecord[];
  readonly attempts: readonly Attempt[];
  readonly usage: readonly UsageDay[];
  readonly idempotency: readonly IdempotencyRow[];
  readonly answers: readonly AnswerRow[];
  readonly results: readonly ResultRow[];
  readonly unclaimed: readonly UnclaimedPayment[];
}

/** The tables with the rows of {@link LedgerRows}. */
export const ledgerTables = [
  'budget_day',
  'budget_scope',
  'wallet_month',
  'wallet_topup',
  'wallet_entry',
  'hold',
  'call',
  'attempt',
  'usage_day',
  'idempotency',
  'answer',
  'result',
  'unclaimed_payment',
] as const;

/** Reads every row of the ledger, one statement a table. */
export async function readLedgerRows(store: Store): Promise<LedgerRows> {
  const all = <Row>(table: (typeof ledgerTables)[number], map: (row: SqlRow) => Row) =>
    store.read<readonly Row[]>({
      sql: `select * from ${table}`,
      values: [],
      map: (rows) => rows.map(map),
    } satisfies Query<readonly Row[]>);
  return inKeyOrder({
    budgets: await all('budget_day', tables.budgetDays.read),
    scopes: await all('budget_scope', budgetScopes.read),
    wallets: await all('wallet_month', tables.walletMonths.read),
    topups: await all('wallet_topup', tables.walletTopups.read),
    entries: await all('wallet_entry', tables.walletEntries.read),
    holds: await all('hold', tables.holds.read),
    calls: await all('call', tables.calls.read),
    attempts: await all('attempt', tables.attempts.read),
    usage: await all('usage_day', tables.usageDays.read),
    idempotency: await all('idempotency', tables.idempotencyKeys.read),
    answers: await all('answer', tables.answers.read),
    results: await all('result', tables.results.read),
    unclaimed: await all('unclaimed_payment', unclaimedPayments.read),
  });
}

/**
 * The same rows in an order that is the same for every store. An empty response only marks the end
 * of a key, so it is omitted. Usage of zero is also omitted.
 */
export function inKeyOrder(rows: LedgerRows): LedgerRows {
  return {
    budgets: sorted(rows.budgets, (row) => [row.app, row.day]),
    scopes: sorted(rows.scopes, (row) => [row.scope, row.period]),
    wallets: sorted(rows.wallets, (row) => [row.app, row.userId, row.month]),
    topups: sorted(rows.topups, (row) => [row.app, row.userId]),
    entries: sorted(rows.entries, (row) => [row.app, row.userId, row.reference]),
    holds: sorted(rows.holds, (row) => [row.callId]),
    calls: sorted(rows.calls, (row) => [row.callId]),
    attempts: sorted(rows.attempts, (row) => [row.callId, String(row.n)]),
    usage: sorted(rows.usage, (row) => [row.app, row.day, row.model]).filter(saysSomething),
    idempotency: sorted(rows.idempotency, (row) => [row.app, row.keyHash]),
    results: sorted(rows.results, (row) => [row.callId]),
    unclaimed: sorted(rows.unclaimed, (row) => [row.callId]),
    answers: sorted(rows.answers, (row) => [row.callId]).filter(({ body }) => body !== ''),
  };
}

function saysSomething({ calls, errors, unpricedCalls, cost, ...usage }: UsageDay): boolean {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens } = usage;
  const tokens = inputTokens + cachedInputTokens + cacheWriteInputTokens + outputTokens;
  return cost > 0n || calls + errors + unpricedCalls + tokens + usage.reasoningTokens > 0;
}

function sorted<Row>(rows: readonly Row[], keyOf: (row: Row) => readonly string[]): Row[] {
  return rows
    .map((row) => ({ row, key: keyOf(row).join('\n') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);
}
