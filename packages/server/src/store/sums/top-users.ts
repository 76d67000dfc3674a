import type { Query, SqlRow } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';
import { addedUp, asTotals, callParts, readSums, sumColumns, totals } from './parts.ts';
import type { GroupSums } from './report-sums.ts';

/** One snapshot. */
export interface TopUsers {
  readonly rolledUntil: string;
  readonly groups: readonly GroupSums[];
  readonly userCount: number;
  readonly total: GroupSums;
}

/** A UTC month. */
export interface TopUsersOf {
  readonly from: string;
  readonly to: string;
  /** Undefined: all apps. */
  readonly apps: readonly string[] | undefined;
  readonly top: number;
}

const listed = sumColumns.join(', ');
const isSomething = (rows: string) => sumColumns.map((name) => `${rows}.${name} <> 0`).join(' or ');
const ofMonth = 'day >= $2 and day <= $3';

/**
 * Unchanged users are read from the rollups by cost: as many as requested, plus as many as have
 * changed.
 */
export function selectTopUsers(
  { from, to, apps, top }: TopUsersOf,
  rolledUntil: string,
): Query<TopUsers> {
  const among = (apps ?? []).map((_, index) => `$${index + 5}`).join(', ');
  const ofApps = apps === undefined ? '' : `and app in (${among})`;
  return {
    sql: `
      with changed as (
        select app, user_id, ${addedUp}
          from (
            select app, user_id, ${listed} from usage_late
             where call_id < $1 and ${ofMonth} ${ofApps}
             union all
            select app, user_id, ${listed} from (${callParts('call_id >= $1')}) calls
             where ${ofMonth} ${ofApps}) parts
         group by app, user_id),
      dearest as (
        select app, user_id, ${listed}
          from usage_user_month
         where month = substr($2, 1, 7) ${ofApps}
         order by cost desc, app, user_id
         limit $4 + (select count(*) from changed)),
      moved as (
        select changed.app, changed.user_id,
               case when ${isSomething('stored')} then 1 else 0 end as was,
               ${sumColumns.map((name) => `changed.${name} + coalesce(stored.${name}, 0) as ${name}`).join(', ')}
          from changed
          left join usage_user_month stored
            on stored.month = substr($2, 1, 7) and stored.app = changed.app
           and stored.user_id = changed.user_id),
      users as (
        select app, user_id, ${listed} from moved
         where ${isSomething('moved')}
         union all
        select app, user_id, ${listed} from dearest
         where (${isSomething('dearest')})
           and not exists (
                 select 1 from changed
                  where changed.app = dearest.app and changed.user_id = dearest.user_id))
      select 1 as n, ${markAnd('app, user_id')}, ${asTotals.join(', ')}
        from (select * from users order by cost desc, app, user_id limit $4) users
       union all
      select 2, ${markAnd("'', ''")}, ${totals}
        from (
          select ${listed} from usage_split where ${ofMonth} ${ofApps}
           union all
          select ${listed} from changed) parts
       union all
      select 3, ${markAnd("'', ''")}, users.n, ${asTotals
        .slice(1)
        .map((column) => (column.includes(' as ') ? "'0:0'" : '0'))
        .join(', ')}
        from (
          select (select count(*) from usage_user_month stored
                   where month = substr($2, 1, 7) ${ofApps} and (${isSomething('stored')}))
               + (select count(*) from moved where ${isSomething('moved')})
               - (select coalesce(sum(was), 0) from moved) as n) users`,
    values: [rolledUntil, from, to, top, ...(apps ?? [])],
    isLong: true,
    map: topOf,
  };
}

function markAnd(names: string): string {
  return `(select coalesce(max(rolled_until), '') from rollup_state) as mark, ${names}`;
}

function topOf(rows: readonly SqlRow[]): TopUsers {
  const [users, totals, counts] = [1, 2, 3].map((n) => rows.filter((row) => Number(row.n) === n));
  const [total] = totals?.map(groupOf) ?? [];
  const [count] = counts ?? [];
  if (total === undefined || count === undefined) throw new Error('a total always has a row');
  const groups = users?.map(groupOf) ?? [];
  return { rolledUntil: text(count, 'mark'), groups, userCount: int(count, 'calls'), total };
}

function groupOf(row: SqlRow): GroupSums {
  const { app, userId } = { app: text(row, 'app'), userId: text(row, 'user_id') };
  return { day: '', app, model: '', platform: '', keyId: '', userId, ...readSums(row) };
}
