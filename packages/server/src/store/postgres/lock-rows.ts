import type { LoadedRows } from '../../books/book.ts';
import {
  idempotencyKeyOf,
  type LockedKeys,
  lockedKeysOf,
  mayCountMembers,
} from '../../books/locked-keys.ts';
import type { Operation } from '../../books/operations.ts';
import { type ScopeList, scopeKeyOf, scopeKeysIn } from '../../books/scope.ts';
import { big, optionalText, text } from '../schema/columns.ts';
import { budgetMembers, budgetScopes } from '../schema/scope-tables.ts';
import * as tables from '../schema/tables.ts';
import { unclaimedPayments } from '../schema/unclaimed-table.ts';
import { shareBudgets } from './budgets-lock.ts';
import { keyColumns, type StoredKey } from './key-columns.ts';
import type { Answer, Pipeline, Session } from './pipeline/pipeline.ts';
import type { ScopeHints } from './scope-hints.ts';
import * as sql from './statements.ts';

export interface BeginParts {
  readonly session: Session;
  readonly heartbeatsSince: number;
  /** After a conflict on a new key: keys are then read, not only locked. */
  readonly verifyKeys: boolean;
  readonly scopeHints: ScopeHints;
}

export interface LockedRows {
  readonly rows: LoadedRows;
  /** False if another transaction has locked a row that the operation needs. */
  readonly isFree: (operation: Operation) => boolean;
  readonly isKnownKey: (key: StoredKey) => boolean;
}

/**
 * One round trip, because nearly all rows exist or are new keys. Otherwise, and for corrections, a
 * second attempt creates missing rows first and uses the stored lists and members. Creating and
 * locking follow one order (apps, definitions, days, scopes, wallets, keys), or transactions
 * deadlock.
 */
export async function lockRows(
  batch: readonly Operation[],
  parts: BeginParts,
): Promise<LockedRows> {
  const { session } = parts;
  const lockedKeys = lockedKeysOf(batch);
  if (!parts.verifyKeys) {
    const pipeline = beginOn(session);
    const hinted = parts.scopeHints.keysOf(lockedKeys);
    const locked = queueLocks(pipeline, lockedKeys, parts.heartbeatsSince, {
      hasRevision: hinted.length > 0,
      queue: () => pipeline.queryRows(sql.lockBudgetScopes, keyColumns.scope, hinted),
    });
    await pipeline.flush();
    const rows = readLocked(locked);
    const keys = keysOf(rows);
    const isListed = !mayCountMembers(lockedKeys, rows);
    const hasRevision = hinted.length === 0 || rows.scopes.length > 0;
    if (isListed && hasRevision && isComplete(batch, lockedKeys, rows, keys))
      return { rows, isFree: () => true, ...keys };
    session.rollback();
  }
  const pipeline = beginOn(session);
  queueMissing(pipeline, lockedKeys);
  const sources = [...lockedKeys.callIds, ...lockedKeys.scopes, ...lockedKeys.budgets];
  const locked = queueLocks(pipeline, lockedKeys, parts.heartbeatsSince, {
    hasRevision: false,
    queue: () => pipeline.queryRows(sql.lockListedScopes, keyColumns.scopeSource, sources),
  });
  // Follows the locks on the budgets: a batch that changes a member has locked its budget.
  const members = pipeline.queryRows(sql.selectMembers, keyColumns.budget, lockedKeys.budgets);
  const existing = queueExisting(pipeline, lockedKeys);
  await pipeline.flush();
  const rows = { ...readLocked(locked), members: members.rows.map(budgetMembers.read) };
  return { rows, isFree: createIsFree(rows, readExisting(existing)), ...keysOf(rows) };
}

/** Budget definitions cannot change until the transaction's end. */
function beginOn(session: Session): Pipeline {
  const pipeline = session.begin();
  pipeline.query(shareBudgets);
  return pipeline;
}

function queueMissing(pipeline: Pipeline, lockedKeys: LockedKeys) {
  pipeline.queryRows(sql.createBudgetDays, keyColumns.budget, lockedKeys.budgets);
  pipeline.queryRows(sql.createBudgetScopes, keyColumns.newScope, lockedKeys.scopes);
  pipeline.queryRows(sql.createWalletMonths, keyColumns.newWallet, lockedKeys.wallets);
  pipeline.queryRows(sql.createWalletTopups, keyColumns.topup, lockedKeys.topups);
}

interface ScopeLocks {
  readonly hasRevision: boolean;
  readonly queue: () => Answer;
}

function queueLocks(
  pipeline: Pipeline,
  lockedKeys: LockedKeys,
  heartbeatsSince: number,
  scopes: ScopeLocks,
) {
  const needsRevision = lockedKeys.isReserving && !scopes.hasRevision;
  return {
    budgets: pipeline.queryRows(sql.lockBudgetDays, keyColumns.budget, lockedKeys.budgets),
    revision: needsRevision ? pipeline.query(sql.selectBudgetsRevision) : undefined,
    scopes: scopes.queue(),
    wallets: pipeline.queryRows(sql.lockWalletMonths, keyColumns.wallet, lockedKeys.wallets),
    topups: pipeline.queryRows(sql.lockWalletTopups, keyColumns.topup, lockedKeys.topups),
    keys: pipeline.queryRows(sql.lockIdempotency, keyColumns.idempotency, lockedKeys.idempotency),
    instances:
      lockedKeys.idempotency.length === 0
        ? undefined
        : pipeline.query(sql.selectInstances, [String(heartbeatsSince)]),
    entries: pipeline.queryRows(sql.selectEntries, keyColumns.entry, lockedKeys.entries),
    holds: pipeline.queryRows(sql.selectHolds, keyColumns.callId, lockedKeys.callIds),
    calls: pipeline.queryRows(sql.selectCalls, keyColumns.callId, lockedKeys.callIds),
    attempts: pipeline.queryRows(sql.selectAttempts, keyColumns.callId, lockedKeys.correctedIds),
    unclaimed: pipeline.queryRows(sql.selectUnclaimed, keyColumns.callId, lockedKeys.unclaimedIds),
  };
}

function readLocked(locked: ReturnType<typeof queueLocks>): LoadedRows {
  const instances = locked.instances?.rows ?? [];
  const [day] = locked.budgets.rows;
  const [current] = (locked.revision ?? locked.scopes).rows;
  return {
    budgets: locked.budgets.rows.map(tables.budgetDays.read),
    scopes: locked.scopes.rows.map(budgetScopes.read),
    members: [],
    budgetsRevision: current?.revision === undefined ? 0n : big(current, 'revision'),
    wallets: locked.wallets.rows.map(tables.walletMonths.read),
    topups: locked.topups.rows.map(tables.walletTopups.read),
    idempotency: locked.keys.rows.map(tables.idempotencyKeys.read),
    entries: locked.entries.rows.map(tables.walletEntries.read),
    holds: locked.holds.rows.map(tables.holds.read),
    calls: locked.calls.rows.map(tables.calls.read),
    attempts: locked.attempts.rows.map(tables.attempts.read),
    unclaimed: locked.unclaimed.rows.map(unclaimedPayments.read),
    closedUntil: day && optionalText(day, 'closed_until'),
    liveInstances: new Set(instances.map((row) => text(row, 'id'))),
  };
}

interface ExistingRows {
  readonly wallets: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
}

function queueExisting(pipeline: Pipeline, lockedKeys: LockedKeys) {
  return {
    wallets: pipeline.queryRows(sql.findWalletMonths, keyColumns.wallet, lockedKeys.wallets),
    keys: pipeline.queryRows(sql.findIdempotency, keyColumns.idempotency, lockedKeys.idempotency),
  };
}

function readExisting({ wallets, keys }: ReturnType<typeof queueExisting>): ExistingRows {
  return {
    wallets: new Set(wallets.rows.map((row) => nameOf(row.app, row.user_id, row.month))),
    keys: new Set(keys.rows.map((row) => nameOf(row.app, row.key_hash))),
  };
}

/**
 * A key that only reservations name may be missing. It is new, or its insert fails and the batch is
 * retried with `verifyKeys`.
 */
function isComplete(
  batch: readonly Operation[],
  lockedKeys: LockedKeys,
  rows: LoadedRows,
  { isKnownKey }: Pick<LockedRows, 'isKnownKey'>,
): boolean {
  if (
    rows.budgets.length < lockedKeys.budgets.length ||
    rows.wallets.length < lockedKeys.wallets.length ||
    rows.topups.length < lockedKeys.topups.length
  ) {
    return false;
  }
  const scopes = new Set(rows.scopes.map(scopeKeyOf));
  if (!lockedKeys.scopes.every((key) => scopes.has(scopeKeyOf(key)))) return false;
  if (!hasListed(rows.holds, scopes) || !hasListed(rows.calls, scopes)) return false;
  if (rows.idempotency.length === lockedKeys.idempotency.length) return true;
  return batch.every((operation) => {
    const key = operation.kind === 'reserve' ? undefined : idempotencyKeyOf(operation);
    return key === undefined || isKnownKey(key);
  });
}

/** Checks a shared list once: most calls have the same. */
function hasListed(calls: readonly ScopeList[], scopes: ReadonlySet<string>): boolean {
  let last: string | undefined;
  return calls.every(({ scopes: list }) => {
    if (list === last) return true;
    last = list;
    return scopeKeysIn(list).every((key) => scopes.has(key));
  });
}

function keysOf(rows: LoadedRows): Pick<LockedRows, 'isKnownKey'> {
  const keys = new Set(rows.idempotency.map((row) => nameOf(row.app, row.keyHash)));
  return { isKnownKey: (key) => keys.has(nameOf(key.app, key.keyHash)) };
}

/** An existing row that `skip locked` skipped is locked by another transaction. */
function createIsFree(rows: LoadedRows, existing: ExistingRows): LockedRows['isFree'] {
  const { isKnownKey } = keysOf(rows);
  const wallets = new Set(rows.wallets.map((row) => nameOf(row.app, row.userId, row.month)));
  const topups = new Set(rows.topups.map((row) => nameOf(row.app, row.userId)));
  return (operation) => {
    const own = lockedKeysOf([operation]);
    const isLocked =
      own.idempotency.some((key) => {
        return existing.keys.has(nameOf(key.app, key.keyHash)) && !isKnownKey(key);
      }) ||
      own.wallets.some((key) => {
        const name = nameOf(key.app, key.userId, key.month);
        return existing.wallets.has(name) && !wallets.has(name);
      }) ||
      own.topups.some((key) => !topups.has(nameOf(key.app, key.userId)));
    return !isLocked;
  };
}

function nameOf(...parts: readonly unknown[]): string {
  return parts.join('\n');
}
