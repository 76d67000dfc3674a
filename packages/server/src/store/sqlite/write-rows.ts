import type { Changes } from '../../books/changes.ts';
import type { Hold } from '../../books/rows.ts';
import type { RowStatement } from '../schema/row-statement.ts';
import type { Prepare } from './ledger-rows.ts';
import * as sql from './statements.ts';

/** Writes each row once, without audit lines. */
export function writeChanges(prepare: Prepare, changes: Changes) {
  write(prepare, sql.updateBudgetDay, changes.budgets);
  write(prepare, sql.updateBudgetScope, changes.scopes);
  write(prepare, sql.updateMember, changes.members);
  write(prepare, sql.updateWalletMonth, changes.wallets);
  write(prepare, sql.updateWalletTopup, changes.topups);
  write(prepare, sql.insertWalletEntry, changes.entries);
  writeCalls(prepare, [sql.insertPlainHold, sql.insertHold], changes.holdsStarted);
  write(prepare, sql.updateHold, changes.holdsChanged);
  for (const callId of changes.holdsEnded) prepare(sql.deleteHold).get(callId);
  writeCalls(prepare, [sql.insertPlainCall, sql.insertCall], changes.callsAdded);
  write(prepare, sql.putCall, changes.callsReplaced);
  write(prepare, sql.insertAttempt, changes.attemptsAdded);
  write(prepare, sql.updateAttempt, changes.attemptsChanged);
  write(prepare, sql.addUsageDay, changes.usage);
  write(prepare, sql.addUsageAdjustments, changes.adjustments);
  write(prepare, sql.addCorrection, changes.monthCorrections);
  write(prepare, sql.putIdempotency, changes.idempotency);
  for (const { app, keyHash } of changes.idempotencyRemoved) {
    prepare(sql.deleteIdempotency).get(app, keyHash);
  }
  write(prepare, sql.insertUnclaimed, changes.unclaimedAdded);
  write(prepare, sql.updateUnclaimed, changes.unclaimedChanged);
  for (const callId of changes.unclaimedEnded) prepare(sql.deleteUnclaimed).get(callId);
  write(prepare, sql.insertAnswer, changes.answers);
  write(prepare, sql.insertResult, changes.results);
}

/** Calls without rare values bind fewer values. */
function writeCalls<Row extends RareFacts>(
  prepare: Prepare,
  [plain, whole]: readonly [RowStatement<Omit<Row, keyof RareFacts>>, RowStatement<Row>],
  rows: readonly Row[],
) {
  const isPlain = (row: Row) => sql.rarely.every((name) => row[name] === undefined);
  if (rows.every(isPlain)) write(prepare, plain, rows);
  else write(prepare, whole, rows);
}

type RareFacts = Pick<Hold, (typeof sql.rarely)[number]>;

function write<Row>(prepare: Prepare, statement: RowStatement<Row>, rows: readonly Row[]) {
  if (rows.length === 0) return;
  const prepared = prepare(statement.sql);
  for (const row of rows) prepared.get(...statement.bind(row));
}
