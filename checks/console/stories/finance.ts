import { readFile } from 'node:fs/promises';
import { formatUsd, parseUsd } from '../../../packages/server/src/lib/money.ts';
import type { House } from '../house.ts';
import { labels } from './labels.ts';
import { expect, type Visit } from './visit.ts';

/** The current month by project as a file, and its most expensive call, in four clicks. */
export async function monthByProject({ page, hands, house }: Visit): Promise<void> {
  await hands.press('link', labels.thisMonth);
  await hands.press('button', labels.groups.project);
  await page
    .getByRole('heading', { name: labels.spendBy('project') })
    .first()
    .waitFor();
  const coming = page.waitForEvent('download');
  coming.catch(() => undefined);
  await hands.press('button', labels.exportCsv);
  const file = await readFile(await (await coming).path(), 'utf8');
  const [summed, booked] = [sumOfCsv(file), await bookedThisMonth(house)];
  expect(booked > 0n && summed === booked, `the CSV has ${summed} pico-USD, the ledger ${booked}`);
  await hands.press('link', labels.mostExpensiveCall);
  await page.getByRole('heading', { name: labels.headings.receipt }).first().waitFor();
  const mostExpensive = formatUsd(await highestCostThisMonth(house));
  const pageText = await page.getByRole('main').innerText();
  expect(
    pageText.includes(`${labels.whyItCost}$${mostExpensive}`),
    `the receipt is not of the call of $${mostExpensive}`,
  );
  expect(hands.presses() <= 4, `it took ${hands.presses()} clicks`);
  await page.goBack();
  await hands.press('button', labels.groups.app);
  await page
    .getByRole('heading', { name: labels.spendBy('app') })
    .first()
    .waitFor();
}

/** The total cost of a spending file's rows, in pico-USD. */
function sumOfCsv(file: string): bigint {
  const [heads = [], ...rows] = file
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const at = heads.indexOf('costUsd');
  return rows.reduce((sum, row) => sum + (parseUsd(row[at] ?? '') ?? 0n), 0n);
}

/** The booked cost of the current month, in pico-USD. */
async function bookedThisMonth({ service }: House): Promise<bigint> {
  const sums = await service.store.read({
    sql: 'select cast(sum(cost) as text) as cost from usage_day where day >= $1',
    values: [`${new Date().toISOString().slice(0, 7)}-01`],
    map: (rows) => rows.map(({ cost }) => BigInt(String(cost))),
  });
  return sums[0] ?? 0n;
}

/** The cost of the current month's most expensive call, in pico-USD, by reading all calls. */
async function highestCostThisMonth({ service }: House): Promise<bigint> {
  const costs = await service.store.read({
    sql: 'select max(cost) as cost from call where started_at >= $1',
    values: [Date.parse(`${new Date().toISOString().slice(0, 7)}-01`)],
    map: (rows) => rows.map(({ cost }) => BigInt(String(cost))),
    isLong: true,
  });
  return costs[0] ?? 0n;
}
