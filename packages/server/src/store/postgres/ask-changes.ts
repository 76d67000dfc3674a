import type { Changes } from '../../books/book.ts';
import type { IdempotencyRow } from '../../books/rows.ts';
import { ask, askRows, type Columns } from './ask.ts';
import * as sql from './statements.ts';
import type { Trip } from './trip.ts';

/**
 * Asks for what a batch changed, each row once. `isKnownKey` tells the keys that the store has from
 * new ones.
 */
export function askChanges(
  trip: Trip,
  changes: Changes,
  isKnownKey: (key: IdempotencyRow) => boolean,
) {
  const replaced = changes.callsReplaced.map(({ callId }) => callId);
  const calls = [...changes.callsAdded, ...changes.callsReplaced];
  const replacedAnswers = changes.answers.length === 0 ? [] : replaced;
  const newKeys = changes.idempotency.filter((row) => !isKnownKey(row));
  const knownKeys = changes.idempotency.filter(isKnownKey);
  askRows(trip, sql.updateBudgetDays, changes.budgets);
  askRows(trip, sql.updateWalletMonths, changes.wallets);
  askRows(trip, sql.updateWalletTopups, changes.topups);
  askRows(trip, sql.insertEntries, changes.entries);
  askRows(trip, sql.insertHolds, changes.holdsStarted);
  askRows(trip, sql.updateHolds, changes.holdsChanged);
  ask(trip, sql.deleteHolds, idColumn, changes.holdsEnded);
  ask(trip, sql.deleteCalls, idColumn, replaced);
  askRows(trip, sql.insertCalls, calls);
  askRows(trip, sql.addUsage, changes.usage);
  askRows(trip, sql.updateIdempotency, knownKeys);
  askRows(trip, sql.insertIdempotency, newKeys);
  ask(trip, sql.deleteIdempotency, keyOfKey, changes.idempotencyForgotten);
  ask(trip, sql.deleteAnswers, idColumn, replacedAnswers);
  askRows(trip, sql.insertAnswers, changes.answers);
  askRows(trip, sql.insertResults, changes.results);
  askRows(trip, sql.insertLines, changes.lines);
}

const idColumn: Columns<string> = [(callId) => callId];
const keyOfKey: Columns<IdempotencyRow> = [(row) => row.app, (row) => row.keyHash];
