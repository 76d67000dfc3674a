import { describe, expect, test } from 'vitest';
import { loadRoutes } from '../../src/admin-api/routes.ts';
import { dimensions } from '../../src/reports/dimensions.ts';
import { openConsole } from '../support/console.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

const routes = await loadRoutes();

const reports = routes.filter(({ method, query }) => method === 'GET' && hasSplit(query));

function hasSplit(query: unknown): boolean {
  return Object(Object(query).properties).by !== undefined;
}

describe.each(storeKinds)('without a call, on %s', (kind) => {
  const shared = sharedOn(kind, async (store) =>
    withApps(
      await openStack({
        yaml: `
company: acme
store: ${store}
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
      }),
    ),
  );

  test.each(reports)('$path answers for every split and month', async ({ path }) => {
    const browser = await openConsole(shared().stack, { role: 'operator' });
    for (const by of [...dimensions, 'tag:team', 'user,day', 'app,user']) {
      for (const rest of ['', '&month=2025-01', '&month=0001-01', '&app=search', '&top=10']) {
        const { status, text } = await browser.ask(`${path}?by=${by}${rest}`);
        expect([by, rest, status, text]).toEqual([by, rest, 200, expect.any(String)]);
        expect(text.length).toBeLessThan(50_000);
      }
    }
  });

  test.each(['0000-01', '0001-01', '0099-12', '9999-12'])(
    'the comparison of %s succeeds',
    async (month) => {
      const browser = await openConsole(shared().stack, { role: 'operator' });
      const { status, body } = await browser.ask(`/admin/v1/spend?month=${month}&compare=true`);
      expect([month, status, body.days?.length]).toEqual([month, 200, 31]);
    },
  );
});

test('there are reports with a split', () => {
  expect(reports.map(({ path }) => path)).toContain('/admin/v1/spend');
});
