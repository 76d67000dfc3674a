import { budgetOf } from '../../ledger/usage-report.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { formatUsd, larger } from '../../lib/money.ts';
import { selectBudgets } from '../../store/queries/metrics.ts';
import * as sql from '../../store/queries/overview.ts';
import { selectRefusals } from '../../store/queries/refusals.ts';
import { type AppRow, selectApps } from '../../store/queries/registry.ts';
import { type AdminContext, readingAside } from '../context/context.ts';
import type { Curves } from '../context/live-state.ts';
import type { Overview, OverviewApp } from '../documents/today.ts';
import { paceOf } from './pace.ts';
import { hourOf, refusalDocument } from './refusals.ts';

export type Today = Omit<Overview, 'problems' | 'well' | 'firstCall'>;

const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** A team's newest call is searched among this many of all apps. */
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
  const context = readingAside(operator);
  const { store, clock, company } = context;
  const nowMs = clock.now();
  const day = utcDayOf(nowMs);
  const isSeen = (app: string) => apps === undefined || apps.includes(app);
  const [rows, days, refusals, hasCalls, newest] = await Promise.all([
    store.read(selectApps(company)),
    readDays(context, day),
    store.read(selectRefusals(hourOf(nowMs) - hourMs, undefined)),
    store.read(sql.selectHasUsage(apps)),
    store.read(sql.selectNewestCall(apps, newestCalls)),
  ]);
  const seen = rows.filter(({ name }) => isSeen(name));
  const at = { nowMs, day, curves };
  return {
    ...{ at: new Date(nowMs).toISOString(), day },
    resetsAt: new Date(Date.parse(day) + dayMs).toISOString(),
    totals: totalsOf(seen.map(({ name }) => days.of(name))),
    apps: seen.map((row) => appToday(row, days.of(row.name), { ...at, budget: days.budget })),
    refusals: refusals.filter(({ app }) => isSeen(app)).map(refusalDocument),
    hasCalls: hasCalls || newest !== undefined,
    lastCall: newest ?? null,
  };
}

type Days = Awaited<ReturnType<typeof readDays>>;

export async function readDays({ store }: Pick<AdminContext, 'store'>, day: string) {
  const [totals, budgets, refused] = await Promise.all([
    store.read(sql.selectDayTotals(day)),
    store.read(selectBudgets(day)),
    store.read(sql.selectRefusedSums(Date.parse(day))),
  ]);
  const totalsOfApp = new Map(totals.map((row) => [row.app, row]));
  const budgetOfApp = new Map(budgets.map((row) => [row.app, row]));
  return {
    budget: (app: string) => budgetOfApp.get(app),
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
  readonly budget: Days['budget'];
}

export function appToday(row: AppRow, today: AppDay, at: AtNow): OverviewApp {
  const { name: app, isEnabled: enabled } = row;
  const { spent, held } = today;
  const counted = at.budget(app);
  const cap = counted === undefined ? row.dailyBudgetPicoUsd : counted.cap;
  const budget = budgetOf(row, { day: at.day, today: at.day }, counted);
  const pace = { dayMs: Date.parse(at.day), nowMs: at.nowMs, spent, cap };
  return {
    ...{ app, enabled, capUsd: budget?.capUsd ?? null },
    ...{ spentUsd: formatUsd(spent), heldUsd: formatUsd(held) },
    leftUsd: budget?.remainingUsd ?? null,
    usedPercent: cap === undefined ? null : percentOf(spent + held, cap),
    estimatedUsd: formatUsd(today.estimated),
    ...{ calls: today.calls, errors: today.errors, refused: today.refused },
    atThisPace: paceOf({ ...pace, curve: at.curves.of(app), like: at.curves.like }),
  };
}

function percentOf(used: bigint, cap: bigint): number {
  return Number((larger(0n, used) * 100n) / larger(1n, cap));
}

function totalsOf(days: readonly AppDay[]): Today['totals'] {
  const amount = (pick: (day: AppDay) => bigint) =>
    formatUsd(days.reduce((sum, day) => sum + pick(day), 0n));
  const count = (pick: (day: AppDay) => number) => days.reduce((sum, day) => sum + pick(day), 0);
  return {
    spentUsd: amount(({ spent }) => spent),
    heldUsd: amount(({ held }) => held),
    estimatedUsd: amount(({ estimated }) => estimated),
    calls: count(({ calls }) => calls),
    errors: count(({ errors }) => errors),
    refused: count(({ refused }) => refused),
  };
}
