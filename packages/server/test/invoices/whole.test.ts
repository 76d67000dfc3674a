import { embedded } from '@model-gateway/lab/simulator/embedded';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { shippedModels } from '../../src/catalog/models/shipped.ts';
import { readInvoice } from '../../src/invoices/read-invoice.ts';
import { importInvoice } from '../../src/operations/reconcile/reconcile-import.ts';
import { planSettlement, settleDay } from '../../src/operations/reconcile/reconcile-settle.ts';
import { reconcile } from '../../src/operations/reconcile/reconcile-show.ts';
import { openStack, type Stack } from '../support/stack.ts';

const day = '2026-11-21';
const range = { from: day, to: '2026-11-22' };
const dayMs = 86_400_000;

const yaml = `
company: acme
adminEmail: admin@acme.example
store: sqlite:./gateway.db
streaming: true
retry: { attempts: 2, baseMs: 1, capMs: 2 }
platforms:
  sandbox: { kind: simulator }
apps:
  - { name: search, dailyBudgetUsd: "50", monthlyBudgetUsd: "500" }
  - { name: tutor, dailyBudgetUsd: "50", credits: { monthlyGrant: "100000", usdPerCredit: "0.01" } }
budgets:
  - { name: all, apps: [search, tutor], dailyUsd: "90" }
`;

let stack: Stack;
beforeEach(async () => {
  stack = await openStack({ yaml });
});
afterEach(() => stack.close());

/**
 * The bill in the format of each of the three platforms. Workspaces are projects by another name.
 */
const surfaces = {
  Anthropic: (from: string, to: string) => {
    const times = { starting_at: `${from}T00:00:00Z`, ending_at: `${to}T00:00:00Z` };
    return `/v1/organizations/cost_report?${new URLSearchParams({ ...times, limit: '31' })}`;
  },
  OpenAI: (from: string, to: string) =>
    `/v1/organization/costs?start_time=${Date.parse(from) / 1_000}&end_time=${Date.parse(to) / 1_000}`,
  Amazon: () => '/simulator/cur.csv',
};
type Surface = keyof typeof surfaces;

async function importFrom(surface: Surface, change = (text: string) => text) {
  const path = surfaces[surface](day, '2026-11-23');
  const answer = await stack.simulator.fetch(new Request(`http://simulator.test${path}`));
  const text = change((await answer.text()).replaceAll('wrkspc_', 'proj_'));
  const sources = [{ name: surface, chunks: bytesOf(text) }];
  // As a fetched file: the same bytes again confirm an unchanged day.
  const read = () => readInvoice(sources);
  return stack.clock.run(importInvoice(stack.admin, { platform: 'sandbox', read, range }));
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Reads the bill twice, 48 hours apart, so its days are final. */
async function importFinal(surface: Surface, change?: (text: string) => string) {
  await importFrom(surface, change);
  // Timers keep their wait, so nothing happens in the service.
  stack.clock.set(stack.clock.now() + 2 * dayMs);
  await importFrom(surface, change);
}

function catalogOf() {
  const shipped = [...shippedModels(), ...embedded(stack.simulator).models];
  return createCatalog({ ...stack.config, shipped, clock: stack.clock });
}

async function verdicts() {
  const rows = await stack.clock.run(reconcile(stack.admin, catalogOf(), range));
  return rows.map(({ app, model, verdict }) => `${app} ${model} ${verdict}`);
}

/** Calls that end in every way that leaves something open, next to exact ones. */
async function runCalls() {
  const models = [
    'sim-echo',
    'sim-cached',
    'sim-reset',
    'sim-flaky',
    'sim-timeout',
    'sim-no-usage',
  ];
  for (const model of [...models, 'sim-gateway-timeout', 'sim-half-json', 'sim-reset-mid-body']) {
    for (const app of ['search', 'tutor']) {
      const messages = [{ role: 'user', content: `Hello from ${app}` }];
      const userId = app === 'tutor' ? { userId: 'u1' } : {};
      const body = { model, messages, maxTokens: 50, ...userId };
      await stack.post(app, '/v1/chat', body);
      const streamed = await stack.post(app, '/v1/chat/stream', body);
      await stack.clock.run(streamed.text());
    }
  }
  await stack.clock.advance(120_000);
}

describe.each(['Anthropic', 'OpenAI', 'Amazon'] as const)('%s', (surface) => {
  test('every day of an app is equal or explained, and equal once it is settled', async () => {
    await runCalls();
    await importFinal(surface);
    const before = await verdicts();
    expect(before.length).toBeGreaterThan(10);
    const kinds = new Set(before.map((row) => row.split(' ').at(-1)));
    expect([...kinds].sort()).toEqual(['equal', 'explained']);
    const wallets = await walletRows();
    const planned = await stack.clock.run(planSettlement(stack.admin, catalogOf(), day));
    const settled = await stack.clock.run(settleDay(stack.admin, catalogOf(), day));
    expect(settled).toEqual(planned);
    expect(new Set((await verdicts()).map((row) => row.split(' ').at(-1)))).toEqual(
      new Set(['equal']),
    );
    expect(await walletRows()).toEqual(wallets);
    expect(await stack.clock.run(stack.audit())).toMatchObject({ clean: true });
    const again = await stack.clock.run(settleDay(stack.admin, catalogOf(), day));
    expect(again).toEqual([]);
    const booked = await stack.store.read({
      sql: 'select cast(sum(cost) as bigint) as cost from call',
      values: [],
      map: ([row]) => row?.cost,
    });
    expect(booked).toBe(stack.simulator.bill().total.costPicoUsd);
  });
});

test('a call that the gateway never sent is over, and one without an app is foreign', async () => {
  await stack.post('search', '/v1/chat', { model: 'sim-echo', messages: [hello], maxTokens: 9 });
  await foreignCall('prod-acme-core-search');
  await foreignCall('of-the-neighbours');
  await importFinal('OpenAI');
  expect(await verdicts()).toEqual(['search sim-echo over', 'null sim-echo foreign']);
  expect(await stack.clock.run(settleDay(stack.admin, catalogOf(), day))).toEqual([]);
});

test('a price that is wrong by a tenth is over on that model only', async () => {
  for (const model of ['sim-echo', 'sim-reasoning']) {
    await stack.post('search', '/v1/chat', { model, messages: [hello], maxTokens: 200 });
  }
  await importFinal('Anthropic', (text) => {
    const report = JSON.parse(text);
    for (const { results } of report.data) {
      for (const row of results) {
        if (row.model !== 'sim-echo') continue;
        const [whole = '', fraction = ''] = row.amount.split('.');
        const higher = BigInt(whole + fraction) * 11n;
        row.amount = `${higher}e-${fraction.length + 1}`;
      }
    }
    return JSON.stringify(report);
  });
  expect(await verdicts()).toEqual(['search sim-echo over', 'search sim-reasoning equal']);
});

test('one app of one platform is settled, and nothing else', async () => {
  await runCalls();
  await importFinal('OpenAI');
  const plan = (only: object) =>
    stack.clock.run(planSettlement(stack.admin, catalogOf(), day, only));
  const all = await plan({});
  expect(new Set(all.map(({ app }) => app))).toEqual(new Set(['search', 'tutor']));
  expect(await plan({ platform: 'another' })).toEqual([]);
  const only = { platform: 'sandbox', app: 'search' };
  const planned = await plan(only);
  expect(planned).toEqual(all.filter(({ app }) => app === 'search'));
  expect(await stack.clock.run(settleDay(stack.admin, catalogOf(), day, only))).toEqual(planned);
  expect(await plan({})).toEqual(all.filter(({ app }) => app === 'tutor'));
});

test('a row without tags is untagged, and a day that is not final cannot be settled', async () => {
  await runCalls();
  await importFrom('Amazon', (text) => text.replace(/"\{""user_app"":""search"".*\}"/, '"{}"'));
  expect((await verdicts()).join()).toContain('untagged');
  expect(await stack.clock.run(planSettlement(stack.admin, catalogOf(), day))).toEqual([]);
});

const hello = { role: 'user', content: 'Hello' };

/** A call with a project's id that does not come from the gateway. */
async function foreignCall(project: string) {
  const { id } = stack.simulator.createProject(project);
  const headers = { 'content-type': 'application/json', 'openai-project': id };
  const body = JSON.stringify({ model: 'sim-echo', messages: [hello] });
  const url = 'http://simulator.test/v1/chat/completions';
  await stack.simulator.fetch(new Request(url, { method: 'POST', headers, body }));
}

async function walletRows() {
  return stack.store.read({
    sql: 'select * from wallet_month order by app, user_id, month',
    values: [],
    map: (rows) =>
      rows.map((row) =>
        JSON.stringify({ ...row }, (_key, value) =>
          typeof value === 'bigint' ? String(value) : value,
        ),
      ),
  });
}
