import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Budgeted, picoIn, shownBudget, shownBudgets } from '../src/text/budget-sums.ts';
import { picoOf, textOf } from '../src/text/money.ts';

const cent = 10n ** 10n;

/** From 0 to 100,000 USD, with as many small as large amounts. */
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.integer({ min: 0, max: 17 }))
  .map(([pico, digits]) => pico % 10n ** BigInt(digits));

const ledger = fc.array(
  fc.record({ cents: fc.integer({ min: 0, max: 20_000_000 }), spent: amount, held: amount }),
  { minLength: 1, maxLength: 60 },
);

/** Some are near their limit, some beyond it. */
function budgetsOf(
  rows: readonly { readonly cents: number; readonly spent: bigint; readonly held: bigint }[],
  mayExceed: boolean,
): readonly Budgeted[] {
  return rows.map(({ cents, spent, held }, at) => {
    const cap = BigInt(cents) * cent;
    const used = mayExceed || spent <= cap ? spent : cap;
    const rest = cap - used;
    const limitedHeld = mayExceed || held <= rest ? held : rest;
    return {
      name: `app-${String(at).padStart(3, '0')}`,
      ...{ capUsd: textOf(cap), spentUsd: textOf(used), heldUsd: textOf(limitedHeld) },
    };
  });
}

const within = (a: bigint, b: bigint) => (a < b ? b - a : a - b);

test('shown spent, held and left add up to the budget, in each row and in the total', () => {
  fc.assert(
    fc.property(ledger, (rows) => {
      const budgets = budgetsOf(rows, false);
      const shown = shownBudgets(budgets);
      let caps = 0n;
      for (const [at, { capUsd }] of budgets.entries()) {
        caps += picoOf(capUsd ?? '0');
        expect(sumOfThree(shown.rows[at])).toBe(picoOf(capUsd ?? '0'));
      }
      expect(sumOfThree(shown.total)).toBe(caps);
    }),
  );
});

test('columns add up to their totals, with exact amounts within a cent', () => {
  fc.assert(
    fc.property(ledger, (rows) => {
      const budgets = budgetsOf(rows, false);
      const { rows: shown, total } = shownBudgets(budgets);
      for (const column of ['spent', 'held', 'left'] as const) {
        const sum = shown.reduce((all, row) => all + picoIn(row[column] ?? ''), 0n);
        expect(within(sum, picoIn(total[column] ?? ''))).toBeLessThanOrEqual(cent);
      }
      for (const [at, { spentUsd, heldUsd }] of budgets.entries()) {
        expect(within(picoIn(shown[at]?.spent ?? ''), picoOf(spentUsd))).toBeLessThanOrEqual(cent);
        expect(within(picoIn(shown[at]?.held ?? ''), picoOf(heldUsd))).toBeLessThanOrEqual(cent);
      }
    }),
  );
});

test('the shown row does not depend on the order of the rows', () => {
  fc.assert(
    fc.property(ledger, (rows) => {
      const budgets = budgetsOf(rows, true);
      const { rows: shown } = shownBudgets(budgets);
      const turned = shownBudgets(budgets.toReversed()).rows.toReversed();
      expect(turned).toEqual(shown);
    }),
  );
});

test('nothing is left of a used-up budget, whatever the spending', () => {
  const budget = { name: 'tutor', capUsd: '10', spentUsd: '12.5', heldUsd: '0.25' };
  expect(shownBudget(budget)).toEqual({ spent: '$12.50', held: '$0.25', left: '$0.00' });
  const other = { name: 'search', capUsd: '20', spentUsd: '1.00375', heldUsd: '0' };
  expect(shownBudgets([budget, other]).total).toEqual({
    ...{ spent: '$13.50', held: '$0.25', left: '$19.00' },
  });
});

test('without a budget nothing is left or used up', () => {
  const app = { name: 'lab', capUsd: null, spentUsd: '0.02416025', heldUsd: '0' };
  const shown = { spent: '$0.02416', held: '$0.00', left: undefined };
  expect(shownBudget(app)).toEqual(shown);
  expect(shownBudgets([app])).toEqual({ rows: [shown], total: shown });
});

function sumOfThree(row: ReturnType<typeof shownBudget> | undefined): bigint {
  return picoIn(row?.spent ?? '') + picoIn(row?.held ?? '') + picoIn(row?.left ?? '');
}
