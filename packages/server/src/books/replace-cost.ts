import assert from 'node:assert';
import { larger, smaller } from '../lib/money.ts';
import type { Book } from './book.ts';
import type { Attempt, BudgetDay, CallRecord } from './rows.ts';
import { negated, usageOf } from './usage.ts';

/** The budget of a finished call's day. Throws where its row is gone. */
export function budgetOf(book: Book, call: CallRecord): BudgetDay {
  const budget = book.budgets.get(call.app, call.day);
  assert(budget !== undefined, `no budget row for the day of call ${call.callId}`);
  return budget;
}

/** A call's record, and its attempts where they are rows of their own. */
interface Booked {
  readonly call: CallRecord;
  readonly attempts: readonly Attempt[];
}

/**
 * Puts a finished call's record right, and its day and its usage with it. What the call had left
 * free may be taken by now: a cost that grows counts as an overrun.
 */
export function replaceCost(
  book: Book,
  budget: BudgetDay,
  change: { readonly before: Booked; readonly after: Booked },
) {
  const before = change.before.call;
  const after = { ...change.after.call, held: smaller(before.held, before.cost) };
  budget.spent += after.cost - before.cost;
  budget.estimated += after.estimated - before.estimated;
  budget.overrun += overrunOf(after) - overrunOf(before);
  book.budgets.put(budget);
  book.calls.put(after);
  book.attempts.put(change.after.attempts);
  book.addUsage(usageOf(before, change.before.attempts).map(negated));
  book.addUsage(usageOf(after, change.after.attempts));
}

function overrunOf(call: CallRecord): bigint {
  return larger(0n, call.cost - call.held);
}
