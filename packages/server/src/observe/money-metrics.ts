import { Gauge, type Registry } from 'prom-client';
import type { App } from '../domain/registered-app.ts';
import { formatUsd } from '../lib/money.ts';
import type { CountedBudget } from '../store/queries/metrics.ts';
import { sameOnAll } from './merge-metrics.ts';
import type { StoreMetrics } from './store-metrics.ts';

export interface MoneyParts {
  readonly amounts: () => Promise<StoreMetrics | undefined>;
  readonly apps: () => readonly App[];
}

/** Fields are undefined where the app has none. */
interface AppMoney {
  readonly app: string;
  readonly cap: bigint | undefined;
  readonly spent: bigint;
  readonly held: bigint;
  readonly estimated: bigint;
  readonly overrun: bigint;
  readonly openHolds: number;
  readonly openAmount: bigint;
}

const gauges: readonly (readonly [string, string, (money: AppMoney) => number | undefined])[] = [
  [
    'budget_cap_usd',
    'Daily budget; absent without one',
    ({ cap }) => (cap === undefined ? cap : usd(cap)),
  ],
  ['budget_spent_usd', 'Amount spent today', ({ spent }) => usd(spent)],
  [
    'budget_held_usd',
    'Amount of the daily budget reserved for running calls',
    ({ held }) => usd(held),
  ],
  [
    'budget_estimated_usd',
    'Estimated part of the amount spent today',
    ({ estimated }) => usd(estimated),
  ],
  [
    'budget_overrun_usd',
    'Amount spent today above the reservations',
    ({ overrun }) => usd(overrun),
  ],
  ['open_holds', 'Open reservations of all replicas', ({ openHolds }) => openHolds],
  [
    'open_holds_usd',
    'Amount of all open reservations, not only of today',
    ({ openAmount }) => usd(openAmount),
  ],
];

/**
 * The values come from the store, so all replicas report the same. While the store is unavailable
 * they are missing, and `model_gateway_store_up` is 0.
 */
export function addMoneyMetrics(registry: Registry, parts: MoneyParts): void {
  const registers = [registry];
  const labelNames = ['app'] as const;
  for (const [name, help, read] of gauges) {
    new Gauge({
      ...{ name: `model_gateway_${name}`, help, labelNames, registers, ...sameOnAll },
      async collect() {
        const rows = await moneyOf(parts);
        this.reset();
        for (const row of rows) {
          const value = read(row);
          if (value !== undefined) this.set({ app: row.app }, value);
        }
      },
    });
  }
  addScopeMetrics(registers, parts);
  addSumsMetric(registers, parts);
  addClosedMetric(registers, parts);
  new Gauge({
    name: 'model_gateway_store_up',
    help: '1 if the store responds. Otherwise 0, and the metrics read from the store are absent',
    ...{ registers, ...sameOnAll },
    async collect() {
      this.set((await parts.amounts()) === undefined ? 0 : 1);
    },
  });
}

function addClosedMetric(registers: Registry[], { amounts }: MoneyParts) {
  new Gauge({
    name: 'model_gateway_closed_budgets',
    help: 'Number of budgets, runs and apps with wallets closed by a restore of the store',
    ...{ registers, ...sameOnAll },
    async collect() {
      const closed = (await amounts())?.closed;
      if (closed === undefined) this.remove();
      else this.set(closed);
    },
  });
}

function addSumsMetric(registers: Registry[], { amounts }: MoneyParts) {
  new Gauge({
    name: 'model_gateway_rollup_age_seconds',
    help: 'Age of the last hour in the report rollups: 3 min to just over 1 h, absent before the first. Reports stay exact, and slow down with age',
    ...{ registers, ...sameOnAll },
    async collect() {
      const ageMs = (await amounts())?.sumsAgeMs;
      if (ageMs === undefined) this.remove();
      else this.set(ageMs / 1_000);
    },
  });
}

const scopeGauges: readonly (readonly [string, string, (budget: CountedBudget) => number])[] = [
  [
    'cap_usd',
    'Budget of a group (group:NAME) or monthly budget of an app (app:NAME). The label span is day or month. Budgets of keys and users are not exported',
    ({ cap }) => usd(cap),
  ],
  [
    'spent_usd',
    'Amount spent in the current period of the budget, also from before it was set',
    ({ spent }) => usd(spent),
  ],
  ['held_usd', 'Amount of the budget reserved for running calls', ({ held }) => usd(held)],
  [
    'would_reject',
    'Calls of the current period that the budget would reject without shadow mode',
    ({ wouldRefuse }) => Number(wouldRefuse),
  ],
  [
    'would_reject_usd',
    'Maximum cost of the calls that the budget would reject without shadow mode',
    ({ wouldRefuseAmount }) => usd(wouldRefuseAmount),
  ],
];

/** Only groups and apps: the number of keys and users is unbounded. */
function addScopeMetrics(registers: Registry[], { amounts }: MoneyParts): void {
  const labelNames = ['scope', 'span'] as const;
  for (const [name, help, read] of scopeGauges) {
    new Gauge({
      ...{ name: `model_gateway_budget_scope_${name}`, help, labelNames, registers, ...sameOnAll },
      async collect() {
        const now = await amounts();
        this.reset();
        for (const budget of now?.counted ?? []) {
          this.set({ scope: budget.scope, span: budget.span }, read(budget));
        }
      },
    });
  }
}

/** One entry for each registered app, used today or not. */
async function moneyOf({ amounts, apps }: MoneyParts): Promise<readonly AppMoney[]> {
  const now = await amounts();
  if (now === undefined) return [];
  const budgets = new Map(now.budgets.map((row) => [row.app, row]));
  const holds = new Map(now.holds.map((row) => [row.app, row]));
  return apps().map(({ name: app, dailyBudgetPicoUsd }) => {
    const day = budgets.get(app);
    const open = holds.get(app);
    return {
      app,
      cap: day === undefined ? dailyBudgetPicoUsd : day.cap,
      spent: day?.spent ?? 0n,
      held: day?.held ?? 0n,
      estimated: day?.estimated ?? 0n,
      overrun: day?.overrun ?? 0n,
      openHolds: open?.count ?? 0,
      openAmount: open?.amount ?? 0n,
    };
  });
}

/** Only for charts: accounting stays in integers. */
function usd(amountPicoUsd: bigint): number {
  return Number(formatUsd(amountPicoUsd));
}
