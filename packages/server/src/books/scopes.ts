import assert from 'node:assert';
import { larger } from '../lib/money.ts';
import type { Book } from './book.ts';
import type { BudgetDay } from './rows.ts';
import { type BudgetScope, type Scoped, scopeKeysIn } from './scope.ts';

/** The rows of some keys. Throws where one is missing. */
export function scopeRowsOf(book: Book, keys: readonly string[]): readonly BudgetScope[] {
  if (keys.length === 0) return noRows;
  return keys.map((key) => {
    const row = book.scopes.get(key);
    assert(row !== undefined, `no budget row for ${key}`);
    return row;
  });
}

const noRows: readonly BudgetScope[] = [];

/** The rows that a hold, or a call, has a part in. Throws where one is missing. */
export function scopesOf(book: Book, { scopes }: Scoped): readonly BudgetScope[] {
  return scopes === undefined ? noRows : scopeRowsOf(book, scopeKeysIn(scopes));
}

/** Takes what was held for a call away, and books what it came to. */
export function endHold(
  book: Book,
  budget: BudgetDay,
  scopes: readonly BudgetScope[],
  ended: { readonly held: bigint; readonly cost: bigint; readonly estimated: bigint },
) {
  endIn(budget, ended);
  book.budgets.put(budget);
  for (const scope of scopes) {
    endIn(scope, ended);
    book.scopes.put(scope);
  }
}

function endIn(
  row: BudgetDay | BudgetScope,
  { held, cost, estimated }: Parameters<typeof endHold>[3],
) {
  row.held -= held;
  row.spent += cost;
  row.estimated += estimated;
  row.overrun += larger(0n, cost - held);
}
