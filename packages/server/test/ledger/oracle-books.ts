import type { ScopeClaim } from '../../src/books/claims.ts';
import type { Reserve } from '../../src/books/operations.ts';
import type {
  AnswerRow,
  Attempt,
  BudgetDay,
  CallRecord,
  Hold,
  IdempotencyRow,
  ResultRow,
  WalletEntry,
  WalletMonth,
  WalletTopup,
} from '../../src/books/rows.ts';
import type { BudgetScope, ScopeKey } from '../../src/books/scope.ts';
import type { UnclaimedPayment } from '../../src/books/unclaimed-payment.ts';
import { inKeyOrder, type LedgerRows } from '../conformance/ledger-rows.ts';
import { usageOf } from './oracle-usage.ts';

/** An open reservation, with its first amount. */
export interface OpenHold extends Hold {
  readonly firstAmount: bigint;
}

/** All events, as lists. Sums are not stored, but computed for each query. */
export interface OracleBooks {
  readonly caps: readonly { readonly app: string; readonly cap: bigint | undefined }[];
  readonly instances: readonly { readonly instanceId: string; readonly at: number }[];
  /** Days that have a row, with their limit. */
  readonly days: readonly DayCap[];
  /** The limit under which each reservation or extension was admitted, in order. */
  readonly admissions: readonly DayCap[];
  /** The revision of the budgets' definitions. */
  readonly revision: bigint;
  /** Budgets other than daily budgets that have a row. */
  readonly scopes: readonly ScopeClaim[];
  /** The limit of each admission into such a budget, in order; undefined without a limit. */
  readonly scopeAdmissions: readonly { readonly key: string; readonly cap: bigint | undefined }[];
  /** Rejections that budgets in shadow mode would have made. */
  readonly shadowed: readonly { readonly key: string; readonly amount: bigint }[];
  /** Wallets that have a row. */
  readonly months: readonly (Wallet & Grant)[];
  readonly savers: readonly { readonly app: string; readonly userId: string }[];
  readonly entries: readonly WalletEntry[];
  readonly holds: readonly OpenHold[];
  readonly calls: readonly CallRecord[];
  readonly attempts: readonly Attempt[];
  readonly keys: readonly IdempotencyRow[];
  readonly answers: readonly AnswerRow[];
  readonly results: readonly ResultRow[];
  readonly unclaimed: readonly UnclaimedPayment[];
}

interface DayCap {
  readonly app: string;
  readonly day: string;
  readonly cap: bigint | undefined;
}

interface Wallet {
  readonly app: string;
  readonly userId: string;
  readonly month: string;
}

interface Grant {
  readonly granted: bigint;
  readonly picoUsdPerCredit: bigint;
}

export const emptyBooks: OracleBooks = {
  caps: [],
  instances: [],
  days: [],
  admissions: [],
  revision: 0n,
  scopes: [],
  scopeAdmissions: [],
  shadowed: [],
  months: [],
  savers: [],
  entries: [],
  holds: [],
  calls: [],
  attempts: [],
  keys: [],
  answers: [],
  results: [],
  unclaimed: [],
};

/** A day's budget. A day without a row has its app's limit. */
export function budgetOf(books: OracleBooks, app: string, day: string): BudgetDay {
  const calls = books.calls.filter((call) => call.app === app && call.day === day);
  const holds = books.holds.filter((hold) => hold.app === app && hold.day === day);
  const known = books.days.find((row) => row.app === app && row.day === day);
  const admissions = books.admissions.filter((row) => row.app === app && row.day === day);
  return {
    app,
    day,
    cap: (known ?? books.caps.find((row) => row.app === app))?.cap,
    admittedCap: admissions.at(-1)?.cap,
    spent: sum(calls, (call) => call.cost),
    held: sum(holds, (hold) => hold.budgetAmount),
    estimated: sum(calls, (call) => call.estimated),
    overrun: sum(calls, (call) => (call.cost > call.held ? call.cost - call.held : 0n)),
  };
}

/** A budget other than the daily budget, with the amounts of its calls. */
export function scopeOf(books: OracleBooks, claim: ScopeClaim): BudgetScope {
  const key = nameOf(claim);
  const calls = books.calls.filter((call) => listedIn(call.scopes).includes(key));
  const holds = books.holds.filter((hold) => listedIn(hold.scopes).includes(key));
  const shadowed = books.shadowed.filter((row) => row.key === key);
  const { scope, period, cap, mode } = claim;
  return {
    ...{ scope, period, cap, mode, brought: 0n, pruned: 0n },
    admittedCap: books.scopeAdmissions.filter((row) => row.key === key).at(-1)?.cap,
    spent: sum(calls, (call) => call.cost),
    held: sum(holds, (hold) => hold.budgetAmount),
    estimated: sum(calls, (call) => call.estimated),
    overrun: sum(calls, (call) => (call.cost > call.held ? call.cost - call.held : 0n)),
    wouldRefuse: BigInt(shadowed.length),
    wouldRefuseAmount: sum(shadowed, ({ amount }) => amount),
  };
}

/** A budget's name in the list of a call. */
export function nameOf({ scope, period }: ScopeKey): string {
  return [scope, period].join('@');
}

/** The budgets of a list. */
export function listedIn(list: string | undefined): readonly string[] {
  return list === undefined ? [] : JSON.parse(list);
}

/** The rest of a month's grant. A month without a row begins with `created`. */
export function remainingGrant(
  books: OracleBooks,
  wallet: Wallet,
  created: Grant | undefined,
): bigint {
  const { granted, spentGrant, heldGrant } = monthOf(books, wallet, created);
  return granted - spentGrant - heldGrant;
}

/** The rest of a user's top-ups. */
export function remainingTopup(books: OracleBooks, app: string, userId: string): bigint {
  const { added, spent, held } = topupOf(books, app, userId);
  return added - spent - held;
}

/** The available credits of a wallet, without its reservations. */
export function availableCredits(books: OracleBooks, wallet: Wallet, created: Grant) {
  const month = monthOf(books, wallet, created);
  const topup = topupOf(books, wallet.app, wallet.userId);
  return {
    available:
      remainingGrant(books, wallet, created) + remainingTopup(books, wallet.app, wallet.userId),
    held: month.heldGrant + topup.held,
    picoUsdPerCredit: month.picoUsdPerCredit,
  };
}

/** Everything as the rows of a store. */
export function rowsOf(books: OracleBooks): LedgerRows {
  return inKeyOrder({
    budgets: books.days.map(({ app, day }) => budgetOf(books, app, day)),
    scopes: books.scopes.map((scope) => scopeOf(books, scope)),
    wallets: books.months.map((wallet) => monthOf(books, wallet, undefined)),
    topups: books.savers.map(({ app, userId }) => topupOf(books, app, userId)),
    entries: books.entries,
    holds: books.holds.map(({ firstAmount, ...hold }) => hold),
    calls: books.calls,
    attempts: books.attempts,
    usage: usageOf(books.calls, books.attempts),
    idempotency: books.keys,
    answers: books.answers,
    results: books.results,
    unclaimed: books.unclaimed,
  });
}

function monthOf(books: OracleBooks, of: Wallet, created: Grant | undefined): WalletMonth {
  const { app, userId, month } = of;
  const isOf = (row: { app: string; userId: string | undefined; month: string | undefined }) =>
    row.app === app && row.userId === userId && row.month === month;
  const known = books.months.find(isOf) ?? created;
  const calls = books.calls.filter(isOf);
  return {
    app,
    userId,
    month,
    granted: known?.granted ?? 0n,
    picoUsdPerCredit: known?.picoUsdPerCredit ?? 0n,
    spentGrant: sum(calls, (call) => call.walletGrant),
    spentTopup: sum(calls, (call) => call.walletTopup),
    heldGrant:
      sum(books.holds.filter(isOf), (hold) => hold.grantAmount) +
      sum(books.unclaimed.filter(isOf), ({ grantHeld }) => grantHeld),
  };
}

function topupOf(books: OracleBooks, app: string, userId: string): WalletTopup {
  const isOf = (row: { app: string; userId: string | undefined }) =>
    row.app === app && row.userId === userId;
  return {
    app,
    userId,
    added: sum(books.entries.filter(isOf), (entry) => entry.amount),
    spent: sum(books.calls.filter(isOf), (call) => call.walletTopup),
    held:
      sum(books.holds.filter(isOf), (hold) => hold.topupAmount) +
      sum(books.unclaimed.filter(isOf), ({ topupHeld }) => topupHeld),
  };
}

function sum<Row>(rows: readonly Row[], amountOf: (row: Row) => bigint): bigint {
  return rows.reduce((total, row) => total + amountOf(row), 0n);
}

/** The largest amount of a column. */
export const most = 2n ** 63n - 1n;

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Whether two rows belong to one user's month. */
export function isWallet(row: Wallet, other: Wallet): boolean {
  return row.app === other.app && row.userId === other.userId && row.month === other.month;
}

/** At most the available credits, which include the call's own payment. */
export function payFromWallet(books: OracleBooks, call: CallRecord, cost: bigint) {
  const { app, userId, month } = call;
  if (userId === undefined || month === undefined) return {};
  const unpaid = { ...call, walletGrant: 0n, walletTopup: 0n };
  const without = books.calls.map((row) => (row === call ? unpaid : row));
  const before: OracleBooks = { ...books, calls: without };
  const walletGrant = least(cost, remainingGrant(before, { app, userId, month }, undefined));
  const walletTopup = least(cost - walletGrant, remainingTopup(before, app, userId));
  return { walletGrant, walletTopup };
}

/** An instance without a heartbeat for this time is dead. */
const instanceDeadMs = 10_000;

/** Whether a process was seen recently, or ever where that suffices, or is the caller itself. */
export function isAlive(
  books: OracleBooks,
  instanceId: string,
  { asking, goesByTime }: { readonly asking: Reserve; readonly goesByTime: boolean },
): boolean {
  const seenAt = books.instances.find((row) => row.instanceId === instanceId)?.at;
  const since = goesByTime ? asking.now - instanceDeadMs : 0;
  return (seenAt !== undefined && seenAt > since) || instanceId === asking.instanceId;
}
