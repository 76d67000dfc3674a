import type { Changes } from '../../books/book.ts';
import type {
  AnswerRow,
  AuditLine,
  BudgetDay,
  CallFacts,
  CallRecord,
  Hold,
  IdempotencyRow,
  UsageDay,
  WalletEntry,
  WalletMonth,
  WalletTopup,
} from '../../books/rows.ts';
import { ask, type Columns } from './ask.ts';
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
  ask(trip, sql.updateBudgetDays, budgetColumns, changes.budgets);
  ask(trip, sql.updateWalletMonths, walletColumns, changes.wallets);
  ask(trip, sql.updateWalletTopups, topupColumns, changes.topups);
  ask(trip, sql.insertEntries, entryColumns, changes.entries);
  ask(trip, sql.insertHolds, holdColumns, changes.holdsStarted);
  ask(trip, sql.updateHolds, heldColumns, changes.holdsChanged);
  ask(trip, sql.deleteHolds, idColumn, changes.holdsEnded);
  ask(trip, sql.deleteCalls, idColumn, replaced);
  ask(trip, sql.insertCalls, callColumns, calls);
  ask(trip, sql.addUsage, usageColumns, changes.usage);
  ask(trip, sql.updateIdempotency, keyColumns, knownKeys);
  ask(trip, sql.insertIdempotency, keyColumns, newKeys);
  ask(trip, sql.deleteIdempotency, keyColumns.slice(0, 2), changes.idempotencyForgotten);
  ask(trip, sql.deleteAnswers, idColumn, replacedAnswers);
  ask(trip, sql.insertAnswers, answerColumns, changes.answers);
  ask(trip, sql.insertLines, lineColumns, changes.lines);
}

const idColumn: Columns<string> = [(callId) => callId];

const budgetColumns: Columns<BudgetDay> = [
  (row) => row.app,
  (row) => row.day,
  (row) => row.admittedCap ?? null,
  (row) => row.spent,
  (row) => row.held,
  (row) => row.estimated,
  (row) => row.overrun,
];

const walletColumns: Columns<WalletMonth> = [
  (row) => row.app,
  (row) => row.userId,
  (row) => row.month,
  (row) => row.spentGrant,
  (row) => row.spentTopup,
  (row) => row.heldGrant,
];

const topupColumns: Columns<WalletTopup> = [
  (row) => row.app,
  (row) => row.userId,
  (row) => row.added,
  (row) => row.spent,
  (row) => row.held,
];

const entryColumns: Columns<WalletEntry> = [
  (row) => row.app,
  (row) => row.userId,
  (row) => row.reference,
  (row) => row.amount,
  (row) => row.at,
];

const factColumns: Columns<CallFacts> = [
  (row) => row.callId,
  (row) => row.app,
  (row) => row.day,
  (row) => row.month ?? null,
  (row) => row.userId ?? null,
  (row) => row.route,
  (row) => row.model,
  (row) => row.usageModel,
  (row) => row.priceVersion ?? null,
  (row) => row.keyHash ?? null,
  (row) => row.startedAt,
];

const holdColumns: Columns<Hold> = [
  ...factColumns,
  (row) => row.budgetAmount,
  (row) => row.grantAmount,
  (row) => row.topupAmount,
  (row) => row.extensions,
  (row) => row.owner,
  (row) => row.expiresAt,
];

const heldColumns: Columns<Hold> = [
  (row) => row.callId,
  (row) => row.budgetAmount,
  (row) => row.extensions,
];

const callColumns: Columns<CallRecord> = [
  ...factColumns,
  (row) => row.code,
  (row) => row.tokens.inputTokens,
  (row) => row.tokens.cachedInputTokens,
  (row) => row.tokens.cacheWriteInputTokens,
  (row) => row.tokens.outputTokens,
  (row) => row.tokens.reasoningTokens,
  (row) => row.cost,
  (row) => row.estimated,
  (row) => row.basis,
  (row) => row.attempts,
  (row) => row.upstreamId ?? null,
  (row) => row.endedAt,
  (row) => row.walletGrant,
  (row) => row.walletTopup,
  (row) => row.held,
];

const usageColumns: Columns<UsageDay> = [
  (row) => row.app,
  (row) => row.day,
  (row) => row.model,
  (row) => row.calls,
  (row) => row.errors,
  (row) => row.inputTokens,
  (row) => row.cachedInputTokens,
  (row) => row.cacheWriteInputTokens,
  (row) => row.outputTokens,
  (row) => row.reasoningTokens,
  (row) => row.cost,
  (row) => row.estimated,
  (row) => row.unpricedCalls,
];

const keyColumns: Columns<IdempotencyRow> = [
  (row) => row.app,
  (row) => row.keyHash,
  (row) => row.fingerprint,
  (row) => row.state,
  (row) => row.callId,
  (row) => row.owner,
  (row) => row.expiresAt,
  (row) => row.badOutputs,
];

const answerColumns: Columns<AnswerRow> = [
  (row) => row.callId,
  (row) => row.app,
  (row) => row.keyHash,
  (row) => row.status,
  (row) => row.body,
  (row) => row.at,
];

const lineColumns: Columns<AuditLine> = [
  (row) => row.id,
  (row) => row.at,
  (row) => row.actor,
  (row) => row.action,
  (row) => row.subject,
  (row) => row.before ?? null,
  (row) => row.after ?? null,
  (row) => row.reason ?? null,
  (row) => row.reference ?? null,
  (row) => row.callId ?? null,
];
