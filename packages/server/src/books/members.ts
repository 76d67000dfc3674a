import type { Book } from './book.ts';
import type { CallFacts } from './rows.ts';
import type { ScopeList } from './scope.ts';

/**
 * For budgets whose name is missing in the call's list: it was made before the app became a member,
 * or was never held.
 */
export function changeCarriedOver(
  book: Book,
  call: Pick<CallFacts, 'app' | 'day'> & ScopeList,
  change: bigint,
) {
  if (change === 0n) return;
  const listed = book.scopes.listed(call.scopes);
  for (const member of book.members.of(call.app, call.day)) {
    const scope = book.scopes.of(member);
    const isListed = listed.includes(scope);
    if (isListed && member.leftSpent !== undefined) member.leftSpent += change;
    else if (!isListed && member.leftSpent === undefined) {
      member.brought += change;
      scope.brought += change;
      scope.spent += change;
      // Nothing was admitted to it: what was admitted before is within its own cap still.
      if (change > 0n) scope.admittedCap = undefined;
      book.scopes.put(scope);
    } else continue;
    book.members.put(member);
  }
}
