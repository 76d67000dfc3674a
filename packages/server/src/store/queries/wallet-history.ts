import type { WalletEntry, WalletMonth } from '../../books/rows.ts';
import type { Query } from '../port/port.ts';
import { big } from '../schema/columns.ts';
import * as tables from '../schema/tables.ts';

export function selectEntries(app: string, userId: string): Query<readonly WalletEntry[]> {
  return {
    sql: 'select * from wallet_entry where app = $1 and user_id = $2 order by at, reference',
    values: [app, userId],
    map: (rows) => rows.map(tables.walletEntries.read),
  };
}

export function selectMonths(app: string, userId: string): Query<readonly WalletMonth[]> {
  return {
    sql: 'select * from wallet_month where app = $1 and user_id = $2 order by month',
    values: [app, userId],
    map: (rows) => rows.map(tables.walletMonths.read),
  };
}

export function countMonths(app: string, month: string): Query<bigint> {
  return {
    sql: 'select count(*) as users from wallet_month where app = $1 and month = $2',
    values: [app, month],
    isLong: true,
    map: ([row]) => (row === undefined ? 0n : big(row, 'users')),
  };
}
