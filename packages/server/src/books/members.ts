import type { Book } from './book.ts';
import type { CallFacts } from './rows.ts';
import type { ScopeList } from './scope.ts';

/**
 * For budgets that are missing in the call's list: the app joined after the call, or the call had
 * no reservation.
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
      // No call was admitted to this budget; earlier admissions are still within their own cap.
      if (change > 0n) scope.admittedCap = undefined;
      book.scopes.put(scope);
    } else continue;
    book.members.put(member);
  }
}
