import type { AppSettings } from '../../domain/app.ts';
import { formatUsd } from '../../lib/money.ts';
import type { Statement } from '../../store/port/port.ts';
import { countBudget, type Members, membersOf } from '../../store/queries/budget-members.ts';
import { type BudgetRow, deleteBudget, putBudget } from '../../store/queries/budgets.ts';
import { capBudget } from '../../store/queries/scopes.ts';
import { auditLine } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';

type BudgetKey = Pick<BudgetRow, 'scope' | 'span'>;

/**
 * Recounts a new definition, or one with other apps. Otherwise only the running periods' limits
 * change, and no reservations.
 */
export function defineBudget(
  context: AdminContext,
  before: BudgetRow | undefined,
  after: BudgetRow,
): readonly Statement[] {
  const nowMs = context.clock.now();
  const members = membersOf(after);
  const known = before === undefined ? [] : membersOf(before);
  const isSame = members === undefined || `${known}` === `${members}`;
  return [
    putBudget(after),
    ...(isSame ? capBudget(after, nowMs) : recountBudget(context, after, known ?? [], members)),
    auditLine(context, {
      action: 'budget.set',
      subject: subjectOf(after),
      before: before && budgetJson(before),
      after: budgetJson(after),
    }),
  ];
}

export function dropBudget(context: AdminContext, budget: BudgetRow): readonly Statement[] {
  const before = budgetJson(budget);
  const members = membersOf(budget);
  return [
    deleteBudget(budget),
    ...(members === undefined ? [] : recountBudget(context, budget, members, [])),
    auditLine(context, { action: 'budget.remove', subject: subjectOf(budget), before }),
  ];
}

function recountBudget(
  { store, clock }: AdminContext,
  budget: BudgetRow,
  before: Members,
  after: Members,
): readonly Statement[] {
  return countBudget(budget, { kind: store.kind, before, after, nowMs: clock.now() });
}

function subjectOf({ scope, span }: BudgetKey): string {
  return `${scope} ${span}`;
}

function budgetJson({ capPicoUsd, mode, isVisible, members }: BudgetRow): string {
  return JSON.stringify({ capUsd: formatUsd(capPicoUsd), mode, visible: isVisible, apps: members });
}

type AppBudgets = Partial<Pick<AppSettings, 'monthlyBudgetPicoUsd' | 'perUserDailyPicoUsd'>>;

export function appBudgetChanges(
  context: AdminContext,
  app: Pick<BudgetRow, 'origin'> & { readonly name: string },
  before: AppBudgets,
  after: AppBudgets,
): readonly Statement[] {
  const { name, origin } = app;
  const one = (key: BudgetKey, old: bigint | undefined, cap: bigint | undefined) => {
    if (old === cap) return [];
    const rowOf = (capPicoUsd: bigint): BudgetRow => ({
      ...{ ...key, capPicoUsd, mode: 'enforce', isVisible: true, members: undefined, origin },
      ...{ sinceMs: context.clock.now(), fileValues: undefined },
    });
    const row = old === undefined ? undefined : rowOf(old);
    if (cap !== undefined) return defineBudget(context, row, rowOf(cap));
    return row === undefined ? [] : dropBudget(context, row);
  };
  return [
    ...one(
      { scope: `app:${name}`, span: 'month' },
      before.monthlyBudgetPicoUsd,
      after.monthlyBudgetPicoUsd,
    ),
    ...one(
      { scope: `users:${name}`, span: 'day' },
      before.perUserDailyPicoUsd,
      after.perUserDailyPicoUsd,
    ),
  ];
}
