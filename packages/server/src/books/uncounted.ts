import { picoUsdMax } from '../lib/money.ts';
import { type BudgetScope, type ScopeMode, scopeKeyOf, scopeModes } from './scope.ts';

export interface CountedScopes {
  readonly rows: readonly BudgetScope[];
  /** The keys of the rows, as stored in a reservation and a call. */
  readonly list: string | undefined;
  readonly uncounted: readonly BudgetScope[];
}

export const shadowOnly: readonly ScopeMode[] = ['shadow'];

const none: readonly BudgetScope[] = [];

/**
 * No budget can count above 64 bits. A budget in shadow mode rejects nothing, and no budget rejects
 * a settlement, so such a budget leaves the call's list. `amount` is the call's addition.
 */
export function countedOf(
  rows: readonly BudgetScope[],
  list: string | undefined,
  amount: bigint,
  modes: readonly ScopeMode[] = scopeModes,
): CountedScopes {
  const isUncounted = ({ mode, spent, held }: BudgetScope) =>
    modes.includes(mode) && spent + held + amount > picoUsdMax;
  // Every call is checked here, and overflow is rare.
  if (!rows.some(isUncounted)) return { rows, list, uncounted: none };
  const counted = rows.filter((row) => !isUncounted(row));
  return {
    rows: counted,
    list: counted.length === 0 ? undefined : JSON.stringify(counted.map(scopeKeyOf)),
    uncounted: rows.filter(isUncounted),
  };
}
