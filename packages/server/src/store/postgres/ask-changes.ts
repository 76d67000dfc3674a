import type { Changes } from '../../books/book.ts';
import type { IdempotencyRow } from '../../books/rows.ts';
import { ask, askRows, type Columns } from './pipeline/ask.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import * as sql from './statements.ts';

/**
 * Asks for what a batch changed, each row once. `isKnownKey` tells the keys that the store has from
 * new ones.
 */
export function askChanges(
  pipeline: Pipeline,
  changes: Changes,
  isKnownKey: (key: IdempotencyRow) => boolean,
) {
  const replaced = changes.callsReplaced.map(({ callId }) => callId);
  const calls = [...changes.callsAdded, ...changes.callsReplaced];
  const replacedAnswers = changes.answers.length === 0 ? [] : replaced;
  const newKeys = changes.idempotency.filter((row) => !isKnownKey(row));
  const knownKeys = changes.idempotency.filter(isKnownKey);
  askRows(pipeline, sql.updateBudgetDays, changes.budgets);
  askRows(pipeline, sql.updateWalletMonths, changes.wallets);
  askRows(pipeline, sql.updateWalletTopups, changes.topups);
  askRows(pipeline, sql.insertEntries, changes.entries);
  askRows(pipeline, sql.insertHolds, changes.holdsStarted);
  askRows(pipeline, sql.updateHolds, changes.holdsChanged);
  ask(pipeline, sql.deleteHolds, idColumn, changes.holdsEnded);
  ask(pipeline, sql.deleteCalls, idColumn, replaced);
  askRows(pipeline, sql.insertCalls, calls);
  askRows(pipeline, sql.addUsage, changes.usage);
  askRows(pipeline, sql.updateIdempotency, knownKeys);
  askRows(pipeline, sql.insertIdempotency, newKeys);
  ask(pipeline, sql.deleteIdempotency, keyOfKey, changes.idempotencyForgotten);
  ask(pipeline, sql.deleteAnswers, idColumn, replacedAnswers);
  askRows(pipeline, sql.insertAnswers, changes.answers);
  askRows(pipeline, sql.insertResults, changes.results);
  askRows(pipeline, sql.insertLines, changes.lines);
}

const idColumn: Columns<string> = [(callId) => callId];
const keyOfKey: Columns<IdempotencyRow> = [(row) => row.app, (row) => row.keyHash];
