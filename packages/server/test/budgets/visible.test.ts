import { expect, test } from 'vitest';
import { setBudget } from '../../src/admin/budgets.ts';
import { chatOf, meetChat } from '../support/exchange.ts';
import { mostPicoUsd, usd } from '../support/most.ts';
import { onStack } from '../support/on-stack.ts';

const cap = mostPicoUsd(chatOf('sim-echo'));

test(
  'a group tells callers its amounts where it is visible, and its name alone where it is not',
  onStack(async (stack) => {
    const { admin, clock, service } = stack;
    await stack.key('search');
    const refusedBy = async (isVisible: boolean) => {
      const settings = { apps: 'all', dailyPicoUsd: cap, isVisible } as const;
      await clock.run(setBudget(admin, 'lab', settings, []));
      await clock.run(service.registry.refresh());
      const refused = await meetChat(stack, 'search', 'sim-echo');
      expect(refused.headers.get('x-budget-scope')).toBe('group-day:lab');
      return refused.text;
    };
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
    const hidden = await refusedBy(false);
    expect(hidden).toContain('the group lab has no room for this call in its daily budget');
    expect(hidden).not.toMatch(/0\.000006|has spent|holds \$/);
    const told = `of its daily budget of $${usd(cap)} the group lab has spent $0.000006 and holds $0`;
    expect(await refusedBy(true)).toContain(told);
  }),
);
