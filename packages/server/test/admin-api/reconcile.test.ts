import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { bindProject } from '../../src/operations/projects/bindings.ts';
import { costReport } from '../invoices/read.ts';
import { openConsole } from '../support/console.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openStack, type Stack } from '../support/stack.ts';

const yamlOn = (store: string) => `
company: acme
store: "${store}"
platforms:
  sandbox: { kind: simulator }
  claude: { kind: anthropic, apiKey: k }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let stack: Stack;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    const store = (await postgres?.database()) ?? 'sqlite:./gateway.db';
    stack = await openStack({ yaml: yamlOn(store), hasConsole: true });
  });
  afterAll(async () => {
    await stack?.close();
    await postgres?.close();
  });

  test('an uploaded invoice appears next to the ledger, by app, day and model', async () => {
    const { admin, clock } = stack;
    const binding = { app: 'search', platform: 'claude', projectId: 'wrkspc_1' };
    await clock.run(bindProject(admin, binding));
    const { ask } = await openConsole(stack, { role: 'finance' });
    const base64 = Buffer.from(costReport({ amount: '2500' })).toString('base64');
    const body = { platform: 'claude', files: [{ name: 'june.json', base64 }], reason: 'June' };
    const uploaded = await ask('/admin/v1/reconcile/import', { method: 'POST', body });
    expect(uploaded).toMatchObject({ status: 200 });
    const asked = await ask('/admin/v1/reconcile?month=2026-06');
    expect(asked.body).toEqual({
      items: [
        {
          ...{ platform: 'claude', day: '2026-06-14', app: 'search', projects: ['wrkspc_1'] },
          ...{ model: 'claude-haiku-4-5', exactUsd: '0', estimatedUsd: '0', bandUsd: '0' },
          ...{ invoiceUsd: '25', differenceUsd: '25', verdict: 'over', isFinal: false },
        },
      ],
      after: null,
    });
    expect((await ask('/admin/v1/reconcile?month=2026-05')).body.items).toEqual([]);
    expect((await ask('/admin/v1/reconcile?month=2026-06&app=other')).body.items).toEqual([]);
    const { status, body: refused } = await ask('/admin/v1/reconcile?month=2026-13');
    expect([status, refused.error]).toMatchObject([400, { code: 'INVALID', field: 'month' }]);
  });

  test('the platform’s bill is fetched, and appears next to the ledger', async () => {
    const asked = { model: 'sim-echo', maxTokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
    expect((await stack.post('search', '/v1/chat', asked)).status).toBe(200);
    const day = utcDayOf(stack.clock.now());
    const { ask } = await openConsole(stack, { role: 'finance' });
    const body = { platform: 'sandbox', from: day, to: day, reason: 'Today' };
    const fetched = await ask('/admin/v1/reconcile/fetch', { method: 'POST', body });
    expect(fetched).toMatchObject({ status: 200, body: { result: { changedDays: [day] } } });
    const { items } = (await ask(`/admin/v1/reconcile?month=${day.slice(0, 7)}`)).body;
    expect(items).toMatchObject([
      { platform: 'sandbox', day, app: 'search', model: 'sim-echo', verdict: 'equal' },
    ]);
    expect(items[0].invoiceUsd).toBe(items[0].exactUsd);
  });
});
