import assert from 'node:assert';
import { larger, smaller } from '../lib/money.ts';
import type { Book } from './book.ts';
import { changeCarriedOver } from './members.ts';
import { type BookedCall, monthCorrections } from './month-correction.ts';
import type { BudgetDay, CallRecord } from './rows.ts';
import type { BudgetScope } from './scope.ts';

interface Budgets {
  readonly day: BudgetDay;
  readonly scopes: readonly BudgetScope[];
}

/** Throws if a row is missing. */
export function budgetsOf(book: Book, call: CallRecord): Budgets {
  const day = book.budgets.get(call.app, call.day);
  assert(day !== undefined, `no budget row for the day of call ${call.callId}`);
  return { day, scopes: book.scopes.listed(call.scopes) };
}

/**
 * Other calls might have used the rest of the call's reservation, so a growing cost counts as an
 * overrun. `madeAt` is undefined for the end of a lost call.
 */
export function replaceCost(
  book: Book,
  { day, scopes }: Budgets,
  change: {
    readonly before: BookedCall;
    readonly after: BookedCall;
    readonly madeAt?: number | undefined;
  },
) {
  const before = change.before.call;
  const after = { ...change.after.call, held: smaller(before.held, before.cost) };
  for (const row of [day, ...scopes]) {
    row.spent += after.cost - before.cost;
    row.estimated += after.estimated - before.estimated;
    row.overrun += overrunOf(after) - overrunOf(before);
  }
  book.budgets.put(day);
  for (const scope of scopes) book.scopes.put(scope);
  changeCarriedOver(book, before, after.cost - before.cost);
  book.calls.put(after);
  book.attempts.put(change.after.attempts);
  book.takeUsage(before, change.before.attempts);
  book.addUsage(after, change.after.attempts);
  if (change.madeAt !== undefined)
    book.correctMonths(monthCorrections(change.madeAt, change.before, change.after));
}

function overrunOf(call: CallRecord): bigint {
  return larger(0n, call.cost - call.held);
}
