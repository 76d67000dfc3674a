import assert from 'node:assert';
import { picoUsdMax } from '../lib/money.ts';
import type { Book } from './book.ts';
import type { Extend, Outcome } from './operations.ts';
import { assertSameFacts } from './same-facts.ts';

/** Adds a further maximum to a running call's hold in the budget, if the cap still allows it. */
export function extend(book: Book, operation: Extend): Outcome {
  const hold = book.holds.get(operation.callId);
  if (hold === undefined) return { kind: 'not-extended' };
  assertSameFacts(hold, operation);
  if (hold.extensions >= operation.extension) return { kind: 'extended' };
  const budget = book.budgets.get(hold.app, hold.day);
  assert(budget !== undefined, `no budget row for the hold of ${hold.callId}`);
  const { cap, spent, held } = budget;
  const most = cap ?? picoUsdMax;
  if (spent + held + operation.amount > most) return { kind: 'not-extended' };

  budget.held += operation.amount;
  budget.admittedCap = cap;
  book.budgets.put(budget);
  hold.budgetAmount += operation.amount;
  hold.extensions = operation.extension;
  book.holds.change(hold);
  return { kind: 'extended' };
}
