import type { BudgetDay } from '../../books/rows.ts';
import { big, int, text } from '../columns.ts';
import type { Query } from '../port.ts';
import * as tables from '../tables.ts';

/** What the open holds of an app come to. */
export interface OpenHolds {
  readonly app: string;
  readonly count: number;
  readonly amount: bigint;
}

/** The open holds by app: as many rows as apps, over as many as calls are running. */
export const selectOpenHolds: Query<readonly OpenHolds[]> = {
  sql: `
    select app, count(*) as holds, cast(sum(budget_amount) as bigint) as amount
      from hold
     group by app`,
  values: [],
  map: (rows) =>
    rows.map((row) => ({
      app: text(row, 'app'),
      count: int(row, 'holds'),
      amount: big(row, 'amount'),
    })),
};

/** Every app's budget of a day. */
export function selectBudgets(day: string): Query<readonly BudgetDay[]> {
  return {
    sql: 'select * from budget_day where day = $1',
    values: [day],
    map: (rows) => rows.map(tables.budgetDays.read),
  };
}
