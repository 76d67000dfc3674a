import type { Budget, UsageAnswer, UsageTotals } from '@model-gateway/contract';
import type { BudgetDay, UsageDay } from '../books/rows.ts';
import type { App } from '../domain/registered-app.ts';
import { formatUsd, larger } from '../lib/money.ts';
import type { Store } from '../store/port/port.ts';
import { lostModel, selectBudget, selectHistory, selectUsage } from '../store/queries/ledger.ts';

const historyDays = 30;

/** UTC. */
export interface ReportedDay {
  readonly day: string;
  readonly today: string;
}

type ReportedApp = Pick<App, 'name' | 'project' | 'dailyBudgetPicoUsd'>;

/** For `GET /v1/usage`. Its cost does not grow with the number of calls. */
export async function usageReport(
  store: Store,
  app: ReportedApp,
  reported: ReportedDay,
): Promise<UsageAnswer> {
  const { day } = reported;
  const [budget, usage, history] = await Promise.all([
    store.read(selectBudget(app.name, day)),
    store.read(selectUsage(app.name, day)),
    store.read(selectHistory(app.name, historyDays)),
  ]);
  return {
    app: app.name,
    project: app.project,
    day,
    budget: budgetOf(app, reported, budget),
    totals: totalsOf(usage),
    models: usage.map((row) => ({ model: row.model, ...totalsOf([row]) })),
    history: history.map(({ day: past, calls, cost }) => ({
      day: past,
      calls,
      costUsd: formatUsd(cost),
    })),
  };
}

export function budgetOf(
  app: Pick<App, 'dailyBudgetPicoUsd'>,
  { day, today }: ReportedDay,
  row: BudgetDay | undefined,
): Budget | null {
  // The day's first call records its cap. A past day without a record had no call to check, and the
  // current cap may differ from the cap of that day.
  if (row === undefined && day < today) return null;
  const cap = row === undefined ? app.dailyBudgetPicoUsd : row.cap;
  if (cap === undefined) return null;
  const spent = row?.spent ?? 0n;
  const held = row?.held ?? 0n;
  return {
    capUsd: formatUsd(cap),
    spentUsd: formatUsd(spent),
    heldUsd: formatUsd(held),
    remainingUsd: formatUsd(larger(0n, cap - spent - held)),
    resetsAt: new Date(Date.parse(day) + 86_400_000).toISOString(),
  };
}

function totalsOf(rows: readonly UsageDay[]): UsageTotals {
  const count = (pick: (row: UsageDay) => number) => rows.reduce((sum, row) => sum + pick(row), 0);
  const unlessLost = (row: UsageDay, times: number) => (row.model === lostModel ? 0 : times);
  const amount = (pick: (row: UsageDay) => bigint) =>
    formatUsd(rows.reduce((sum, row) => sum + pick(row), 0n));
  return {
    calls: count((row) => unlessLost(row, row.calls)),
    errors: count((row) => unlessLost(row, row.errors)),
    inputTokens: count((row) => row.inputTokens),
    cachedInputTokens: count((row) => row.cachedInputTokens),
    cacheWriteInputTokens: count((row) => row.cacheWriteInputTokens),
    outputTokens: count((row) => row.outputTokens),
    reasoningTokens: count((row) => row.reasoningTokens),
    costUsd: amount((row) => row.cost),
    estimatedUsd: amount((row) => row.estimated),
    unpricedCalls: count((row) => row.unpricedCalls),
  };
}
