import { describe, expect, test } from 'vitest';
import { setBudget } from '../../src/operations/budgets/budgets.ts';
import { chatOf, meet, meetChat } from '../support/exchange.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

const cap = maximumCostPicoUsd(chatOf('sim-echo'));

const yamlOn = (store: string) => `
company: acme
store: "${store}"
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

describe.each(storeKinds)('on %s', (kind) => {
  const shared = sharedOn(kind, async (store) =>
    withApps(await openStack({ yaml: yamlOn(store) })),
  );

  test('callers see a visible group’s amounts, and a hidden group’s name', async () => {
    const { stack } = shared();
    const { admin, clock, service } = stack;
    await stack.key('search');
    const refusedBy = async (isVisible: boolean) => {
      const settings = { apps: 'all', dailyPicoUsd: cap, isVisible } as const;
      await clock.run(setBudget(admin, 'lab', settings, []));
      await clock.run(service.registry.refresh());
      const refused = await meetChat(stack, 'search', 'sim-echo');
      expect(refused.headers.get('x-budget-scope')).toBe('group-day:lab');
      return { text: refused.text, usage: (await meet(stack, 'search', (by) => by.usage())).text };
    };
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
    const hidden = await refusedBy(false);
    expect(hidden.text).toContain('the daily budget of the group lab cannot cover this call');
    expect(hidden.text).not.toMatch(/0\.000006|spent|reserved/);
    expect(hidden.usage).toContain('"scope":"group-day:lab","mode":"enforce","resetsAt"');
    const told = `the group lab has a daily budget of $${usd(cap)}, with $0.000006 spent and $0 reserved`;
    const visible = await refusedBy(true);
    expect(visible.text).toContain(told);
    expect(visible.usage).toContain(`"capUsd":"${usd(cap)}","spentUsd":"0.000006"`);
  });
});
