import { expect, test } from 'vitest';
import { asking, at, open } from './open.ts';

const dayMs = 86_400_000;
const echo = asking('sim-echo');

/** A simulator with one billed call a day, on the first day with a cache read and write. */
async function billed() {
  const opened = open();
  const firstMs = Math.floor(opened.clock.now() / dayMs) * dayMs;
  await opened.chat(asking('sim-cached'));
  return { ...opened, firstMs, day: new Date(firstMs).toISOString().slice(0, 10) };
}

const picoUsd = (text: string, digits: number) => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
};

test('the cost report has cents as text, one row per kind, and adds up to the bill', async () => {
  const { send, simulator, day, projectId } = await billed();
  const query = new URLSearchParams({ starting_at: `${day}T00:00:00Z` });
  query.set('ending_at', new Date(Date.parse(day) + dayMs).toISOString());
  const page: unknown = await (await send('GET', `${report}?${query}`)).json();
  const rows = rowsOf(page);
  expect(rows.map((row) => at(row, 'token_type'))).toEqual([
    ...['uncached_input_tokens', 'cache_read_input_tokens'],
    ...['cache_creation.ephemeral_5m_input_tokens', 'output_tokens'],
  ]);
  const workspace = projectId.replace('proj_', 'wrkspc_');
  expect(new Set(rows.map((row) => at(row, 'workspace_id')))).toEqual(new Set([workspace]));
  const sum = rows.reduce(
    (total: bigint, row) => total + picoUsd(String(at(row, 'amount')), 10),
    0n,
  );
  expect(sum).toBe(simulator.bill().total.costPicoUsd);
});

test('costs have numbers with all their digits, and add up to the bill', async () => {
  const { send, simulator, firstMs, projectId } = await billed();
  const range = `start_time=${firstMs / 1_000}&end_time=${(firstMs + dayMs) / 1_000}`;
  const text = await (await send('GET', `${costs}?${range}`)).text();
  const values = [...text.matchAll(/"value":(\d+\.\d{12}),"currency":"usd"/g)];
  expect(values).toHaveLength(4);
  const sum = values.reduce((total: bigint, [, value = '']) => total + picoUsd(value, 12), 0n);
  expect(sum).toBe(simulator.bill().total.costPicoUsd);
  expect(rowsOf(JSON.parse(text))).toContainEqual(
    expect.objectContaining({ project_id: projectId, line_item: 'sim-cached, cached input' }),
  );
});

test('the usage report has tags and different units, and adds up to the bill', async () => {
  const { send, chat, simulator, day } = await billed();
  const made = await send('POST', '/v1/organization/projects', {
    ...{ name: 'prod-acme-core-tutor', tags: { app: 'tutor' } },
  });
  await chat(echo, { projectId: String(at(await made.json(), 'id')) });
  const answer = await send('GET', '/simulator/cur.csv');
  expect(answer.headers.get('content-type')).toBe('text/csv');
  const [head = '', ...rows] = (await answer.text()).trimEnd().split('\n');
  const column = (row: string, name: string) => row.split(',')[head.split(',').indexOf(name)] ?? '';
  expect(new Set(rows.map((row) => column(row, 'pricing_unit')))).toEqual(
    new Set(['1K tokens', '1M tokens']),
  );
  expect(new Set(rows.map((row) => column(row, 'line_item_usage_start_date')))).toEqual(
    new Set([`${day}T00:00:00Z`]),
  );
  expect(rows.filter((row) => row.endsWith('"{""user_app"":""tutor""}"'))).toHaveLength(2);
  const sum = rows.reduce(
    (total, row) => total + picoUsd(column(row, 'line_item_unblended_cost'), 12),
    0n,
  );
  expect(sum).toBe(simulator.bill().total.costPicoUsd);
});

test('days are paged, including days without a row', async () => {
  const { send, firstMs } = await billed();
  const range = `start_time=${firstMs / 1_000}&end_time=${(firstMs + 3 * dayMs) / 1_000}`;
  const first: unknown = await (await send('GET', `${costs}?${range}&limit=2`)).json();
  expect([at(first, 'has_more'), at(first, 'next_page')]).toEqual([true, 'page_2']);
  const last: unknown = await (await send('GET', `${costs}?${range}&limit=2&page=page_2`)).json();
  expect(last).toEqual({
    ...{ object: 'page', has_more: false, next_page: null },
    data: [expect.objectContaining({ start_time: firstMs / 1_000 + 172_800, results: [] })],
  });
});

const report = '/v1/organizations/cost_report';
const costs = '/v1/organization/costs';

test.each([
  ['GET', `${costs}?start_time=x&end_time=y`, 400],
  ['GET', `${costs}?start_time=86400&end_time=172800&limit=181`, 400],
  ['GET', `${report}?starting_at=2026-11-20T00:00:00Z&ending_at=2026-11-20T00:00:00Z`, 400],
  ['GET', `${report}?starting_at=2026-11-20&ending_at=2026-11-21&limit=32`, 400],
  ['POST', '/simulator/cur.csv', 404],
])('%s %s is %i', async (method, path, status) => {
  const { send } = open();
  expect((await send(method, path)).status).toBe(status);
});

function rowsOf(page: unknown): readonly unknown[] {
  const rows = at(page, 'data', 0, 'results');
  return Array.isArray(rows) ? rows : [];
}
