import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatUsd, parseUsd } from '../../src/lib/money.ts';
import { meetChat, prompted } from '../support/exchange.ts';
import type { Stack } from '../support/stack.ts';
import { type Desk, textOf } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

// A month in a FOCUS file is its state at the month's end, in spite of later corrections.

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5", tags: { team: finders } }
`;

let stack: Stack;
let desk: Desk;
let [early, late] = ['', ''];

beforeAll(async () => {
  ({ stack, desk } = await openStackAndDesk(yaml));
  early = await callOn(10, 20);
  late = await callOn(10, 30);
});
afterAll(async () => {
  expect(await stack.audit()).toMatchObject({ clean: true });
  await desk.close();
  await stack.close();
});

async function callOn(month: number, date: number): Promise<string> {
  stack.clock.set(Date.UTC(2026, month - 1, date, 9));
  const { body } = await meetChat(stack, 'search', 'sim-echo', prompted('two words'));
  return textOf(Object(body), 'id');
}

type Row = Readonly<Record<string, string>>;

async function rowsOf(month: string, ...more: readonly string[]): Promise<readonly Row[]> {
  const words = ['report', '--month', month, '--format', 'focus', ...more];
  const { code, out, errors } = await desk.run([...words, '--config', desk.file]);
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  const [head = '', ...lines] = out;
  const names = head.trimEnd().split(',');
  return lines.map((line) => {
    const cells = line.trimEnd().split(',');
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}

function costOf(rows: readonly Row[]): bigint {
  return rows.reduce((sum, { BilledCost }) => {
    const isLess = BilledCost?.startsWith('-') === true;
    const amount = parseUsd(BilledCost?.replace('-', '') ?? '') ?? 0n;
    return isLess ? sum - amount : sum + amount;
  }, 0n);
}

async function reported(month: string): Promise<unknown> {
  const { total } = await desk.record(['report', '--month', month, '--by', 'app']);
  return Object(total).costUsd;
}

test('a correction of an open month is an adjustment of its rows', async () => {
  const before = await rowsOf('2026-10');
  await desk.json(['calls', 'correct', late, '--usd', '0.000001']);
  const rows = await rowsOf('2026-10');
  expect(formatUsd(costOf(rows))).toBe(await reported('2026-10'));
  const added = rows.filter(({ ChargeCategory }) => ChargeCategory === 'Adjustment');
  expect(added).toHaveLength(1);
  expect(added[0]).toMatchObject({ ChargeClass: '', BilledCost: expect.stringMatching(/^-0\./) });
  expect(rows.filter((row) => !added.includes(row))).toEqual(before);
});

test('a correction of a closed month is a row of the month of the correction', async () => {
  await callOn(11, 3);
  const [october, november] = [await rowsOf('2026-10'), await rowsOf('2026-11')];
  const was = await reported('2026-10');
  await desk.json(['calls', 'correct', early, '--usd', '0.000001']);
  expect(await rowsOf('2026-10')).toEqual(october);
  const rows = await rowsOf('2026-11');
  const corrections = rows.filter(({ ChargeClass }) => ChargeClass === 'Correction');
  expect(corrections).toHaveLength(1);
  expect(corrections[0]).toMatchObject({
    ...{ BillingPeriodStart: '2026-11-01T00:00:00Z', ChargePeriodStart: '2026-10-20T00:00:00Z' },
    ...{ SkuMeter: 'Correction', SkuId: 'sim-echo', x_CorrectedCost: '0.000001' },
    ...{ BilledCost: expect.stringMatching(/^-0\./), ListUnitPrice: '', PricingQuantity: '' },
  });
  expect(rows.filter((row) => !corrections.includes(row))).toEqual(november);
  const sum = costOf(october) + costOf(rows);
  expect(formatUsd(costOf(october))).toBe(was);
  const months = [await reported('2026-10'), await reported('2026-11')];
  expect(sum).toBe(months.reduce<bigint>((all, usd) => all + (parseUsd(String(usd)) ?? 0n), 0n));
});

test('a correction that is reverted in its month has no cost', async () => {
  const cost = (await rowsOf('2026-10')).filter((row) =>
    row.ChargePeriodStart?.startsWith('2026-10-20'),
  );
  await desk.json(['calls', 'correct', early, '--usd', formatUsd(costOf(cost))]);
  const rows = await rowsOf('2026-11');
  const [left] = rows.filter(({ ChargeClass }) => ChargeClass === 'Correction');
  expect(left).toMatchObject({ BilledCost: '0', x_CorrectedCost: formatUsd(costOf(cost)) });
});

test('tags are those of the day of the calls', async () => {
  await callOn(11, 9);
  await desk.json(['apps', 'update', 'search', '--tag', 'team=sellers']);
  const teams = async (month: string) =>
    new Set((await rowsOf(month)).map(({ Tags, ChargePeriodStart: at }) => `${at} ${Tags}`));
  const october = [...(await teams('2026-10'))];
  expect(october.every((text) => text.includes('finders'))).toBe(true);
  const november = [...(await teams('2026-11'))].filter((text) => text.includes('sellers'));
  expect(november).toEqual([expect.stringContaining('2026-11-09')]);
});

test('--top has the most expensive rows, and --app the rows of an app', async () => {
  const all = await rowsOf('2026-10');
  const dearest = all.map((row) => costOf([row])).reduce((most, one) => (one > most ? one : most));
  const top = await rowsOf('2026-10', '--top', '1');
  expect(top).toHaveLength(1);
  expect(costOf(top)).toBe(dearest);
  expect(await rowsOf('2026-10', '--app', 'search')).toEqual(all);
});
