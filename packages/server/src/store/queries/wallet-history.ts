import type { WalletEntry, WalletMonth } from '../../books/rows.ts';
import { big } from '../columns.ts';
import type { Query } from '../port.ts';
import * as tables from '../tables.ts';

/** All changes of a user's top-up money, in order. */
export function selectEntries(app: string, userId: string): Query<readonly WalletEntry[]> {
  return {
    sql: 'select * from wallet_entry where app = $1 and user_id = $2 order by at, reference',
    values: [app, userId],
    map: (rows) => rows.map(tables.walletEntries.read),
  };
}

/** A user's grants, by month. */
export function selectMonths(app: string, userId: string): Query<readonly WalletMonth[]> {
  return {
    sql: 'select * from wallet_month where app = $1 and user_id = $2 order by month',
    values: [app, userId],
    map: (rows) => rows.map(tables.walletMonths.read),
  };
}

/** How many users of an app have a grant of a month: those who were called for in it. */
export function countMonths(app: string, month: string): Query<bigint> {
  return {
    sql: 'select count(*) as users from wallet_month where app = $1 and month = $2',
    values: [app, month],
    isLong: true,
    map: ([row]) => (row === undefined ? 0n : big(row, 'users')),
  };
}
