import type { Query, Statement } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';
import { type UserErasure, userErasures } from '../schema/erasure-table.ts';
import { upsert } from '../schema/row-statement.ts';

// Users to erase, and the rows that are left of them.

const put = upsert(userErasures);

/** Also for a user who was erased before. */
export function putErasure(erasure: UserErasure): Statement {
  return { sql: put.sql, values: put.bind(erasure) };
}

export function endErasure({ app, pseudonym, doneAt }: UserErasure): Statement {
  return {
    sql: `
      update user_erasure set user_id = null, done_at = $3
       where app = $1 and pseudonym = $2 and user_id is not null`,
    values: [app, pseudonym, doneAt ?? null],
  };
}

export const selectOpenErasures: Query<readonly UserErasure[]> = {
  sql: 'select * from user_erasure where user_id is not null order by asked_at, app, pseudonym',
  values: [],
  map: (rows) => rows.map(userErasures.read),
};

/** Undefined: all apps. */
export function selectErasures(app: string | undefined): Query<readonly UserErasure[]> {
  return {
    sql: `
      select * from user_erasure
       where cast($1 as text) is null or app = $1
       order by asked_at, app, pseudonym`,
    values: [app ?? null],
    map: (rows) => rows.map(userErasures.read),
  };
}

/** Only the first 100: running calls, and results that wait for a retry. */
export function selectHoldsOf(
  app: string,
  userId: string,
): Query<readonly { readonly callId: string; readonly day: string }[]> {
  return {
    sql: `
      select call_id, day
        from (select call_id, day, app, user_id from hold
               union all
              select call_id, day, app, user_id from unclaimed_payment) held
       where app = $1 and user_id = $2
       order by call_id
       limit 100`,
    values: [app, userId],
    map: (rows) => rows.map((row) => ({ callId: text(row, 'call_id'), day: text(row, 'day') })),
  };
}

export function selectRowsOf(app: string, userId: string): Query<number> {
  return {
    sql: `
      select (select count(*) from hold where app = $1 and user_id = $2)
           + (select count(*) from unclaimed_payment where app = $1 and user_id = $2)
           + (select count(*) from wallet_month where app = $1 and user_id = $2)
           + (select count(*) from wallet_topup where app = $1 and user_id = $2)
           + (select count(*) from wallet_entry where app = $1 and user_id = $2)
           + (select count(*) from pruned_wallet where app = $1 and user_id = $2)
           + (select count(*) from usage_pruned where app = $1 and user_id = $2)
           + (select count(*) from usage_user_month where app = $1 and user_id = $2)
           + (select count(*) from run where app = $1 and user_id = $2)
           + (select count(*) from budget_scope where scope = $3) as n`,
    values: [app, userId, `user:${app}:${userId}`],
    map: ([row]) => (row === undefined ? 0 : int(row, 'n')),
    isLong: true,
  };
}

/**
 * Whether a wallet or its changes exist from this month on: then it keeps the rest of its top-ups.
 * `fromMs`: the month's start.
 */
export function selectGoesOn(
  { app, userId }: { readonly app: string; readonly userId: string },
  month: string,
  fromMs: number,
): Query<boolean> {
  return {
    sql: `
      select (select count(*) from wallet_month where app = $1 and user_id = $2 and month >= $3)
           + (select count(*) from wallet_entry where app = $1 and user_id = $2 and at >= $4)
           + (select count(*) from unclaimed_payment where app = $1 and user_id = $2)
           + (select count(*) from hold where app = $1 and user_id = $2) as n`,
    values: [app, userId, month, fromMs],
    map: ([row]) => row !== undefined && int(row, 'n') > 0,
  };
}
