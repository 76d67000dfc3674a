import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { readSpend, rowsMax } from '../../src/operations/reports/spend.ts';
import { sumColumns } from '../../src/store/sums/parts.ts';
import { openStack, type Stack } from '../support/stack.ts';

const startMs = Date.UTC(2026, 10, 21, 12);
const many = rowsMax + 5;
const all = { from: '2026-11-01', to: '2026-11-30', apps: undefined, model: undefined };

let stack: Stack;
beforeEach(async () => {
  stack = await openStack({ startMs });
  const columns = sumColumns.join(', ');
  // Sums as they are stored: a call a user, the later the more expensive.
  const sums = sumColumns.map((name) => {
    if (name === 'calls') return '1';
    return name === 'cost' ? 'n' : '0';
  });
  const numbers = `
    with recursive numbers (n) as (
      select 1 union all select n + 1 from numbers where n < ${many})`;
  const into = (table: string, key: string, values: string) => ({
    sql: `insert into ${table} (${key}, ${columns}) ${numbers}
      select ${values}, ${sums.join(', ')} from numbers`,
    values: [],
  });
  await stack.store.write([
    into('usage_user_month', 'month, app, user_id', "'2026-11', 'tutor', 'user-' || n"),
    into(
      'usage_split',
      'day, app, model, platform, key_id',
      "'2026-11-20', 'tutor', 'sim-echo', 'sandbox', 'key-' || n",
    ),
  ]);
});
afterEach(() => stack.close());

function spend(by: readonly ('app' | 'user' | 'key' | 'day')[], top?: number) {
  const { clock, config } = stack;
  const catalog = createCatalog({ ...config, shipped: [], clock });
  return clock.run(readSpend(stack.admin, catalog, { ...all, by, top, compare: false }));
}

describe.each([{ by: ['app', 'user'] }, { by: ['key'] }] as const)('by $by', ({ by }) => {
  test('a page has the 1,000 most expensive rows, and the total of all', async () => {
    const { rows, found, total } = await spend(by);
    expect(rows).toHaveLength(rowsMax);
    expect(found).toBe(many);
    expect(rows[0]?.names.at(-1)).toMatch(new RegExp(`-${many}$`));
    expect(rows.at(-1)?.names.at(-1)).toMatch(/-6$/);
    expect(total.calls).toBe(many);
  });

  test('`top` requests fewer, and returns their number', async () => {
    const { rows, found } = await spend(by, 2);
    expect(rows.map(({ names }) => names.at(-1)?.replace(/^\w+-/, ''))).toEqual([
      String(many),
      String(many - 1),
    ]);
    expect(found).toBe(many);
  });
});

test('the days of a chart are read at the same time, and add up to the total', async () => {
  const { rows, days, total } = await spend(['app']);
  expect(rows).toHaveLength(1);
  const spent = days.filter(({ costUsd }) => costUsd !== '0');
  expect(spent).toEqual([
    {
      day: '2026-11-20',
      costUsd: total.costUsd,
      parts: [{ name: 'tutor', costUsd: total.costUsd }],
    },
  ]);
});
