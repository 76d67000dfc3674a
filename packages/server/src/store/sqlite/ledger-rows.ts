import assert from 'node:assert';
import type { StatementSync } from 'node:sqlite';
import type { Changes, LoadedRows } from '../../books/book.ts';
import type { CallFacts, CallRecord, Hold, UsageDay } from '../../books/rows.ts';
import type { TouchedRows, WalletKey } from '../../books/touched.ts';
import { insertAuditLine } from '../audit-lines.ts';
import { text } from '../columns.ts';
import type { SqlRow, SqlValue } from '../port.ts';
import {
  readBudgetDay,
  readCall,
  readWalletEntry,
  readWalletMonth,
  readWalletTopup,
} from '../rows.ts';
import { readHotHold, readHotIdempotency } from './hot-rows.ts';
import * as sql from './statements.ts';

/**
 * Prepares a statement once. One that changes rows is run by `get` as well, and wholly: it answers
 * undefined, where `run` would make an object of counts that nobody reads.
 */
export type Prepare = (sql: string) => StatementSync;

/** Reads the rows that a batch touches, and makes those that a first call needs. */
export function loadRows(prepare: Prepare, touched: TouchedRows, ownersSince: number): LoadedRows {
  const callIds = JSON.stringify(touched.callIds);
  const owners = touched.idempotency.length === 0 ? [] : prepare(sql.selectOwners).all(ownersSince);
  return {
    budgets: read(prepare, touched.budgets, {
      select: sql.selectBudgetDay,
      values: ({ app, day }) => [app, day],
      map: readBudgetDay,
      make: ({ app, day }) => prepare(sql.createBudgetDay).get(app, day),
    }),
    wallets: read(prepare, touched.wallets, {
      select: sql.selectWalletMonth,
      values: ({ app, userId, month }) => [app, userId, month],
      map: readWalletMonth,
      make: (key) => makeWalletMonth(prepare, key),
    }),
    topups: read(prepare, touched.topups, {
      select: sql.selectWalletTopup,
      values: ({ app, userId }) => [app, userId],
      map: readWalletTopup,
      make: ({ app, userId }) => prepare(sql.createWalletTopup).get(app, userId),
    }),
    entries: read(prepare, touched.entries, {
      select: sql.selectWalletEntry,
      values: ({ app, userId, reference }) => [app, userId, reference],
      map: readWalletEntry,
    }),
    idempotency: [...Map.groupBy(touched.idempotency, (key) => key.app)].flatMap(([app, keys]) =>
      readByPlace(prepare, sql.selectIdempotency, readHotIdempotency, [
        app,
        JSON.stringify(keys.map((key) => key.keyHash)),
      ]),
    ),
    holds: readByPlace(prepare, sql.selectHolds, readHotHold, [callIds]),
    calls: prepare(sql.selectCalls).all(callIds).map(readCall),
    liveOwners: new Set(owners.map((row) => text(row, 'id'))),
  };
}

function makeWalletMonth(prepare: Prepare, { app, userId, month, created }: WalletKey) {
  if (created === undefined) return;
  const { granted, picoUsdPerCredit } = created;
  prepare(sql.createWalletMonth).get(app, userId, month, granted, picoUsdPerCredit);
}

/** Reads a row for each key, and makes one that is missing: all but the first calls find theirs. */
function read<Key, Row>(
  prepare: Prepare,
  keys: readonly Key[],
  of: {
    readonly select: string;
    readonly values: (key: Key) => SqlValue[];
    readonly map: (row: SqlRow) => Row;
    readonly make?: (key: Key) => void;
  },
): Row[] {
  const statement = prepare(of.select);
  const rows: Row[] = [];
  for (const key of keys) {
    const values = of.values(key);
    let row = statement.get(...values);
    if (row === undefined && of.make !== undefined) {
      of.make(key);
      row = statement.get(...values);
    }
    if (row !== undefined) rows.push(of.map(row));
  }
  return rows;
}

/** One statement for many keys costs a tenth of a statement for each that finds nothing. */
function readByPlace<Row>(
  prepare: Prepare,
  select: string,
  map: (row: readonly unknown[]) => Row,
  values: SqlValue[],
): Row[] {
  const statement = prepare(select);
  statement.setReturnArrays(true);
  return statement.all(...values).map((row) => {
    assert(Array.isArray(row), 'a statement that returns arrays answered an object');
    return map(row);
  });
}

/** Writes what a batch changed, each row once. */
export function writeChanges(prepare: Prepare, changes: Changes) {
  for (const row of changes.budgets) {
    const { app, day, admittedCap = null, spent, held, estimated, overrun } = row;
    prepare(sql.updateBudgetDay).get(admittedCap, spent, held, estimated, overrun, app, day);
  }
  for (const row of changes.wallets) {
    const { app, userId, month, spentGrant, spentTopup, heldGrant } = row;
    prepare(sql.updateWalletMonth).get(spentGrant, spentTopup, heldGrant, app, userId, month);
  }
  for (const { app, userId, added, spent, held } of changes.topups) {
    prepare(sql.updateWalletTopup).get(added, spent, held, app, userId);
  }
  for (const { app, userId, reference, amount, at } of changes.entries) {
    prepare(sql.insertWalletEntry).get(app, userId, reference, amount, at);
  }
  for (const hold of changes.holdsStarted) prepare(sql.insertHold).get(...holdValues(hold));
  for (const hold of changes.holdsChanged) {
    prepare(sql.updateHold).get(hold.budgetAmount, hold.extensions, hold.callId);
  }
  for (const callId of changes.holdsEnded) prepare(sql.deleteHold).get(callId);
  for (const call of changes.callsAdded) prepare(sql.putCall).get(...callValues(call));
  for (const call of changes.callsReplaced) prepare(sql.putCall).get(...callValues(call));
  for (const usage of changes.usage) prepare(sql.addUsageDay).get(...usageValues(usage));
  writeIdempotency(prepare, changes);
  writeLines(prepare, changes);
}

function writeLines(prepare: Prepare, { lines }: Changes) {
  for (const line of lines) {
    const { sql: insert, values } = insertAuditLine(line);
    prepare(insert).get(...values);
  }
}

function writeIdempotency(prepare: Prepare, changes: Changes) {
  for (const row of changes.idempotency) {
    const { app, keyHash, fingerprint, state, callId, owner, expiresAt, badOutputs } = row;
    prepare(sql.putIdempotency).get(
      ...[app, keyHash, fingerprint, state, callId, owner, expiresAt, badOutputs],
    );
  }
  for (const row of changes.idempotencyForgotten) {
    prepare(sql.deleteIdempotency).get(row.app, row.keyHash);
  }
  for (const { callId, app, keyHash, status, body, at } of changes.answers) {
    prepare(sql.insertAnswer).get(callId, app, keyHash, status, body, at);
  }
}

function factsValues(facts: CallFacts): SqlValue[] {
  return [
    facts.callId,
    facts.app,
    facts.day,
    facts.month ?? null,
    facts.userId ?? null,
    facts.route,
    facts.model,
    facts.usageModel,
    facts.priceVersion ?? null,
    facts.keyHash ?? null,
    facts.startedAt,
  ];
}

function holdValues(hold: Hold): SqlValue[] {
  return [
    ...factsValues(hold),
    hold.budgetAmount,
    hold.grantAmount,
    hold.topupAmount,
    hold.extensions,
    hold.owner,
    hold.expiresAt,
  ];
}

function callValues(call: CallRecord): SqlValue[] {
  return [
    ...factsValues(call),
    call.code,
    call.tokens.inputTokens,
    call.tokens.cachedInputTokens,
    call.tokens.cacheWriteInputTokens,
    call.tokens.outputTokens,
    call.tokens.reasoningTokens,
    call.cost,
    call.estimated,
    call.basis,
    call.attempts,
    call.upstreamId ?? null,
    call.endedAt,
    call.walletGrant,
    call.walletTopup,
    call.held,
  ];
}

function usageValues(usage: UsageDay): SqlValue[] {
  return [
    usage.app,
    usage.day,
    usage.model,
    usage.calls,
    usage.errors,
    usage.inputTokens,
    usage.cachedInputTokens,
    usage.cacheWriteInputTokens,
    usage.outputTokens,
    usage.reasoningTokens,
    usage.cost,
    usage.estimated,
    usage.unpricedCalls,
  ];
}
