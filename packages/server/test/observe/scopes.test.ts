import { describe, expect, test } from 'vitest';
import { setBudget } from '../../src/operations/budgets/budgets.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { chatOf, meetChat } from '../support/exchange.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';
import { scrape } from './support/scrape.ts';

const yamlOn = (store: string) => `
company: acme
store: "${store}"
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5", monthlyBudgetUsd: "90", perUserDailyUsd: "1" }]
`;

describe.each(storeKinds)('on %s', (kind) => {
  const shared = sharedOn(kind, async (store) =>
    withApps(await openStack({ yaml: yamlOn(store) })),
  );

  test('groups and months of apps are shown, but no key and no user', async () => {
    const { stack } = shared();
    const { admin, clock } = stack;
    const trial = { apps: 'all', dailyPicoUsd: 1n, mode: 'shadow' } as const;
    await clock.run(setBudget(admin, 'trial', trial, []));
    const limits = { dailyPicoUsd: 10n ** 12n };
    await clock.run(issueKey(admin, { app: 'search', email: 'team@acme.example', limits }));
    await meetChat(stack, 'search', 'sim-echo', { userId: 'ada' });
    await clock.advance(6_000);
    const seen = await scrape(stack);
    const value = (name: string, series: string) =>
      seen.value(`model_gateway_budget_scope_${name}{${series}}`);
    const month = 'scope="app:search",span="month"';
    const day = 'scope="group:trial",span="day"';
    expect([value('cap_usd', month), value('spent_usd', month)]).toEqual([90, 0.000006]);
    expect([value('held_usd', month), value('would_reject', month)]).toEqual([0, 0]);
    expect([value('spent_usd', day), value('would_reject', day)]).toEqual([0.000006, 1]);
    const most = Number(usd(maximumCostPicoUsd(chatOf('sim-echo', { userId: 'ada' }))));
    expect(value('would_reject_usd', day)).toBe(most);
    expect(seen.valuesOf('scope')).toEqual(new Set(['app:search', 'group:trial']));
  });
});
