import { picoUsdMax } from '../lib/money.ts';
import { type BudgetScope, type ScopeMode, scopeKeyOf, scopeModes } from './scope.ts';

export interface CountedScopes {
  readonly rows: readonly BudgetScope[];
  /** The keys of the rows, as a hold and a call carry them. */
  readonly list: string | undefined;
  readonly uncounted: readonly BudgetScope[];
}

export const shadowOnly: readonly ScopeMode[] = ['shadow'];

const none: readonly BudgetScope[] = [];

/**
 * No budget can count above 64 bits. One in shadow mode refuses nothing, and none refuses a
 * settlement: such a call leaves its list. `amount` is what the call would add.
 */
export function countedOf(
  rows: readonly BudgetScope[],
  list: string | undefined,
  amount: bigint,
  modes: readonly ScopeMode[] = scopeModes,
): CountedScopes {
  const isUncounted = ({ mode, spent, held }: BudgetScope) =>
    modes.includes(mode) && spent + held + amount > picoUsdMax;
  // Every call passes here: almost never is there one that cannot.
  if (!rows.some(isUncounted)) return { rows, list, uncounted: none };
  const counted = rows.filter((row) => !isUncounted(row));
  return {
    rows: counted,
    list: counted.length === 0 ? undefined : JSON.stringify(counted.map(scopeKeyOf)),
    uncounted: rows.filter(isUncounted),
  };
}
