import { picoOf, shortUsd, shownParts, sumUsd, unitOf, usdIn } from './money.ts';

/** Amounts of a budget, exact. */
export interface Budgeted {
  readonly name: string;
  /** Null without a budget. */
  readonly capUsd: string | null;
  readonly spentUsd: string;
  readonly heldUsd: string;
}

/** Texts of the three; `left` is undefined without a budget. */
export interface ShownBudget {
  readonly spent: string;
  readonly held: string;
  readonly left: string | undefined;
}

export interface ShownBudgets {
  /** In the order of the input. */
  readonly rows: readonly ShownBudget[];
  readonly total: ShownBudget;
}

const cent = 10n ** 10n;

/** One budget: the shown spent, reserved and left add up to it, to the last digit. */
export function shownBudget(budget: Budgeted): ShownBudget {
  return balanced(budget, { spent: shortUsd(budget.spentUsd), held: shortUsd(budget.heldUsd) });
}

/**
 * A column adds up to its total within a cent. In each row and in the total the three add up to the
 * budget, to the last digit. An overrun leaves nothing.
 */
export function shownBudgets(budgets: readonly Budgeted[]): ShownBudgets {
  const spentUsd = sumUsd(budgets.map((each) => each.spentUsd));
  const heldUsd = sumUsd(budgets.map((each) => each.heldUsd));
  const spent = shownParts(
    budgets.map(({ name, spentUsd: usd }) => ({ name, usd })),
    spentUsd,
  );
  const held = shownParts(
    budgets.map(({ name, heldUsd: usd }) => ({ name, usd })),
    heldUsd,
  );
  const rows = budgets.map((budget, at) =>
    balanced(budget, { spent: spent[at] ?? '', held: held[at] ?? '' }),
  );
  return { rows, total: totalOf(budgets, rows, { spentUsd, heldUsd }) };
}

function balanced(
  { capUsd, spentUsd, heldUsd }: Budgeted,
  { spent, held }: Pick<ShownBudget, 'spent' | 'held'>,
): ShownBudget {
  if (capUsd === null) return { spent, held, left: undefined };
  const cap = picoOf(capUsd);
  if (picoOf(spentUsd) + picoOf(heldUsd) > cap) return { spent, held, left: usdIn(0n, 1n) };
  // Rounded up, they might exceed the budget.
  const shownSpent = smaller(picoIn(spent), cap);
  const shownHeld = smaller(picoIn(held), cap - shownSpent);
  return {
    spent: usdIn(shownSpent, 1n),
    held: usdIn(shownHeld, 1n),
    left: usdIn(cap - shownSpent - shownHeld, 1n),
  };
}

function totalOf(
  budgets: readonly Budgeted[],
  rows: readonly ShownBudget[],
  { spentUsd, heldUsd }: { readonly spentUsd: string; readonly heldUsd: string },
): ShownBudget {
  const spent = cutOf(spentUsd);
  let held = cutOf(heldUsd);
  if (budgets.every(({ capUsd }) => capUsd === null)) {
    return { spent: usdIn(spent, 1n), held: usdIn(held, 1n), left: undefined };
  }
  const cap = picoOf(sumUsd(budgets.map(({ capUsd }) => capUsd ?? '0')));
  const sumOf = (pick: (row: ShownBudget) => string) =>
    rows.reduce((sum, row) => sum + picoIn(pick(row)), 0n);
  const left = sumOf((row) => row.left ?? '$0.00');
  const used = sumOf((row) => row.spent) + sumOf((row) => row.held);
  // A row overran its budget: the others' remainders still exist.
  if (used + left !== cap) {
    const rest = left % cent;
    const shown = rest === 0n ? left : left - rest + cent;
    return { spent: usdIn(spent, 1n), held: usdIn(held, 1n), left: usdIn(shown, 1n) };
  }
  // The digits below a cent of both columns might add up to more than one.
  if (used - spent - held > cent) held += smaller(unitOf(held), cent);
  return {
    spent: usdIn(spent, 1n),
    held: usdIn(held, 1n),
    left: usdIn(cap - spent - held, 1n),
  };
}

/** From a shown amount. */
export function picoIn(shown: string): bigint {
  return picoOf(shown.replaceAll(/[$,]/g, ''));
}

function cutOf(text: string): bigint {
  const pico = picoOf(text);
  return pico - (pico % unitOf(pico));
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Spent and reserved in percent of the budget, truncated; a budget of 0 counts as used up. */
export function usedPercent({ capUsd, spentUsd, heldUsd }: Budgeted): number {
  const cap = picoOf(capUsd ?? '0');
  if (cap === 0n) return 100;
  return Number(((picoOf(spentUsd) + picoOf(heldUsd)) * 100n) / cap);
}
