import type { BudgetDay } from '../../books/rows.ts';
import type { Query } from '../port/port.ts';
import { big, int, text } from '../schema/columns.ts';
import * as tables from '../schema/tables.ts';
import { wideSum, withSums } from '../schema/wide-sums.ts';

export interface OpenHolds {
  readonly app: string;
  readonly count: number;
  readonly amount: bigint;
}

/** One row per app; reads only running calls. */
export const selectOpenHolds: Query<readonly OpenHolds[]> = {
  sql: withSums(`
    select app, count(*) as holds, wide_sum(budget_amount) as amount
      from hold
     group by app`),
  values: [],
  map: (rows) =>
    rows.map((row) => ({
      app: text(row, 'app'),
      count: int(row, 'holds'),
      amount: wideSum(row, 'amount'),
    })),
};

export function selectBudgets(day: string): Query<readonly BudgetDay[]> {
  return {
    sql: 'select * from budget_day where day = $1',
    values: [day],
    map: (rows) => rows.map(tables.budgetDays.read),
  };
}

export interface CountedBudget {
  readonly scope: string;
  readonly span: string;
  readonly cap: bigint;
  readonly spent: bigint;
  readonly held: bigint;
  readonly wouldRefuse: bigint;
  readonly wouldRefuseAmount: bigint;
}

export function selectCounted(day: string): Query<readonly CountedBudget[]> {
  return {
    sql: `
      select definition.scope, definition.span, definition.cap,
             coalesce(counted.spent, 0) as spent, coalesce(counted.held, 0) as held,
             coalesce(counted.would_refuse, 0) as would_refuse,
             coalesce(counted.would_refuse_amount, 0) as would_refuse_amount
        from budget_definition definition
        left join budget_scope counted
          on counted.scope = definition.scope
         and counted.period = case definition.span when 'day' then $1 else $2 end
       where definition.scope like 'group:%' or definition.scope like 'app:%'
       order by definition.scope, definition.span`,
    values: [day, day.slice(0, 'YYYY-MM'.length)],
    map: (rows) =>
      rows.map((row) => ({
        ...{ scope: text(row, 'scope'), span: text(row, 'span'), cap: big(row, 'cap') },
        ...{ spent: big(row, 'spent'), held: big(row, 'held') },
        wouldRefuse: big(row, 'would_refuse'),
        wouldRefuseAmount: big(row, 'would_refuse_amount'),
      })),
  };
}

export interface PlanUseOfKey {
  readonly name: string;
  readonly customerId: string;
  readonly used: number;
}

/** A rate limit belongs to the first key of a rotation. */
export function selectPlanUses(day: string): Query<readonly PlanUseOfKey[]> {
  return {
    sql: `
      select key.name, key.customer_id, plan_use.used
        from plan_use
        join api_key key on key.id = plan_use.key_id
       where plan_use.day = $1
       order by key.id`,
    values: [day],
    map: (rows) =>
      rows.map((row) => ({
        ...{ name: text(row, 'name'), customerId: text(row, 'customer_id') },
        used: int(row, 'used'),
      })),
  };
}
