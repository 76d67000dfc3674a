import { budgetOf } from '../../ledger/usage-report.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { formatUsd, larger } from '../../lib/money.ts';
import { type OpenHolds, selectBudgets, selectOpenHolds } from '../../store/queries/metrics.ts';
import * as sql from '../../store/queries/overview.ts';
import {
  selectRefusals,
  selectRefusedHours,
  selectRefusedSince,
} from '../../store/queries/refusals.ts';
import { type AppRow, selectApps } from '../../store/queries/registry.ts';
import { selectHourMarks } from '../../store/queries/usage-marks.ts';
import { selectUsedUp } from '../../store/queries/used-up.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { Curves } from '../context/live-state.ts';
import type { Refusal } from '../documents/reports.ts';
import type { Overview, OverviewApp } from '../documents/today.ts';
import { type DaySoFar, dayForecastOf, forecastOf, usedUpSince } from './day-forecast.ts';
import { hoursOf, yesterdayOf } from './day-hours.ts';
import { hourOf, refusalDocument } from './refusals.ts';

export type Today = Omit<Overview, 'problems' | 'healthy' | 'firstCall' | 'hasSampleKeys'>;

const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** A team's newest call is searched among this many calls of all apps. */
const newestCalls = 2_000;

interface AppDay {
  readonly spent: bigint;
  readonly held: bigint;
  readonly estimated: bigint;
  readonly calls: number;
  readonly errors: number;
  readonly refused: number;
}

export async function readToday(
  operator: AdminContext,
  { apps, curves }: { readonly apps: readonly string[] | undefined; readonly curves: Curves },
): Promise<Today> {
  const context = withOperatorReads(operator);
  const { store, clock, company } = context;
  const nowMs = clock.now();
  const day = utcDayOf(nowMs);
  const isVisible = (app: string) => apps === undefined || apps.includes(app);
  const [rows, days, refusals, hasCalls, newest] = await Promise.all([
    store.read(selectApps(company)),
    readDays(context, day),
    store.read(selectRefusals(hourOf(nowMs) - hourMs, undefined)),
    store.read(sql.selectHasUsage(apps)),
    store.read(sql.selectNewestCall(apps, newestCalls)),
  ]);
  const visible = rows.filter(({ name }) => isVisible(name));
  const at = { nowMs, day, curves, days };
  const refusedToday = await store.read(selectRefusedSince(Date.parse(day)));
  return {
    ...{ at: new Date(nowMs).toISOString(), day },
    resetsAt: new Date(Date.parse(day) + dayMs).toISOString(),
    totals: totalsOf(visible.map(({ name }) => days.of(name))),
    ...(await readCourse(context, visible, at, apps)),
    ...modelsOf(await store.read(sql.selectModelTotals(day, apps))),
    running: runningOf(await store.read(selectOpenHolds), isVisible),
    apps: visible.map((row) => appToday(row, at)),
    refusals: refusals.filter(({ app }) => isVisible(app)).map(refusalDocument),
    refusedToday: refusedToday
      .filter(({ app }) => isVisible(app))
      .map((row) => withoutHour(refusalDocument(row))),
    hasCalls: hasCalls || newest !== undefined,
    lastCall: newest ?? null,
  };
}

async function readCourse(
  { store }: Pick<AdminContext, 'store'>,
  visible: readonly AppRow[],
  at: AtNow,
  apps: readonly string[] | undefined,
): Promise<Pick<Overview, 'hours' | 'forecast' | 'yesterday'>> {
  const { day, nowMs, days } = at;
  const dayBefore = utcDayOf(Date.parse(day) - dayMs);
  const [marks, refused] = await Promise.all([
    store.read(selectHourMarks([dayBefore, day], apps)),
    store.read(selectRefusedHours(Date.parse(day), apps)),
  ]);
  const all = visible.map(({ name }) => days.of(name));
  const total = {
    calls: sumOf(all, ({ calls }) => calls),
    errors: sumOf(all, ({ errors }) => errors),
    cost: all.reduce((sum, { spent }) => sum + spent, 0n),
  };
  const soFar = { day, dayBefore, nowMs, marks, total, refused };
  return {
    hours: hoursOf(soFar),
    forecast: forecastOf(visible.map((row) => daySoFar(row, at))),
    yesterday: yesterdayOf(soFar),
  };
}

const modelsShown = 20;

function modelsOf(totals: readonly sql.ModelTotals[]): Pick<Overview, 'models' | 'otherModels'> {
  const sorted = totals.toSorted(
    (a, b) => Number(b.cost > a.cost) - Number(b.cost < a.cost) || (a.model < b.model ? -1 : 1),
  );
  const others = sorted.slice(modelsShown);
  return {
    models: sorted.slice(0, modelsShown).map((row) => ({ model: row.model, ...sumsOf([row]) })),
    otherModels: others.length === 0 ? null : sumsOf(others),
  };
}

function sumsOf(rows: readonly sql.ModelTotals[]) {
  return {
    spentUsd: formatUsd(rows.reduce((sum, { cost }) => sum + cost, 0n)),
    calls: sumOf(rows, ({ calls }) => calls),
    errors: sumOf(rows, ({ errors }) => errors),
  };
}

function runningOf(holds: readonly OpenHolds[], isVisible: (app: string) => boolean): number {
  return sumOf(
    holds.filter(({ app }) => isVisible(app)),
    ({ count }) => count,
  );
}

function sumOf<Row>(rows: readonly Row[], pick: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + pick(row), 0);
}

function withoutHour({ at: _, ...rest }: Refusal): Overview['refusedToday'][number] {
  return rest;
}

type Days = Awaited<ReturnType<typeof readDays>>;

export async function readDays({ store }: Pick<AdminContext, 'store'>, day: string) {
  const [totals, budgets, refused, usedUp] = await Promise.all([
    store.read(sql.selectDayTotals(day)),
    store.read(selectBudgets(day)),
    store.read(sql.selectRefusedSums(Date.parse(day))),
    store.read(selectUsedUp(day)),
  ]);
  const totalsOfApp = new Map(totals.map((row) => [row.app, row]));
  const budgetOfApp = new Map(budgets.map((row) => [row.app, row]));
  return {
    budget: (app: string) => budgetOfApp.get(app),
    usedUpMs: (app: string) => usedUp.get(app),
    of(app: string): AppDay {
      const total = totalsOfApp.get(app);
      const budget = budgetOfApp.get(app);
      return {
        ...{ spent: budget?.spent ?? 0n, held: budget?.held ?? 0n },
        estimated: total?.estimated ?? 0n,
        ...{ calls: total?.calls ?? 0, errors: total?.errors ?? 0 },
        refused: refused.get(app) ?? 0,
      };
    },
  };
}

interface AtNow {
  readonly nowMs: number;
  readonly day: string;
  readonly curves: Curves;
  readonly days: Days;
}

export function appToday(row: AppRow, at: AtNow): OverviewApp {
  const { name: app, isEnabled: enabled } = row;
  const today = at.days.of(app);
  const { held } = today;
  const budget = budgetOf(row, { day: at.day, today: at.day }, at.days.budget(app));
  const soFar = daySoFar(row, at);
  const { spent, cap } = soFar;
  return {
    ...{ app, enabled, capUsd: budget?.capUsd ?? null },
    ...{ spentUsd: formatUsd(spent), heldUsd: formatUsd(held) },
    leftUsd: budget?.remainingUsd ?? null,
    usedPercent: cap === undefined ? null : percentOf(spent + held, cap),
    estimatedUsd: formatUsd(today.estimated),
    ...{ calls: today.calls, errors: today.errors, refused: today.refused },
    usedUpSince: usedUpSince(soFar),
    forecast: dayForecastOf(soFar),
  };
}

function daySoFar({ name, isEnabled, dailyBudgetPicoUsd }: AppRow, at: AtNow): DaySoFar {
  const { nowMs, day, days, curves } = at;
  const counted = days.budget(name);
  return {
    ...{ dayMs: Date.parse(day), nowMs, isEnabled, usedUpMs: days.usedUpMs(name) },
    spent: days.of(name).spent,
    cap: counted === undefined ? dailyBudgetPicoUsd : counted.cap,
    ...{ curve: curves.of(name), like: curves.like },
  };
}

function percentOf(used: bigint, cap: bigint): number {
  return Number((larger(0n, used) * 100n) / larger(1n, cap));
}

function totalsOf(days: readonly AppDay[]): Today['totals'] {
  const amount = (pick: (day: AppDay) => bigint) =>
    formatUsd(days.reduce((sum, day) => sum + pick(day), 0n));
  return {
    spentUsd: amount(({ spent }) => spent),
    heldUsd: amount(({ held }) => held),
    estimatedUsd: amount(({ estimated }) => estimated),
    calls: sumOf(days, ({ calls }) => calls),
    errors: sumOf(days, ({ errors }) => errors),
    refused: sumOf(days, ({ refused }) => refused),
  };
}
