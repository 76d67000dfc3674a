import type { Query, Statement } from '../port/port.ts';
import { andAmong } from '../schema/among.ts';
import { int } from '../schema/columns.ts';
import { insertOr } from '../schema/row-statement.ts';
import { type RefusalHour, refusalHours } from '../schema/service-tables.ts';

export type { RefusalHour };

const addRefusals = insertOr(refusalHours, [
  'refused = refusal_hour.refused + excluded.refused',
  'last_at = excluded.last_at',
  'last_message = excluded.last_message',
  'last_request_id = excluded.last_request_id',
]);

/** In a fixed order, because other processes update the same rows. */
export function countRefusals(rows: readonly RefusalHour[]): readonly Statement[] {
  const keyOf = ({ hour, app, code }: RefusalHour) => `${hour}\n${app}\n${code}`;
  return rows
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((row) => ({ sql: addRefusals.sql, values: addRefusals.bind(row) }));
}

/** Newest first. Undefined: all apps. */
export function selectRefusals(
  sinceMs: number,
  app: string | undefined,
): Query<readonly RefusalHour[]> {
  return {
    sql: `
      select * from refusal_hour
       where hour >= $1 and app = coalesce($2, app)
       order by hour desc, app, code`,
    values: [sinceMs, app ?? null],
    map: (rows) => rows.map(refusalHours.read),
  };
}

/** One row per app and code, with the facts of its last request; most frequent first. */
export function selectRefusedSince(sinceMs: number): Query<readonly RefusalHour[]> {
  return {
    sql: `
      select hour, app, code, total as refused, last_at, last_message, last_request_id
        from (select hour, app, code, last_at, last_message, last_request_id,
                     cast(sum(refused) over (partition by app, code) as bigint) as total,
                     row_number() over (partition by app, code order by hour desc) as place
                from refusal_hour
               where hour >= $1) latest
       where place = 1
       order by total desc, app, code`,
    values: [sinceMs],
    map: (rows) => rows.map(refusalHours.read),
  };
}

const refusedHours = `
      select hour, cast(sum(refused) as bigint) as refused
        from refusal_hour
       where hour >= $1 and app in (select name from app)`;

/** By hour; only requests with an app's key. */
export function selectRefusedHours(
  sinceMs: number,
  apps: readonly string[] | undefined,
): Query<ReadonlyMap<number, number>> {
  return {
    sql: [refusedHours, andAmong(apps, 1), 'group by hour'].join(' '),
    values: [sinceMs, ...(apps ?? [])],
    map: (rows) => new Map(rows.map((row) => [int(row, 'hour'), int(row, 'refused')])),
  };
}

export function deleteRefusals(beforeMs: number): Statement {
  return { sql: 'delete from refusal_hour where hour < $1', values: [beforeMs] };
}
