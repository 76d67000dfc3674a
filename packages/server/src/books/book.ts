import assert from 'node:assert';
import { assertChanges } from './assert-changes.ts';
import type { AuditLine } from './audit-line.ts';
import type { Changes } from './changes.ts';
import { createKeyOf } from './key-of.ts';
import {
  createAttempts,
  createCalls,
  createHolds,
  createMembers,
  createUnclaimed,
  table,
} from './row-sets.ts';
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
} from './rows.ts';
import {
  type BudgetMember,
  type BudgetScope,
  type ScopeKey,
  scopeKeyOf,
  scopeKeysIn,
} from './scope.ts';
import { createSums } from './sums.ts';
import type { UnclaimedPayment } from './unclaimed-payment.ts';

/** Rows that a store read under its locks. */
export interface LoadedRows {
  readonly budgets: readonly BudgetDay[];
  /** Claimed by a reservation, or in the lists of the batch's calls. */
  readonly scopes: readonly BudgetScope[];
  /** Of the apps and days of calls that are corrected or had no reservation. */
  readonly members: readonly BudgetMember[];
  readonly budgetsRevision: bigint;
  readonly wallets: readonly WalletMonth[];
  readonly topups: readonly WalletTopup[];
  readonly holds: readonly Hold[];
  readonly calls: readonly CallRecord[];
  /** Of corrected calls; the attempts of a call together, in order. */
  readonly attempts: readonly Attempt[];
  readonly idempotency: readonly IdempotencyRow[];
  readonly entries: readonly WalletEntry[];
  /** Of calls whose result is collected or released. */
  readonly unclaimed: readonly UnclaimedPayment[];
  /**
   * The id before which hours are closed: changes of these calls are also written apart from their
   * rollups. Undefined if no hour is closed.
   */
  readonly closedUntil?: string | undefined;
  /** Running calls of an instance missing here may be taken over. */
  readonly liveInstances: ReadonlySet<string>;
}

/** The working set of one transaction: operation k reads the rows as k−1 left them. */
export type Book = ReturnType<typeof createBook>;

export function createBook(rows: LoadedRows) {
  const keyOf = createKeyOf();
  const budgets = table(rows.budgets, (row) => keyOf(row.app, row.day));
  const scopes = createScopeRows(rows.scopes);
  const members = createMembers(rows.members);
  const wallets = table(rows.wallets, (row) => keyOf(row.app, row.userId, row.month));
  const topups = table(rows.topups, (row) => keyOf(row.app, row.userId));
  const idempotency = table(rows.idempotency, (row) => keyOf(row.app, row.keyHash));
  const holds = createHolds(rows.holds);
  const calls = createCalls(rows.calls);
  const attempts = createAttempts(rows.attempts);
  const entries = table(rows.entries, (row) => keyOf(row.app, row.userId, row.reference));
  const unclaimed = createUnclaimed(rows.unclaimed);
  const sums = createSums(rows.closedUntil);
  const answers = new Map<string, AnswerRow>();
  const results: ResultRow[] = [];
  const lines: AuditLine[] = [];
  return {
    budgets: { get: (app: string, day: string) => budgets.get(keyOf(app, day)), ...budgets.marks },
    scopes,
    members,
    budgetsRevision: rows.budgetsRevision,
    wallets: {
      get: (app: string, userId: string, month: string) => wallets.get(keyOf(app, userId, month)),
      ...wallets.marks,
    },
    topups: {
      get: (app: string, userId: string) => topups.get(keyOf(app, userId)),
      ...topups.marks,
    },
    idempotency: {
      get: (app: string, keyHash: string) => idempotency.get(keyOf(app, keyHash)),
      ...idempotency.marks,
    },
    entries: {
      get: (app: string, userId: string, reference: string) =>
        entries.get(keyOf(app, userId, reference)),
      ...entries.marks,
    },
    ...{ holds, calls, attempts, unclaimed },
    isAlive: (instanceId: string) => rows.liveInstances.has(instanceId),
    /** A call has one answer: a late settlement's answer replaces the one its expiry left. */
    putAnswer: (answer: AnswerRow) => void answers.set(answer.callId, answer),
    /** A call stores one result at most; an expiry stores none. */
    addResult: (result: ResultRow) => void results.push(result),
    addLine: (line: AuditLine) => void lines.push(line),
    addUsage: sums.add,
    takeUsage: sums.take,
    correctMonths: sums.correct,
    changes: (): Changes =>
      assertChanges({
        budgets: budgets.changed(),
        ...{ scopes: scopes.changed(), members: members.changed() },
        ...{ wallets: wallets.changed(), topups: topups.changed() },
        idempotency: idempotency.changed(),
        idempotencyRemoved: idempotency.removed(),
        entries: entries.changed(),
        ...holds.changes(),
        ...calls.changes(),
        ...attempts.changes(),
        ...unclaimed.changes(),
        ...sums.changes(),
        ...{ answers: [...answers.values()], results, lines },
      }),
  };
}

interface ClaimedScopes {
  readonly rows: readonly BudgetScope[];
  readonly list: string | undefined;
}

const noRows: readonly BudgetScope[] = [];
const noClaims: ClaimedScopes = { rows: noRows, list: undefined };

/** Most calls share their lists, so each list is looked up once per batch. */
function createScopeRows(rows: readonly BudgetScope[]) {
  const byKey = new Map(rows.map((row) => [scopeKeyOf(row), row]));
  const byClaims = new Map<readonly ScopeKey[], ClaimedScopes>();
  const byList = new Map<string, readonly BudgetScope[]>();
  const changed = new Set<BudgetScope>();
  return {
    /** In the order of their keys. Throws if one is missing. */
    claimed(claims: readonly ScopeKey[]): ClaimedScopes {
      if (claims.length === 0) return noClaims;
      return byClaims.get(claims) ?? putAndReturn(byClaims, claims, claim(claims));
    },
    /** Throws if one is missing. */
    listed(list: string | undefined): readonly BudgetScope[] {
      if (list === undefined) return noRows;
      return byList.get(list) ?? putAndReturn(byList, list, scopeKeysIn(list).map(rowOf));
    },
    /** Throws if it is missing. */
    of: (key: ScopeKey): BudgetScope => rowOf(scopeKeyOf(key)),
    put: (row: BudgetScope) => void changed.add(row),
    changed: () => [...changed],
  };

  function claim(claims: readonly ScopeKey[]): ClaimedScopes {
    const keys = claims.map(scopeKeyOf).sort();
    assert(new Set(keys).size === keys.length, 'a call claims a budget twice');
    return { rows: keys.map(rowOf), list: JSON.stringify(keys) };
  }

  function rowOf(key: string): BudgetScope {
    const row = byKey.get(key);
    assert(row !== undefined, `no budget row for ${key}`);
    return row;
  }
}

function putAndReturn<Key, Value>(known: Map<Key, Value>, key: Key, value: Value): Value {
  known.set(key, value);
  return value;
}
