import type { Book } from './book.ts';
import type { BudgetDay } from './rows.ts';
import type { BudgetScope } from './scope.ts';

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
  if (estimated > 0n) row.estimated += estimated;
  if (cost > held) row.overrun += cost - held;
}
