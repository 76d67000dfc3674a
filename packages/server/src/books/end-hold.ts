import type { Book } from './book.ts';
import type { BudgetDay } from './rows.ts';
import type { BudgetScope } from './scope.ts';
import { countedOf } from './uncounted.ts';

export function endHold(
  book: Book,
  budget: BudgetDay,
  list: string | undefined,
  ended: HoldEnd,
): string | undefined {
  const { held, cost } = ended;
  endIn(budget, ended);
  book.budgets.put(budget);
  const counted = countedOf(book.scopes.listed(list), list, cost - held);
  for (const scope of counted.rows) {
    endIn(scope, ended);
    book.scopes.put(scope);
  }
  for (const scope of counted.uncounted) {
    scope.held -= held;
    book.scopes.put(scope);
  }
  return counted.list;
}

interface HoldEnd {
  readonly held: bigint;
  readonly cost: bigint;
  readonly estimated: bigint;
}

function endIn(row: BudgetDay | BudgetScope, { held, cost, estimated }: HoldEnd) {
  row.held -= held;
  row.spent += cost;
  if (estimated > 0n) row.estimated += estimated;
  if (cost > held) row.overrun += cost - held;
}
