import type { SqlValue, Statement } from '../port/port.ts';
import { addGroups, adjustmentParts, callParts, sumColumns } from './parts.ts';
import { takeMark } from './rollups.ts';

export interface Renamed {
  readonly app: string;
  readonly userId: string;
  readonly pseudonym: string;
}

/** Ended for good: their days, and months in which a wallet paid. */
export interface ClosedBefore {
  /** The first UTC day and month that have not ended. */
  readonly day: string;
  readonly month: string;
  /** Calls that ended later may be settled again, lost calls for longer. */
  readonly endedMs: number;
  readonly lostMs: number;
}

interface Range {
  readonly from: string;
  readonly until: string;
}

export interface RenamedList {
  readonly before: string;
  readonly after: string;
}

const range = 'call_id >= $1 and call_id <= $2';
const closed = `call.app = $3 and call.user_id = $4 and call.day < $5
         and (call.month is null or call.month < $6)
         and call.ended_at < case when call.code = 'LOST' then cast($8 as bigint)
                                  else cast($7 as bigint) end`;
const moved = `call.call_id >= $1 and call.call_id <= $2 and ${closed}`;
const movedIds = `select call.call_id from call where ${moved}`;

const summed = 'call_id < (select rolled_until from rollup_state where id = 1)';
const inSums = `${callParts(range, `${closed} and call.${summed}`)}
       union all ${adjustmentParts(`${summed} and call_id in (${movedIds})`, '-')}`;
const subtracted = sumColumns.map((name) => `-${name} as ${name}`).join(', ');
const monthAndApp = [['month', 'substr(day, 1, 7)'] as const, ['app', 'app'] as const];
const addToPseudonym = addGroups(
  'usage_user_month',
  [...monthAndApp, ['user_id', 'cast($9 as text)']],
  inSums,
);
const takeFromUser = addGroups(
  'usage_user_month',
  [...monthAndApp, ['user_id', 'user_id']],
  `select day, app, user_id, ${subtracted} from (${inSums}) given`,
);
const isNothing = sumColumns.map((name) => `${name} = 0`).join(' and ');

function balance(user: string, sign: '' | '-'): string {
  return `
    insert into pruned_wallet (app, user_id, month, from_grant, from_topup)
    select app, ${user}, month, cast(${sign}sum(wallet_grant) as bigint),
           cast(${sign}sum(wallet_topup) as bigint)
      from call
     where ${moved} and month is not null and wallet_grant + wallet_topup > 0
     group by app, user_id, month
    on conflict (app, user_id, month) do update
       set from_grant = pruned_wallet.from_grant + excluded.from_grant,
           from_topup = pruned_wallet.from_topup + excluded.from_topup`;
}

const inScopes = `
      select call_scope.period, cast(sum(call_scope.cost) as bigint) as spent,
             cast(sum(call_scope.estimated) as bigint) as estimated,
             cast(sum(call_scope.overrun) as bigint) as overrun
        from call_scope
       cross join call
       where call_scope.call_id >= $1 and call_scope.call_id <= $2 and call_scope.scope = $9
         and call.call_id = call_scope.call_id and ${moved}
       group by call_scope.period`;
const addToScope = `
    insert into budget_scope (scope, period, cap, mode, admitted_cap, brought, spent, held,
      estimated, overrun, pruned, would_refuse, would_refuse_amount)
    select cast($10 as text), budget_scope.period, cap, mode, admitted_cap, 0, given.spent, 0, given.estimated,
           given.overrun, 0, 0, 0
      from (${inScopes}) given
     cross join budget_scope
     where budget_scope.scope = $9 and budget_scope.period = given.period
    on conflict (scope, period) do update
       set spent = budget_scope.spent + excluded.spent,
           estimated = budget_scope.estimated + excluded.estimated,
           overrun = budget_scope.overrun + excluded.overrun`;
const takeFromScope = `
    update budget_scope
       set spent = budget_scope.spent - given.spent,
           estimated = budget_scope.estimated - given.estimated,
           overrun = budget_scope.overrun - given.overrun
      from (${inScopes}) given
     where budget_scope.scope = $9 and budget_scope.period = given.period`;

export function scopeOfUser(app: string, userId: string): string {
  return `user:${app}:${userId}`;
}

/**
 * Also moves their stored sums: every audit rule is valid before and after. A prune locks its
 * calls' days first, so one waits for the other.
 */
export function renameCalls(
  { app, userId, pseudonym }: Renamed,
  { from, until }: Range,
  { day, month, endedMs, lostMs }: ClosedBefore,
  lists: readonly RenamedList[],
): readonly Statement[] {
  const given = [from, until, app, userId, day, month, endedMs, lostMs] as const;
  const scope = scopeOfUser(app, userId);
  const scopes = [...given, scope, scopeOfUser(app, pseudonym)];
  const named = [...given, pseudonym];
  const statement = (sql: string, values: readonly SqlValue[]): Statement => ({ sql, values });
  return [
    { ...whileOpen({ app, userId, pseudonym }), locksBudgets: true },
    { ...statement(lockDays, given), locksRows: true },
    takeMark,
    statement(balance('user_id', ''), given),
    statement(balance('cast($9 as text)', '-'), named),
    ...(lists.length === 0
      ? []
      : [statement(addToScope, scopes), statement(takeFromScope, [...given, scope])]),
    statement(addToPseudonym, named),
    statement(takeFromUser, given),
    statement(dropNothing, [app, userId]),
    statement(renameAdjustments, named),
    statement(closeKeys, given),
    statement(dropAnswers, given),
    statement(dropResults, given),
    ...lists.map(({ before, after }) => statement(renameListed, [...named, before, after])),
    statement(renameRest, named),
  ];
}

/** Aborts the transaction if the name is already erased. */
export function whileOpen({ app, userId, pseudonym }: Renamed): Statement {
  return {
    sql: `
      update user_erasure set through = through
       where app = $1 and pseudonym = $2 and user_id = $3`,
    values: [app, pseudonym, userId],
    abortIfNoRows: true,
  };
}

const lockDays = `
    select app, day
      from budget_day
     where (app, day) in (select call.app, call.day from call where ${moved})
     order by app, day`;
const dropNothing = `delete from usage_user_month where app = $1 and user_id = $2 and ${isNothing}`;
const renameAdjustments = `
    update usage_late set user_id = $9 where user_id = $4 and call_id in (${movedIds})`;
/** A retry with such a key returns INVALID, as for an unstored response: it is not a new call. */
const closeKeys = `
    update idempotency set state = 'unstored'
     where state = 'answered'
       and (app, key_hash) in (
             select answer.app, answer.key_hash from answer
              where answer.call_id in (${movedIds}))
       and call_id in (${movedIds})`;
const dropAnswers = `delete from answer where call_id in (${movedIds})`;
const dropResults = `delete from result where call_id in (${movedIds})`;
const renameListed = `
    update call set user_id = $9, scopes = $11 where ${moved} and scopes = $10`;
const renameRest = `update call set user_id = $9 where ${moved}`;
