import { expect, test } from 'vitest';
import { configOf, fileWith, problemsOf } from './load.ts';

test('budgets are read with the defaults of absent keys', () => {
  const text = fileWith(`
apps: [{ name: search, monthlyBudgetUsd: "900", perUserDailyUsd: 0.5 }]
budgets:
  - { name: research, apps: [search, reports], dailyUsd: "60", monthlyUsd: "1200" }
  - { name: company, apps: all, monthlyUsd: 5000, mode: shadow, visible: true }
`);
  const { apps, budgets } = configOf(text);
  expect(apps).toEqual([
    { name: 'search', monthlyBudgetPicoUsd: 900n * dollar, perUserDailyPicoUsd: dollar / 2n },
  ]);
  expect(budgets).toEqual([
    {
      ...{ name: 'research', apps: ['search', 'reports'], mode: 'enforce', isVisible: false },
      ...{ dailyPicoUsd: 60n * dollar, monthlyPicoUsd: 1200n * dollar },
    },
    {
      ...{ name: 'company', apps: 'all', mode: 'shadow', isVisible: true },
      ...{ dailyPicoUsd: undefined, monthlyPicoUsd: 5000n * dollar },
    },
  ]);
});

const dollar = 10n ** 12n;

test('all faults of budgets are reported at once, with their paths', () => {
  const text = fileWith(`
apps: [{ name: search, monthlyBudgetUsd: much, perUserDailyUsd: "-1" }]
budgets:
  - { name: research, apps: [search, search, Reports], dailyUsd: "60" }
  - { name: research, apps: [], monthlyUsd: "x", mode: warn, visible: perhaps }
  - { name: Company, apps: some, weeklyUsd: "1" }
  - { dailyUsd: 1 }
  - all
`);
  expect(problemsOf(text)).toEqual([
    'apps[0].monthlyBudgetUsd: must be a decimal amount in USD, such as "20" or "0.50"; it is "much"',
    'apps[0].perUserDailyUsd: must be a decimal amount in USD, such as "20" or "0.50"; it is "-1"',
    'budgets[0].apps[1]: "search" is already used at budgets[0].apps[0]',
    'budgets[0].apps[2]: must be the name of an app: a-z, 0-9 and "-", a letter first, at most 63 characters; it is "Reports"',
    'budgets[1].name: "research" is already used at budgets[0].name',
    'budgets[1].apps: is empty; use all, or list at least one app',
    'budgets[1].monthlyUsd: must be a decimal amount in USD, such as "20" or "0.50"; it is "x"',
    'budgets[1].mode: must be one of enforce, shadow; it is "warn"',
    'budgets[1].visible: must be true or false; it is "perhaps"',
    'budgets[2].weeklyUsd: is an unknown key; write one of name, apps, dailyUsd, monthlyUsd, mode, visible',
    'budgets[2]: has no limit; set dailyUsd, monthlyUsd or both',
    'budgets[2].name: must be the name of a budget: a-z, 0-9 and "-", a letter first, at most 63 characters; it is "Company"',
    'budgets[2].apps: must be all, or a list such as [search, reports]; it is "some"',
    'budgets[3].name: is required',
    'budgets[3].apps: is required',
    'budgets[4]: must be a section, such as { key: value }',
  ]);
});
