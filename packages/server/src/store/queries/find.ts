import type { Query } from '../port/port.ts';
import { text } from '../schema/columns.ts';

/** Users in either of two months: two lookups per app. */
export function selectUserApps(
  userId: string,
  [month, other]: readonly [string, string],
): Query<readonly string[]> {
  return {
    sql: `
      select name
        from app
       where exists (select 1 from usage_user_month used
                      where used.month in ($2, $3) and used.app = app.name and used.user_id = $1)
          or exists (select 1 from wallet_month wallet
                      where wallet.month in ($2, $3) and wallet.app = app.name
                        and wallet.user_id = $1)
       order by name`,
    values: [userId, month, other],
    map: (rows) => rows.map((row) => text(row, 'name')),
  };
}
