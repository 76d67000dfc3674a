import { dollars, tableLines } from '../description/text-lines.ts';
import type { AllReopened, CallsPruned, DaysClosed, DaysReopened } from '../documents/days.ts';

export function closingIntentLines(
  planned: DaysClosed,
  restored: string | undefined,
): readonly string[] {
  const rows = planned.map(({ app, day, bookedUsd }) => [app, day, dollars(bookedUsd)]);
  const books = 'This books as cost, and calls that no longer fit a budget are refused:';
  return [
    ...(rows.length === 0 ? [] : [books]),
    ...(rows.length === 0 ? [] : tableLines(['app', 'day', 'books'], rows, '', ['books'])),
    ...(restored === undefined ? [] : [closesAll, restored || noBudget]),
  ];
}

const closesAll =
  'This closes every enforced budget of a period that runs, and the wallets, until "days reopen --all" and "wallets reopen --all" open them:';
const noBudget = 'There is none now; a budget that is set later in the period is closed too.';

export function closedLines(closed: DaysClosed): readonly string[] {
  const rows = closed.map((row) => [row.app, row.day, dollars(row.bookedUsd), row.callId ?? '-']);
  const head = ['app', 'day', 'booked', 'call'];
  return tableLines(head, rows, 'Nothing is left that could be lost.', ['booked']);
}

export function reopeningIntentLines(planned: DaysReopened): readonly string[] {
  const rows = planned.map(({ app, day, freedUsd }) => [app, day, dollars(freedUsd)]);
  return [
    'This takes back the amounts booked for lost calls, and the budget can be spent again:',
    ...tableLines(['app', 'day', 'frees'], rows, '', ['frees']),
  ];
}

export function reopenedLines(reopened: DaysReopened): readonly string[] {
  const rows = reopened.map((row) => [row.app, row.day, dollars(row.freedUsd), row.callId]);
  return tableLines(['app', 'day', 'freed', 'call'], rows, '', ['freed']);
}

export function reopenedAllLines({ budgets, runs, days }: AllReopened): readonly string[] {
  const rows = budgets.map(({ name, span, capUsd }) => [name, span, dollars(capUsd)]);
  return [
    ...tableLines(['budget', 'a', 'cap'], rows, 'No other budget is closed.', ['cap']),
    ...(runs === 0 ? [] : [runs === 1 ? '1 run' : `${runs} runs`]),
    ...reopenedLines(days),
  ];
}

export function plannedPruneLines({
  prunedBefore,
  calls,
  keptFor,
}: CallsPruned): readonly string[] {
  return [
    `This deletes ${recordsOf(calls)} of calls before ${prunedBefore}, for good.`,
    ...keptLines(keptFor),
  ];
}

export function prunedLines({ prunedBefore, calls, keptFor }: CallsPruned): readonly string[] {
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

function keptLines(keptFor: CallsPruned['keptFor']): readonly string[] {
  if (keptFor === null) return [];
  return [`That day and those after it are kept, since ${reasons[keptFor]}: try again later.`];
}
