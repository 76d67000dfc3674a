import type { CallRecord } from '../../books/rows.ts';
import type { Query } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';
import * as tables from '../schema/tables.ts';

export interface AttemptedStep {
  readonly afterId: string;
  readonly beforeId: string;
  /** UTC, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** Undefined: all. */
  readonly apps: readonly string[] | undefined;
  readonly limit: number;
}

const selectAttempted = `
  select *
    from call
   where call_id > $1 and call_id < $2 and day >= $3 and day <= $4
     and (attempts <> '[]'
          or exists (select 1 from attempt where attempt.call_id = call.call_id))`;

export function selectAttemptedCalls(step: AttemptedStep): Query<readonly CallRecord[]> {
  const { afterId, beforeId, from, to, apps, limit } = step;
  const among = (apps ?? []).map((_, index) => `$${index + 6}`);
  const ofApps = apps === undefined ? '' : `and app in (${among.join(', ')})`;
  return {
    sql: [selectAttempted, ofApps, 'order by call_id limit $5'].join(' '),
    values: [afterId, beforeId, from, to, limit, ...(apps ?? [])],
    isLong: true,
    map: (rows) => rows.map(tables.calls.read),
  };
}

/** Omits calls without rows. */
export function selectAttemptCounts(
  callIds: readonly string[],
): Query<ReadonlyMap<string, number>> {
  const among = callIds.map((_, index) => `$${index + 1}`).join(', ');
  return {
    sql: [selectCounts, `where call_id in (${among})`, 'group by call_id'].join(' '),
    values: callIds,
    map: (rows) => new Map(rows.map((row) => [text(row, 'call_id'), int(row, 'n')])),
  };
}

const selectCounts = 'select call_id, count(*) as n from attempt';
