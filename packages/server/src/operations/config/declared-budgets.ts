import type { BudgetConfig, BudgetSpan } from '../../domain/budget.ts';
import type { BudgetRow } from '../../store/queries/budgets.ts';
import { nameOfScope, scopeOfName } from '../budgets/budget-document.ts';
import { type BudgetSpec, changeBudgets, groupChanges } from '../budgets/budgets.ts';
import type { AdminContext } from '../context/context.ts';

export interface AppliedBudget {
  readonly name: string;
  /** `left`: it left the file and still applies; `command`: the file does not change it. */
  readonly kind: 'create' | 'change' | 'same' | 'left' | 'command';
}

/**
 * Budgets from commands stay; a budget that left the file stays until removed. One transaction;
 * throws as `changeRegistry`.
 */
export async function applyBudgets(
  context: AdminContext,
  declared: readonly BudgetConfig[],
): Promise<readonly AppliedBudget[]> {
  let applied: readonly AppliedBudget[] = [];
  await changeBudgets(context, (budgets) => {
    const planned = planBudgets(declared, budgets);
    applied = planned;
    return planned.flatMap(({ name, before, spec }) => {
      return spec === undefined ? [] : groupChanges(context, name, before, spec);
    });
  });
  return applied.map(({ name, kind }) => ({ name, kind }));
}

export function planBudgets(
  declared: readonly BudgetConfig[],
  budgets: readonly BudgetRow[],
): readonly PlannedBudget[] {
  const groups = Map.groupBy(budgets, ({ scope }) => scope);
  const planned = declared.map((config) => {
    return planBudget(config, groups.get(scopeOfName(config.name)) ?? []);
  });
  const removed = findRemovedBudgets(budgets, declared).map((each) => {
    return { ...each, before: groups.get(scopeOfName(each.name)) ?? [] };
  });
  return [...planned, ...removed];
}

export interface PlannedBudget extends AppliedBudget {
  readonly before: readonly BudgetRow[];
  /** Undefined where nothing changes. */
  readonly spec?: BudgetSpec;
}

function planBudget(config: BudgetConfig, before: readonly BudgetRow[]): PlannedBudget {
  const { name } = config;
  const now = fileValuesOf(config);
  const fileValues = JSON.stringify(now);
  const [known] = before;
  if (known?.origin === 'command') return { name, kind: 'command', before };
  if (known?.fileValues === fileValues) return { name, kind: 'same', before };
  const last: Record<string, unknown> = JSON.parse(known?.fileValues ?? '{}');
  const isNew = (key: keyof typeof now) => JSON.stringify(now[key]) !== JSON.stringify(last[key]);
  const capOf = (span: BudgetSpan, value: bigint | undefined) => {
    const current = before.find((row) => row.span === span)?.capPicoUsd;
    return value !== undefined && isNew(span) ? value : current;
  };
  const spec: BudgetSpec = {
    apps: known?.members === undefined || isNew('apps') ? config.apps : known.members,
    mode: known === undefined || isNew('mode') ? config.mode : known.mode,
    isVisible: known === undefined || isNew('visible') ? config.isVisible : known.isVisible,
    caps: { day: capOf('day', config.dailyPicoUsd), month: capOf('month', config.monthlyPicoUsd) },
    ...{ origin: 'file', fileValues },
  };
  return { name, kind: known === undefined ? 'create' : 'change', before, spec };
}

function fileValuesOf({ apps, dailyPicoUsd, monthlyPicoUsd, mode, isVisible }: BudgetConfig) {
  return {
    apps: apps === 'all' ? apps : apps.toSorted(),
    ...{ day: dailyPicoUsd?.toString(), month: monthlyPicoUsd?.toString() },
    ...{ mode, visible: isVisible },
  };
}

function findRemovedBudgets(
  budgets: readonly BudgetRow[],
  declared: readonly BudgetConfig[],
): readonly AppliedBudget[] {
  const removed = budgets
    .filter(({ scope, origin }) => scope.startsWith('group:') && origin === 'file')
    .map(({ scope }) => nameOfScope(scope))
    .filter((name) => !declared.some((each) => each.name === name));
  return [...new Set(removed)].map((name) => ({ name, kind: 'left' }));
}
