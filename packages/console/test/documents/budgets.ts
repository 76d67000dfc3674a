import type {
  BudgetChanged,
  BudgetsPage,
  BudgetUseDocument,
} from '@model-gateway/server/operations/documents';

const research: BudgetUseDocument = {
  ...{ name: 'research', span: 'month', capUsd: '900', mode: 'enforce' },
  ...{ apps: ['search', 'tutor'], period: '2026-11', spentUsd: '611.509', heldUsd: '2' },
  ...{ remainingUsd: '286.491', wouldRefuse: { calls: 0, usd: '0' }, origin: 'file' },
  ...{ since: '2026-11-01T00:00:00.000Z', carriedOverUsd: '0', estimatedUsd: '0', overrunUsd: '0' },
  ...{ visible: true, users: null, closedAt: null },
};

/** A group that rejects, and a group that only counts. */
export const budgets: BudgetsPage = {
  items: [
    research,
    {
      ...research,
      ...{ name: 'app:tutor', span: 'day', capUsd: '9', mode: 'shadow', apps: null },
      ...{ period: '2026-11-22', spentUsd: '15.34', heldUsd: '0.51', remainingUsd: '0' },
      wouldRefuse: { calls: 1_234, usd: '6.85' },
    },
  ],
  after: null,
};

/** A group that a restored store has closed. */
export const closedBudgets: BudgetsPage = {
  items: [{ ...research, closedAt: '2026-11-22T15:00:00.000Z', remainingUsd: '0' }],
  after: null,
};

/** No budgets but the apps' daily budgets. */
export const noBudgets: BudgetsPage = { items: [], after: null };

/** The change of a group's budget to 1,000 USD. */
export const budgetChanged: BudgetChanged = {
  dryRun: false,
  changes: [{ action: 'budget.set', subject: 'research', before: '900', after: '1000' }],
  result: budgets.items,
};
