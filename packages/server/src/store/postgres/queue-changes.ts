import type { Changes } from '../../books/changes.ts';
import type { IdempotencyRow } from '../../books/rows.ts';
import type { Columns, Pipeline } from './pipeline/pipeline.ts';
import * as sql from './statements.ts';

export function queueChanges(
  pipeline: Pipeline,
  changes: Changes,
  isKnownKey: (key: IdempotencyRow) => boolean,
) {
  const replaced = changes.callsReplaced.map(({ callId }) => callId);
  const calls = [...changes.callsAdded, ...changes.callsReplaced];
  const replacedAnswers = changes.answers.length === 0 ? [] : replaced;
  const newKeys = changes.idempotency.filter((row) => !isKnownKey(row));
  const knownKeys = changes.idempotency.filter(isKnownKey);
  queueBudgets(pipeline, changes);
  pipeline.writeRows(sql.updateMembers, changes.members);
  pipeline.writeRows(sql.updateWalletMonths, changes.wallets);
  pipeline.writeRows(sql.updateWalletTopups, changes.topups);
  pipeline.writeRows(sql.insertEntries, changes.entries);
  pipeline.writeRows(sql.insertHolds, changes.holdsStarted);
  pipeline.writeRows(sql.updateHolds, changes.holdsChanged);
  pipeline.queryRows(sql.deleteHolds, idColumn, changes.holdsEnded);
  pipeline.queryRows(sql.deleteCalls, idColumn, replaced);
  pipeline.writeRows(sql.insertCalls, calls);
  pipeline.writeRows(sql.insertAttempts, changes.attemptsAdded);
  pipeline.writeRows(sql.updateAttempts, changes.attemptsChanged);
  pipeline.writeRows(sql.addUsage, changes.usage);
  pipeline.writeRows(sql.addAdjustments, changes.adjustments);
  pipeline.writeRows(sql.addCorrections, changes.monthCorrections);
  pipeline.writeRows(sql.updateIdempotency, knownKeys);
  pipeline.writeRows(sql.insertIdempotency, newKeys);
  pipeline.queryRows(sql.deleteIdempotency, keyOfKey, changes.idempotencyRemoved);
  pipeline.writeRows(sql.insertUnclaimed, changes.unclaimedAdded);
  pipeline.writeRows(sql.updateUnclaimed, changes.unclaimedChanged);
  pipeline.queryRows(sql.deleteUnclaimed, idColumn, changes.unclaimedEnded);
  pipeline.queryRows(sql.deleteAnswers, idColumn, replacedAnswers);
  pipeline.writeRows(sql.insertAnswers, changes.answers);
  pipeline.writeRows(sql.insertResults, changes.results);
}

function queueBudgets(pipeline: Pipeline, { budgets, scopes }: Changes) {
  if (budgets.length > 0 && scopes.length > 0) {
    pipeline.writeBoth(sql.updateBudgets, budgets, scopes);
    return;
  }
  pipeline.writeRows(sql.updateBudgetDays, budgets);
  pipeline.writeRows(sql.updateBudgetScopes, scopes);
}

const idColumn: Columns<string> = [(callId) => callId];
const keyOfKey: Columns<IdempotencyRow> = [(row) => row.app, (row) => row.keyHash];
