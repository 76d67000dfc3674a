import assert from 'node:assert';
import { picoUsdMax } from '../lib/money.ts';
import type { Book } from './book.ts';
import type { Extend, Outcome } from './operations.ts';
import { capOf, refuses } from './refuse.ts';
import type { BudgetDay } from './rows.ts';
import { assertSameFacts } from './same-facts.ts';
import type { BudgetScope } from './scope.ts';
import { countedOf, shadowAlone } from './uncounted.ts';

export function extend(book: Book, operation: Extend): Outcome {
  const hold = book.holds.get(operation.callId);
  if (hold === undefined) return { kind: 'not-extended' };
  assertSameFacts(hold, operation);
  if (hold.extensions >= operation.extension) return { kind: 'extended' };
  const budget = book.budgets.get(hold.app, hold.day);
  assert(budget !== undefined, `no budget row for the hold of ${hold.callId}`);
  const scopes = book.scopes.listed(hold.scopes);
  const { amount } = operation;
  const isFull = (row: BudgetDay | BudgetScope) =>
    refuses(row) && row.spent + row.held + amount > (capOf(row) ?? picoUsdMax);
  if (isFull(budget) || scopes.some(isFull)) return { kind: 'not-extended' };

  budget.held += amount;
  budget.admittedCap = budget.cap;
  book.budgets.put(budget);
  const { rows, list, uncounted } = countedOf(scopes, hold.scopes, amount, shadowAlone);
  for (const scope of uncounted) {
    scope.held -= hold.budgetAmount;
    book.scopes.put(scope);
  }
  for (const scope of rows) {
    scope.held += amount;
    scope.admittedCap = capOf(scope);
    book.scopes.put(scope);
  }
  hold.budgetAmount += amount;
  hold.scopes = list;
  hold.extensions = operation.extension;
  book.holds.change(hold);
  return { kind: 'extended' };
}
