import type { CallRecord } from '../../books/rows.ts';
import type { Query } from '../port.ts';
import * as tables from '../tables.ts';

/** A step through the calls of some days, in the order of their ids. */
export interface AttemptedStep {
  readonly afterId: string;
  readonly beforeId: string;
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
  /** Undefined for all of them. */
  readonly apps: readonly string[] | undefined;
  readonly limit: number;
}

const selectAttempted = `
  select *
    from call
   where call_id > $1 and call_id < $2 and day >= $3 and day <= $4
     and (attempts <> '[]'
          or exists (select 1 from attempt where attempt.call_id = call.call_id))`;

/** Finished calls that made an attempt. */
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
