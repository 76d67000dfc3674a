import { dollars, tableLines } from '../description/text-lines.ts';
import type { AllReopened, CallsPruned, DaysClosed, DaysReopened } from '../documents/days.ts';

export function closingIntentLines(
  planned: DaysClosed,
  restored: string | undefined,
): readonly string[] {
  const rows = planned.map(({ app, day, bookedUsd }) => [app, day, dollars(bookedUsd)]);
  const books =
    'These amounts will be booked as cost. Calls that no longer fit a budget are then rejected:';
  return [
    ...(rows.length === 0 ? [] : [books]),
    ...(rows.length === 0 ? [] : tableLines(['app', 'day', 'amount'], rows, '', ['amount'])),
    ...(restored === undefined ? [] : [closesAll, restored || noBudget]),
  ];
}

const closesAll =
  'Closes every enforced budget of a current period, and the wallets, until "days reopen --all" and "wallets reopen --all" open them:';
const noBudget =
  'No such budget exists now. A budget that is set later in the period is closed too.';

export function closedLines(closed: DaysClosed): readonly string[] {
  const rows = closed.map((row) => [row.app, row.day, dollars(row.bookedUsd), row.callId ?? '-']);
  const head = ['app', 'day', 'booked', 'call'];
  return tableLines(head, rows, 'Nothing to book: no budget is left.', ['booked']);
}

export function reopeningIntentLines(planned: DaysReopened): readonly string[] {
  const rows = planned.map(({ app, day, freedUsd }) => [app, day, dollars(freedUsd)]);
  return [
    'The amounts booked for lost calls will be removed, and the budget can be spent again:',
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
    ...tableLines(['budget', 'per', 'cap'], rows, 'No other budget is closed.', ['cap']),
    ...(runs === 0 ? [] : [runs === 1 ? '1 run' : `${runs} runs`]),
    ...reopenedLines(days),
  ];
}

export function plannedPruneLines({
  prunedBefore,
  calls,
  retainedBecause,
}: CallsPruned): readonly string[] {
  return [
    `Permanently deletes ${recordsOf(calls)} of calls before ${prunedBefore}.`,
    ...retainedLines(retainedBecause),
  ];
}

export function prunedLines({
  prunedBefore,
  calls,
  retainedBecause,
}: CallsPruned): readonly string[] {
  const retained = retainedLines(retainedBecause);
  if (prunedBefore === null) return ['No records to delete.', ...retained];
  return [`Deleted ${recordsOf(calls)} of calls before ${prunedBefore}.`, ...retained];
}

function recordsOf(calls: number): string {
  return calls === 1 ? '1 record' : `${calls} records`;
}

const reasons = {
  hold: 'a call of that day still has a reservation',
  key: 'an idempotency key of that day is still valid',
  sums: 'its calls are not in the report rollups yet',
};

function retainedLines(retainedBecause: CallsPruned['retainedBecause']): readonly string[] {
  if (retainedBecause === null) return [];
  return [
    `That day and later days were kept because ${reasons[retainedBecause]}. Try again later.`,
  ];
}
