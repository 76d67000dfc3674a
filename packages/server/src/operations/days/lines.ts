import type { ReopenedAll } from '../budgets/reopen-budgets.ts';
import { dollars, tableLines } from '../text-lines.ts';
import type { PlannedClosing } from './plan-closing.ts';
import type { Pruned } from './prune.ts';
import type { ReopenedDay } from './reopen-day.ts';
import { type ClosedSummary, openedBy } from './restores.ts';

/** What `days close` is about to book. */
export function closingIntentLines(planned: readonly PlannedClosing[]): readonly string[] {
  if (planned.length === 0) return [];
  const rows = planned.map(({ app, day, bookedUsd }) => [app, day, dollars(bookedUsd)]);
  return [
    'This books as cost, and calls that no longer fit a budget are refused:',
    ...tableLines(['app', 'day', 'books'], rows, '', ['books']),
  ];
}

/** What `days close --all` is about to close, in addition to days. */
export function restoreIntentLines(closing: ClosedSummary | undefined): readonly string[] {
  if (closing === undefined) return [];
  return [
    'This closes every enforced budget of a period that runs, and the wallets, until "days reopen --all" and "wallets reopen --all" open them:',
    closing.count === 0
      ? 'There is none now; a budget that is set later in the period is closed too.'
      : closing.names,
  ];
}

/** What it has closed. */
export function restoredLines(closed: ClosedSummary | undefined): readonly string[] {
  if (closed === undefined || closed.count === 0) return [];
  return [`Closed: ${closed.names}. ${openedBy}.`];
}

/** What `days close` has booked, or would. */
export function closedLines(closed: readonly PlannedClosing[]): readonly string[] {
  const rows = closed.map((row) => [row.app, row.day, dollars(row.bookedUsd), row.callId ?? '-']);
  const head = ['app', 'day', 'booked', 'call'];
  return tableLines(head, rows, 'Nothing is left that could be lost.', ['booked']);
}

/** The amounts that `days reopen` frees. */
export function reopeningIntentLines(planned: readonly ReopenedDay[]): readonly string[] {
  const rows = planned.map(({ app, day, freedUsd }) => [app, day, dollars(freedUsd)]);
  return [
    'This takes back the amounts booked for lost calls, and the budget can be spent again:',
    ...tableLines(['app', 'day', 'frees'], rows, '', ['frees']),
  ];
}

/** What `days reopen` has freed. */
export function reopenedLines(reopened: readonly ReopenedDay[]): readonly string[] {
  const rows = reopened.map((row) => [row.app, row.day, dollars(row.freedUsd), row.callId]);
  return tableLines(['app', 'day', 'freed', 'call'], rows, '', ['freed']);
}

/** What `days reopen --all` is about to open. */
export function reopeningLines(planned: ReopenedAll): readonly string[] {
  return ['This opens, and calls are admitted again:', ...reopenedAllLines(planned)];
}

/** What it has opened. */
export function reopenedAllLines({ budgets, runs, days }: ReopenedAll): readonly string[] {
  const rows = budgets.map(({ name, span, capUsd }) => [name, span, dollars(capUsd)]);
  return [
    ...tableLines(['budget', 'a', 'cap'], rows, 'No other budget is closed.', ['cap']),
    ...(runs === 0 ? [] : [runs === 1 ? '1 run' : `${runs} runs`]),
    ...reopenedLines(days),
  ];
}

/** What `days prune` is about to delete. */
export function plannedPruneLines({ prunedBefore, calls, keptFor }: Pruned): readonly string[] {
  return [
    `This deletes ${recordsOf(calls)} of calls before ${prunedBefore}, for good.`,
    ...keptLines(keptFor),
  ];
}

/** What `days prune` has deleted. */
export function prunedLines({ prunedBefore, calls, keptFor }: Pruned): readonly string[] {
  const kept = keptLines(keptFor);
  if (prunedBefore === null) return ['There was no record to delete.', ...kept];
  return [`${recordsOf(calls)} deleted; those before ${prunedBefore} are gone.`, ...kept];
}

function recordsOf(calls: number): string {
  return calls === 1 ? '1 record' : `${calls} records`;
}

const reasons = {
  hold: 'a call of that day holds money',
  key: 'an idempotency key of it lives',
  sums: 'calls of it are in no sums of reports yet',
};

function keptLines(keptFor: Pruned['keptFor']): readonly string[] {
  if (keptFor === null) return [];
  return [`That day and those after it are kept, since ${reasons[keptFor]}: try again later.`];
}
