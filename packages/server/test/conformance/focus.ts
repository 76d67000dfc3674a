import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UsageSums } from '../../src/books/splits.ts';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { lastDayOfMonth, systemClock, utcMonthOf } from '../../src/lib/clock.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { createApp, updateApp } from '../../src/operations/apps/apps.ts';
import { savePrices } from '../../src/operations/models/prices.ts';
import { readFocus, readTagHistory } from '../../src/operations/reports/focus.ts';
import { readReport } from '../../src/operations/reports/report.ts';
import { focusLines } from '../../src/reports/focus.ts';
import type { FocusCharge } from '../../src/reports/focus-charges.ts';
import type { Store } from '../../src/store/port/port.ts';
import { configOf } from '../config/load.ts';
import { prove } from '../ledger/proof-size.ts';
import { createFocusRun, type FocusRun } from './focus-run.ts';
import { type FocusStep, focusSteps, prices } from './focus-steps.ts';
import { adminOn, createStoreSubject } from './subject.ts';

const yaml = `
company: acme
platforms: { sandbox: { kind: simulator } }
models:
  - { id: sim-echo, platform: sandbox, inputUsdPerMillion: "2", outputUsdPerMillion: "10" }
`;
const startMs = Date.UTC(2026, 9, 28, 9);

/** A FOCUS file equals the reports, for any calls and corrections. */
export function testFocus(storeOf: () => Store, runs: number) {
  test('months of FOCUS equal their reports at their ends, and later corrections', async () => {
    const store = storeOf();
    const catalog = createCatalog({ ...configOf(yaml), shipped: [], clock: systemClock });
    await savePrices(
      store,
      Object.entries(prices).map(([model, price]) => ({ ...price, model })),
    );
    const property = fc.asyncProperty(focusSteps, (steps) => play(store, catalog, steps));
    await prove(property, runs);
  });

  test('tags are those at the end of the day of the calls, not those of today', async () => {
    const admin = (day: string) => adminOn(storeOf(), Date.parse(`${day}T12:00:00Z`));
    const today = () => ({ team: 'of today' });
    await createApp(admin('2026-10-02'), 'tagged', { tags: { team: 'a' } });
    await updateApp(admin('2026-10-05'), 'tagged', { enabled: false });
    await updateApp(admin('2026-10-09'), 'tagged', { tags: { team: 'b' } });
    await updateApp(admin('2026-10-09'), 'tagged', { tags: {} });
    await updateApp(admin('2026-11-01'), 'tagged', { tags: { team: 'c', centre: '7' } });
    const tags = await readTagHistory(storeOf(), today);
    const days = [
      '2026-09-30',
      '2026-10-02',
      '2026-10-08',
      '2026-10-09',
      '2026-10-31',
      '2026-11-01',
    ];
    expect(days.map((day) => tags('tagged', day))).toEqual([
      ...[{ team: 'a' }, { team: 'a' }, { team: 'a' }],
      ...[{}, {}, { team: 'c', centre: '7' }],
    ]);
    expect(tags('older-than-the-log', '2026-10-09')).toEqual(today());
  });
}

interface Closed {
  readonly cost: bigint;
  readonly lines: readonly string[];
}

async function play(store: Store, catalog: Catalog, steps: readonly FocusStep[]) {
  await createStoreSubject(store, ['search', 'tutor']);
  const run = createFocusRun(store, catalog, startMs);
  const closed = new Map<string, Closed>();
  const close = async () => {
    const month = utcMonthOf(run.now());
    const { cost } = await reported(store, catalog, run, month);
    closed.set(month, { cost, lines: await usageLines(await read(store, catalog, run, month)) });
  };
  for (const step of [...steps, { kind: 'look' } as const]) {
    if (step.kind === 'wait') {
      // A step of time stays within a month or reaches the next one. Each month is closed before it
      // ends.
      await close();
      run.wait(step.hours);
    } else if (step.kind === 'look') await look(store, catalog, run, closed);
    else await run.play(step);
  }
}

const months = Array.from({ length: 24 }, (_, index) =>
  new Date(Date.UTC(2026, 9 + index, 1)).toISOString().slice(0, 7),
);

async function look(
  store: Store,
  catalog: Catalog,
  run: FocusRun,
  closed: ReadonlyMap<string, Closed>,
) {
  const now = utcMonthOf(run.now());
  const all: FocusCharge[] = [];
  for (const month of months.filter((one) => one <= now)) {
    const charges = await read(store, catalog, run, month);
    for (const charge of charges) expectExact(charge);
    const usage = charges.filter(({ isCorrection }) => !isCorrection);
    const before = month < now ? closed.get(month) : undefined;
    const isPruned = `${month}-31` < run.prunedBefore();
    if (before !== undefined) expect(costOf(usage)).toBe(before.cost);
    if (before !== undefined && !isPruned && !run.isRepriced())
      expect(await usageLines(charges)).toEqual(before.lines);
    const metered = costOf(usage.filter(({ meter }) => meter !== undefined));
    if (!isPruned && !run.isRepriced()) expect(metered).toBe(run.counted.get(month) ?? 0n);
    all.push(...charges);
  }
  const total = await reported(store, catalog, run);
  expect(costOf(all)).toBe(total.cost);
  for (const name of ['estimated', 'corrected', 'unpriced'] as const)
    expect(all.reduce((sum, { sums }) => sum + sums[name], 0n)).toBe(total[name]);
  for (const name of ['calls', 'errors', 'inputTokens', 'outputTokens'] as const)
    expect(all.reduce((sum, { sums }) => sum + sums[name], 0)).toBe(total[name]);
}

/** Quantity × price, as written. */
function expectExact({ meter, cost, month, day, isCorrection }: FocusCharge) {
  if (meter !== undefined) expect(meter.quantity * meter.unitPrice).toBe(cost);
  expect(day.startsWith(month)).toBe(!isCorrection);
}

function costOf(charges: readonly FocusCharge[]): bigint {
  return charges.reduce((sum, { cost }) => sum + cost, 0n);
}

function daysOf(month: string) {
  return { from: `${month}-01`, to: lastDayOfMonth(month), apps: undefined };
}

function read(store: Store, catalog: Catalog, run: FocusRun, month: string) {
  return readFocus(adminOn(store, run.now()), catalog, daysOf(month));
}

async function reported(
  store: Store,
  catalog: Catalog,
  run: FocusRun,
  month?: string,
): Promise<UsageSums> {
  const range = month === undefined ? { ...daysOf('2028-12'), from: '2026-01-01' } : daysOf(month);
  const request = { ...range, by: [], top: undefined };
  return (await readReport(adminOn(store, run.now()), catalog, request, () => undefined)).total;
}

async function usageLines(charges: readonly FocusCharge[]): Promise<readonly string[]> {
  const usage = charges.filter(({ isCorrection }) => !isCorrection);
  const lines = await focusLines(usage, { company: 'acme', platforms: [] });
  expect(lines.length).toBe(usage.length + 1);
  for (const { cost } of usage) expect(lines.join('\n')).toContain(formatUsd(cost));
  return lines;
}
