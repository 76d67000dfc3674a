import type { BudgetDefinition } from '../../domain/budget.ts';
import type { Query, Statement } from '../port/port.ts';
import { big, int } from '../schema/columns.ts';
import { wideSum, withSums } from '../schema/wide-sums.ts';
import { periodAt, periodsAround } from './budget-periods.ts';

// A change of a definition corrects the rows of the ledger; this file also reads their totals. No
// ledger batch runs during the change: see `beforeBudgets`.

const updateCaps = 'update budget_scope set cap = $1, mode = $2 where scope = $3 and period = $4';

const updateUserCaps = `
  update budget_scope set cap = $1, mode = $2
   where period = $4 and substr(scope, 1, length(cast($3 as text))) = $3`;

/** Current periods only; past ones keep theirs. */
export function capBudget(
  { scope, span, capPicoUsd, mode }: BudgetDefinition,
  nowMs: number,
): readonly Statement[] {
  const users = usersPrefix(scope);
  const sql = users === undefined ? updateCaps : updateUserCaps;
  return periodsAround(span, nowMs).map(({ period }) => ({
    sql,
    values: [capPicoUsd, mode, users ?? scope, period],
  }));
}

/** Undefined for other definitions. */
function usersPrefix(scope: string): string | undefined {
  return scope.startsWith('users:') ? `user:${scope.slice('users:'.length)}:` : undefined;
}

export interface ScopeUse {
  readonly period: string;
  readonly rows: number;
  readonly spent: bigint;
  readonly held: bigint;
  readonly brought: bigint;
  readonly estimated: bigint;
  readonly overrun: bigint;
  readonly wouldRefuse: bigint;
  readonly wouldRefuseAmount: bigint;
}

export function selectUse(budget: BudgetDefinition, nowMs: number): Query<ScopeUse> {
  const { period } = periodAt(budget.span, nowMs);
  const users = usersPrefix(budget.scope);
  return {
    sql: users === undefined ? sumScope : sumUsers,
    values: [users ?? budget.scope, period],
    map: ([row = {}]) => ({
      period,
      rows: int(row, 'n'),
      spent: wideSum(row, 'spent'),
      held: wideSum(row, 'held'),
      brought: wideSum(row, 'brought'),
      estimated: wideSum(row, 'estimated'),
      overrun: wideSum(row, 'overrun'),
      wouldRefuse: big(row, 'would_refuse'),
      wouldRefuseAmount: wideSum(row, 'would_refuse_amount'),
    }),
  };
}

const sums = withSums(`
  select count(*) as n, wide_sum(spent) as spent,
         wide_sum(held) as held,
         wide_sum(brought) as brought,
         wide_sum(estimated) as estimated,
         wide_sum(overrun) as overrun,
         cast(coalesce(sum(would_refuse), 0) as bigint) as would_refuse,
         wide_sum(would_refuse_amount) as would_refuse_amount
    from budget_scope`);

const sumScope = `${sums}
   where scope = $1 and period = $2`;

const sumUsers = `${sums}
   where period = $2 and substr(scope, 1, length(cast($1 as text))) = $1`;
