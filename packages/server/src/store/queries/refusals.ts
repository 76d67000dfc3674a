import type { Query, Statement } from '../port/port.ts';
import { insertOr } from '../schema/row-statement.ts';
import { type RefusalHour, refusalHours } from '../schema/service-tables.ts';

export type { RefusalHour };

const addRefusals = insertOr(refusalHours, [
  'refused = refusal_hour.refused + excluded.refused',
  'last_at = excluded.last_at',
  'last_message = excluded.last_message',
  'last_request_id = excluded.last_request_id',
]);

/** In one order: other processes add to the same rows. */
export function countRefusals(rows: readonly RefusalHour[]): readonly Statement[] {
  const keyOf = ({ hour, app, code }: RefusalHour) => `${hour}\n${app}\n${code}`;
  return rows
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((row) => ({ sql: addRefusals.sql, values: addRefusals.bind(row) }));
}

/** Newest first; undefined: all apps. */
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

export function forgetRefusals(beforeMs: number): Statement {
  return { sql: 'delete from refusal_hour where hour < $1', values: [beforeMs] };
}
