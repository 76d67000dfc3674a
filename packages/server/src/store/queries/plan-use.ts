import { int, text } from '../columns.ts';
import type { Query, Statement } from '../port.ts';

/** What a key has used of its plan. */
export interface PlanUse {
  readonly keyId: string;
  /** When its bucket is full again, in µs of the machine's clock. */
  readonly fullAt: number;
  readonly day: string;
  /** Requests of that day. */
  readonly used: number;
}

/** The use of every key's plan. */
export const selectPlanUses: Query<readonly PlanUse[]> = {
  sql: 'select * from plan_use',
  values: [],
  map: (rows) =>
    rows.map((row) => ({
      keyId: text(row, 'key_id'),
      fullAt: int(row, 'full_at'),
      day: text(row, 'day'),
      used: int(row, 'used'),
    })),
};

/** Notes the use of a key's plan. */
export function putPlanUse({ keyId, fullAt, day, used }: PlanUse): Statement {
  return {
    sql: `
      insert into plan_use (key_id, full_at, day, used) values ($1, $2, $3, $4)
      on conflict (key_id) do update
         set full_at = excluded.full_at, day = excluded.day, used = excluded.used`,
    values: [keyId, fullAt, day, used],
  };
}
