import assert from 'node:assert';
import type { StatementSync } from 'node:sqlite';
import type { LoadedRows } from '../../books/book.ts';
import {
  type ClaimedScope,
  type LockedKeys,
  mayCountMembers,
  type WalletKey,
} from '../../books/locked-keys.ts';
import type { Attempt, CallRecord, Hold } from '../../books/rows.ts';
import {
  type BudgetMember,
  type ScopeKey,
  type ScopeList,
  scopeKeyFrom,
  scopeKeyOf,
  scopeKeysIn,
} from '../../books/scope.ts';
import type { SqlValue } from '../port/port.ts';
import { big, text } from '../schema/columns.ts';
import { createReader } from '../schema/describe.ts';
import { budgetMembers, budgetScopes } from '../schema/scope-tables.ts';
import type { Table } from '../schema/table.ts';
import * as tables from '../schema/tables.ts';
import { unclaimedPayments } from '../schema/unclaimed-table.ts';
import * as sql from './statements.ts';

/**
 * Prepares each statement once. Writes also use `get`: it runs them fully, and `run` would create
 * an unread object of counts.
 */
export type Prepare = (sql: string) => StatementSync;

// Rows are read by index: rows with column names take half as long again to create and to read.
const readBudgetDay = createRowReader(tables.budgetDays);
const readBudgetScope = createRowReader(budgetScopes);
const readMember = createRowReader(budgetMembers);
const readWalletMonth = createRowReader(tables.walletMonths);
const readWalletTopup = createRowReader(tables.walletTopups);
const readWalletEntry = createRowReader(tables.walletEntries);
const readHold = createRowReader(tables.holds);
const readKey = createRowReader(tables.idempotencyKeys);
const readUnclaimed = createRowReader(unclaimedPayments);

function createRowReader<Row>({
  describe,
  columns,
}: Table<Row>): (values: readonly unknown[]) => Row {
  return createReader(
    describe,
    columns.map(({ name }) => name),
  );
}

export function loadRows(prepare: Prepare, lockedKeys: LockedKeys): LoadedRows {
  const callIds = JSON.stringify(lockedKeys.callIds);
  const holds = readAsLists(prepare, sql.selectHolds, readHold, [callIds]);
  const calls = prepare(sql.selectCalls).all(callIds).map(tables.calls.read);
  // One process owns all reservations, and none ends without it: no clock is needed.
  const members = loadMembers(prepare, lockedKeys, holds, calls);
  const instances = lockedKeys.idempotency.length === 0 ? [] : prepare(sql.selectInstances).all();
  return {
    budgets: read(prepare, lockedKeys.budgets, {
      select: sql.selectBudgetDay,
      values: ({ app, day }) => [app, day],
      map: readBudgetDay,
      make: ({ app, day }) => prepare(sql.createBudgetDay).get(app, day),
    }),
    wallets: read(prepare, lockedKeys.wallets, {
      select: sql.selectWalletMonth,
      values: ({ app, userId, month }) => [app, userId, month],
      map: readWalletMonth,
      make: (key) => makeWalletMonth(prepare, key),
    }),
    topups: read(prepare, lockedKeys.topups, {
      select: sql.selectWalletTopup,
      values: ({ app, userId }) => [app, userId],
      map: readWalletTopup,
      make: ({ app, userId }) => prepare(sql.createWalletTopup).get(app, userId),
    }),
    entries: read(prepare, lockedKeys.entries, {
      select: sql.selectWalletEntry,
      values: ({ app, userId, reference }) => [app, userId, reference],
      map: readWalletEntry,
    }),
    idempotency: [...Map.groupBy(lockedKeys.idempotency, (key) => key.app)].flatMap(([app, keys]) =>
      readAsLists(prepare, sql.selectIdempotency, readKey, [
        app,
        JSON.stringify(keys.map((key) => key.keyHash)),
      ]),
    ),
    holds,
    calls,
    members,
    ...loadScopes(prepare, lockedKeys, [...holds, ...calls], members),
    attempts: loadAttempts(prepare, lockedKeys),
    unclaimed: loadUnclaimed(prepare, lockedKeys),
    closedUntil: closedUntilOf(prepare),
    liveInstances: new Set(instances.map((row) => text(row, 'id'))),
  };
}

function closedUntilOf(prepare: Prepare): string | undefined {
  const row = prepare(sql.selectClosedUntil).get();
  return row && text(row, 'closed_until');
}

/** Skipped if each call has a reservation: its list names all its budgets. */
function loadMembers(
  prepare: Prepare,
  lockedKeys: LockedKeys,
  holds: readonly Hold[],
  calls: readonly CallRecord[],
): readonly BudgetMember[] {
  if (!mayCountMembers(lockedKeys, { holds, calls })) return [];
  return lockedKeys.budgets.flatMap(({ app, day }) =>
    readAsLists(prepare, sql.selectMembers, readMember, [app, day]),
  );
}

function loadScopes(
  prepare: Prepare,
  { scopes: claims, isReserving }: LockedKeys,
  listed: readonly ScopeList[],
  members: readonly BudgetMember[],
): Pick<LoadedRows, 'scopes' | 'budgetsRevision'> {
  const current = isReserving ? prepare(sql.selectBudgetsRevision).get() : undefined;
  const budgetsRevision = current === undefined ? 0n : big(current, 'value');
  const keys = new Map<string, ClaimedScope | ScopeKey>();
  for (const list of new Set(listed.map(({ scopes }) => scopes))) {
    for (const key of scopeKeysIn(list)) keys.set(key, scopeKeyFrom(key));
  }
  for (const member of members) keys.set(scopeKeyOf(member), member);
  for (const claim of claims) keys.set(scopeKeyOf(claim), claim);
  const scopes = read(prepare, [...keys.values()], {
    select: sql.selectBudgetScope,
    values: ({ scope, period }) => [scope, period],
    map: readBudgetScope,
    make(key) {
      if (!('revision' in key) || key.revision !== budgetsRevision) return;
      prepare(sql.createBudgetScope).get(key.scope, key.period, key.cap, key.mode);
    },
  });
  return { scopes, budgetsRevision };
}

function loadAttempts(prepare: Prepare, { correctedIds }: LockedKeys): readonly Attempt[] {
  if (correctedIds.length === 0) return [];
  return prepare(sql.selectAttempts).all(JSON.stringify(correctedIds)).map(tables.attempts.read);
}

function loadUnclaimed(prepare: Prepare, { unclaimedIds }: LockedKeys) {
  if (unclaimedIds.length === 0) return [];
  return readAsLists(prepare, sql.selectUnclaimed, readUnclaimed, [JSON.stringify(unclaimedIds)]);
}

function makeWalletMonth(prepare: Prepare, { app, userId, month, created }: WalletKey) {
  if (created === undefined) return;
  const { granted, picoUsdPerCredit } = created;
  prepare(sql.createWalletMonth).get(app, userId, month, granted, picoUsdPerCredit);
}

/** Creates a missing row: only first calls lack theirs. */
function read<Key, Row>(
  prepare: Prepare,
  keys: readonly Key[],
  {
    select,
    values,
    map,
    make,
  }: {
    readonly select: string;
    readonly values: (key: Key) => SqlValue[];
    readonly map: (row: readonly unknown[]) => Row;
    readonly make?: (key: Key) => void;
  },
): Row[] {
  if (keys.length === 0) return [];
  const statement = prepare(select);
  statement.setReturnArrays(true);
  const rows: Row[] = [];
  for (const key of keys) {
    const bound = values(key);
    let row = statement.get(...bound);
    if (row === undefined && make !== undefined) {
      make(key);
      row = statement.get(...bound);
    }
    if (row !== undefined) rows.push(map(listOf(row)));
  }
  return rows;
}

/** For keys that often match nothing: a tenth of the cost of one statement per key. */
function readAsLists<Row>(
  prepare: Prepare,
  select: string,
  map: (row: readonly unknown[]) => Row,
  values: SqlValue[],
): Row[] {
  const statement = prepare(select);
  statement.setReturnArrays(true);
  return statement.all(...values).map((row) => map(listOf(row)));
}

function listOf(row: unknown): readonly unknown[] {
  if (Array.isArray(row)) return row;
  assert.fail('a statement that returns arrays returned an object');
}
