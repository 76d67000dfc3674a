import type { OverviewApp } from '@model-gateway/server/operations/documents';
import { type Budgeted, type ShownBudget, shownBudgets } from '../../text/budget-sums.ts';
import { picoOf, sumUsd } from '../../text/money.ts';

export interface AppSums extends Budgeted {
  readonly leftUsd: string | null;
  readonly endOfDayUsd: string;
  readonly calls: number;
  readonly errors: number;
}

export interface AppRow extends AppSums {
  readonly shown: ShownBudget;
  /** Undefined for the row of the rest. */
  readonly app: OverviewApp | undefined;
}

export interface AppGroup {
  readonly rows: readonly AppRow[];
  /** The last row, for apps without a row; undefined where each has one. */
  readonly rest: AppRow | undefined;
  readonly total: AppSums & { readonly shown: ShownBudget };
  readonly count: number;
}

/** With and without a budget: only the former add up to a total budget. */
export function groupsOf(apps: readonly OverviewApp[], rowsMax = Number.POSITIVE_INFINITY) {
  const shown = new Set(apps.toSorted(byMostSpent).slice(0, rowsMax));
  const groupOf = (members: readonly OverviewApp[]) => {
    const others = members.filter((app) => !shown.has(app));
    return groupFrom(
      members.filter((app) => shown.has(app)),
      others,
    );
  };
  return {
    budgeted: groupOf(apps.filter(({ capUsd }) => capUsd !== null)),
    without: groupOf(apps.filter(({ capUsd }) => capUsd === null)),
  };
}

export type AppGroups = ReturnType<typeof groupsOf>;

function groupFrom(apps: readonly OverviewApp[], others: readonly OverviewApp[]): AppGroup {
  const parts = [
    ...apps.map((app) => ({ app, ...sumsOf(app.app, [app]) })),
    ...(others.length === 0 ? [] : [{ app: undefined, ...sumsOf(restName(others), others) }]),
  ];
  const { rows: shown, total } = shownBudgets(parts);
  const rows = parts.flatMap((part, at) => {
    const texts = shown[at];
    return texts === undefined ? [] : [{ ...part, shown: texts }];
  });
  return {
    rows: rows.filter(({ app }) => app !== undefined),
    rest: rows.find(({ app }) => app === undefined),
    total: { ...sumsOf('All apps', [...apps, ...others]), shown: total },
    count: apps.length + others.length,
  };
}

function restName({ length }: readonly OverviewApp[]): string {
  return `${length.toLocaleString('en')} more ${length === 1 ? 'app' : 'apps'}`;
}

function sumsOf(name: string, apps: readonly OverviewApp[]): AppSums {
  const sum = (pick: (app: OverviewApp) => string | null) =>
    sumUsd(apps.map((app) => pick(app) ?? '0'));
  const hasBudget = apps.some(({ capUsd }) => capUsd !== null);
  return {
    name,
    capUsd: hasBudget ? sum(({ capUsd }) => capUsd) : null,
    spentUsd: sum(({ spentUsd }) => spentUsd),
    heldUsd: sum(({ heldUsd }) => heldUsd),
    leftUsd: hasBudget ? sum(({ leftUsd }) => leftUsd) : null,
    endOfDayUsd: sum(({ forecast }) => forecast.endOfDayUsd),
    calls: apps.reduce((all, { calls }) => all + calls, 0),
    errors: apps.reduce((all, { errors }) => all + errors, 0),
  };
}

function byMostSpent(a: OverviewApp, b: OverviewApp): number {
  const [one, other] = [picoOf(a.spentUsd), picoOf(b.spentUsd)];
  if (one !== other) return one > other ? -1 : 1;
  return a.app < b.app ? -1 : 1;
}
