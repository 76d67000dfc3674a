import type { UsageSums } from '../../books/splits.ts';
import type { Query, Statement } from '../port/port.ts';
import { text } from '../schema/columns.ts';
import { upsert } from '../schema/row-statement.ts';
import {
  type UsageSplit,
  type UsageUserMonth,
  usageSplits,
  usageUserMonths,
} from '../schema/sum-tables.ts';

export const selectUnprunedMonths: Query<readonly string[]> = {
  sql: `
    select distinct substr(day, 1, 7) as month
      from usage_day
     where substr(day, 1, 7) || '-01' >= (select coalesce(max(day), '') from prune_horizon)
     order by month`,
  values: [],
  map: (rows) => rows.map((row) => text(row, 'month')),
};

export function selectSplitsOf(month: string): Query<readonly UsageSplit[]> {
  return {
    sql: 'select * from usage_split where day >= $1 and day <= $2',
    values: [`${month}-01`, `${month}-31`],
    map: (rows) => rows.map(usageSplits.read),
    isLong: true,
  };
}

export function selectUsersOf(month: string): Query<readonly UsageUserMonth[]> {
  return {
    sql: 'select * from usage_user_month where month = $1',
    values: [month],
    map: (rows) => rows.map(usageUserMonths.read),
    isLong: true,
  };
}

const putSplitRow = upsert(usageSplits);
const putUserRow = upsert(usageUserMonths);

export function putSplit(row: UsageSplit): Statement {
  return { sql: putSplitRow.sql, values: putSplitRow.bind(row) };
}

export function putUser(row: UsageUserMonth): Statement {
  return { sql: putUserRow.sql, values: putUserRow.bind(row) };
}

/** Changes nothing if the rollups' end moved, or a record was pruned. */
export function unlessMoved(rolledUntil: string, prunedSteps: number): Statement {
  return {
    sql: `
      update rollup_state set rolled_until = rolled_until
       where id = 1 and rolled_until = $1 and pruned_steps = $2`,
    values: [rolledUntil, prunedSteps],
    abortIfNoRows: true,
  };
}

export function isSameSums(a: UsageSums, b: UsageSums): boolean {
  return (
    a.calls === b.calls &&
    a.errors === b.errors &&
    a.inputTokens === b.inputTokens &&
    a.cachedInputTokens === b.cachedInputTokens &&
    a.cacheWriteInputTokens === b.cacheWriteInputTokens &&
    a.cacheWrite1hInputTokens === b.cacheWrite1hInputTokens &&
    a.outputTokens === b.outputTokens &&
    a.reasoningTokens === b.reasoningTokens &&
    a.cost === b.cost &&
    a.estimated === b.estimated &&
    a.corrected === b.corrected &&
    a.unpriced === b.unpriced &&
    a.unpricedCalls === b.unpricedCalls
  );
}
