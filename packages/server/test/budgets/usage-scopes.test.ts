import { expect, test } from 'vitest';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { setBudget } from '../../src/operations/budgets/budgets.ts';
import { chatOf, meet, meetChat } from '../support/exchange.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';

const resetsAt = { day: '2026-11-22T00:00:00.000Z', month: '2026-12-01T00:00:00.000Z' };

test(
  'usage shows the budgets other than the daily one, and only the name of a hidden group',
  onStack(async (stack) => {
    const { admin, clock, service } = stack;
    const usage = async (app: string) => (await meet(stack, app, (by) => by.usage())).body;
    expect(await usage('search')).not.toHaveProperty('scopes');
    const dollar = 10n ** 12n;
    const apps = ['search'];
    await updateApp(admin, 'search', {
      ...{ monthlyBudgetPicoUsd: 9n * dollar, perUserDailyPicoUsd: dollar },
    });
    await setBudget(admin, 'lab', { apps, dailyPicoUsd: 2n * dollar }, []);
    const shown = { apps, monthlyPicoUsd: 3n * dollar, mode: 'shadow', isVisible: true } as const;
    await setBudget(admin, 'open', shown, []);
    await clock.run(service.registry.refresh());
    await meetChat(stack, 'search', 'sim-echo', { userId: 'ada' });
    const amounts = { spentUsd: '0.000006', heldUsd: '0' };
    expect(await usage('search')).toMatchObject({ budget: { capUsd: '5' } });
    const { scopes } = Object(await usage('search'));
    expect(scopes).toEqual([
      {
        ...{ scope: 'app-month', mode: 'enforce', resetsAt: resetsAt.month },
        ...{ capUsd: '9', remainingUsd: '8.999994', ...amounts },
      },
      { scope: 'group-day:lab', mode: 'enforce', resetsAt: resetsAt.day },
      {
        ...{ scope: 'group-month:open', mode: 'shadow', resetsAt: resetsAt.month },
        ...{ capUsd: '3', remainingUsd: '2.999994', ...amounts },
        wouldRefuse: { calls: 0, maxCostUsd: '0' },
      },
    ]);
    await clock.run(setBudget(admin, 'open', { monthlyPicoUsd: 1n }, []));
    await clock.run(setBudget(admin, 'lab', { mode: 'shadow', dailyPicoUsd: 1n }, []));
    await clock.run(service.registry.refresh());
    await meetChat(stack, 'search', 'sim-echo', { userId: 'ada' });
    const shadows = Object(await usage('search')).scopes.slice(1);
    expect(shadows[0]).toEqual({
      ...{ scope: 'group-day:lab', mode: 'shadow', resetsAt: resetsAt.day },
    });
    const maxCostUsd = usd(maximumCostPicoUsd(chatOf('sim-echo', { userId: 'ada' })));
    expect(shadows[1]).toMatchObject({ wouldRefuse: { calls: 1, maxCostUsd } });
    expect(await usage('tutor')).not.toHaveProperty('scopes');
  }),
);
