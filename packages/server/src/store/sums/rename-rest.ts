import type { SqlValue, Statement } from '../port/port.ts';
import { addGroups } from './parts.ts';
import { type Renamed, scopeOfUser, whileOpen } from './rename-calls.ts';
import { takeMark } from './rollups.ts';

/** For a user whose name is in no more calls. */
export interface ClosedPeriods {
  /** The first UTC day and month that have not ended. */
  readonly day: string;
  readonly month: string;
  /** `monthMs`: the month's start. */
  readonly monthMs: number;
  readonly nowMs: number;
  /** The rest of its top-ups then stays with the name. */
  readonly goesOn: boolean;
  readonly reference: string;
}

export function renameRest(renamed: Renamed, closed: ClosedPeriods): readonly Statement[] {
  const { app, userId, pseudonym } = renamed;
  const { day, month, monthMs, nowMs, goesOn, reference } = closed;
  const [user, names] = [
    [app, userId],
    [app, userId, pseudonym],
  ] as const;
  const scopes = [scopeOfUser(app, userId), day] as const;
  const statement = (sql: string, ...values: readonly SqlValue[]): Statement => ({ sql, values });
  const topups = goesOn
    ? [
        statement(carryOn, ...user, month, monthMs, reference),
        statement(carryFrom, ...names, month, monthMs, `${reference}-from`),
        statement(splitTopup, ...names, month),
        statement(takeTopup, ...user, month),
      ]
    : [statement(moveTopup, ...names), statement(dropTopup, ...user)];
  return [
    { ...whileOpen(renamed), locksBudgets: true },
    {
      ...statement(isAsSeen, ...user, day, month, monthMs, goesOn ? 1 : 0, pseudonym),
      abortIfNoRows: true,
    },
    takeMark,
    statement(moveMonths, ...names, month),
    statement(dropMonths, ...user, month),
    ...topups,
    statement(renameEntries, ...names, monthMs),
    statement(movePruned, ...names, month),
    statement(dropPruned, ...user, month),
    statement(dropBalanced, app, pseudonym),
    statement(movePrunedSums, ...names, `${month}-01`),
    statement(dropPrunedSums, ...user, `${month}-01`),
    statement(moveMonthSums, ...names, month),
    statement(dropMonthSums, ...user, month),
    statement(moveScopes, ...scopes, scopeOfUser(app, pseudonym)),
    statement(dropScopes, ...scopes),
    statement(renameRuns, ...names, nowMs),
  ];
}

const goesOnNow = `
       case when exists (select 1 from wallet_month
                          where app = $1 and user_id = $2 and month >= $4)
              or exists (select 1 from wallet_entry
                          where app = $1 and user_id = $2 and at >= $5)
              or exists (select 1 from unclaimed_payment where app = $1 and user_id = $2)
              or exists (select 1 from hold where app = $1 and user_id = $2)
            then 1 else 0 end`;
const isAsSeen = `
    update user_erasure set through = through
     where app = $1 and pseudonym = $7
       and not exists (select 1 from hold where app = $1 and user_id = $2 and day < $3)
       and not exists (
             select 1 from unclaimed_payment where app = $1 and user_id = $2 and day < $3)
       and $6 = ${goesOnNow}`;

const moveMonths = `
    insert into wallet_month (app, user_id, month, granted, pico_usd_per_credit, spent_grant,
      spent_topup, held_grant)
    select app, cast($3 as text), month, granted, pico_usd_per_credit, spent_grant, spent_topup,
           held_grant
      from wallet_month
     where app = $1 and user_id = $2 and month < $4
    on conflict (app, user_id, month) do update
       set granted = wallet_month.granted + excluded.granted,
           spent_grant = wallet_month.spent_grant + excluded.spent_grant,
           spent_topup = wallet_month.spent_topup + excluded.spent_topup,
           held_grant = wallet_month.held_grant + excluded.held_grant`;
const dropMonths = 'delete from wallet_month where app = $1 and user_id = $2 and month < $3';

/** Top-ups spent in closed months: their calls have the pseudonym and are balanced. */
function topupOf(month: string): string {
  return `(select cast(coalesce(sum(from_topup), 0) as bigint) from pruned_wallet
           where app = $1 and user_id = $2 and month < ${month})`;
}
function entriesBefore(atMs: string): string {
  return `(select cast(coalesce(sum(amount), 0) as bigint) from wallet_entry
           where app = $1 and user_id = $2 and at < ${atMs})`;
}

/** One entry with the rest at the month's start replaces earlier entries. */
const carryOn = `
    insert into wallet_entry (app, user_id, reference, amount, at)
    select app, user_id, cast($5 as text), ${entriesBefore('$4')} - ${topupOf('$3')},
           cast($4 as bigint)
      from wallet_topup
     where app = $1 and user_id = $2 and ${entriesBefore('$4')} <> ${topupOf('$3')}`;
const carryFrom = `
    insert into wallet_entry (app, user_id, reference, amount, at)
    select app, cast($3 as text), cast($6 as text), ${topupOf('$4')} - ${entriesBefore('$5')},
           cast($5 as bigint)
      from wallet_topup
     where app = $1 and user_id = $2 and ${entriesBefore('$5')} <> ${topupOf('$4')}`;
const addTopup = `
    on conflict (app, user_id) do update
       set added = wallet_topup.added + excluded.added,
           spent = wallet_topup.spent + excluded.spent`;
const splitTopup = `
    insert into wallet_topup (app, user_id, added, spent, held)
    select app, cast($3 as text), ${topupOf('$4')}, ${topupOf('$4')}, 0
      from wallet_topup
     where app = $1 and user_id = $2 ${addTopup}`;
const takeTopup = `
    update wallet_topup
       set added = added - ${topupOf('$3')}, spent = spent - ${topupOf('$3')}
     where app = $1 and user_id = $2`;
const moveTopup = `
    insert into wallet_topup (app, user_id, added, spent, held)
    select app, cast($3 as text), added, spent, held
      from wallet_topup
     where app = $1 and user_id = $2 ${addTopup}`;
const dropTopup = 'delete from wallet_topup where app = $1 and user_id = $2';
const renameEntries = `
    update wallet_entry set user_id = $3 where app = $1 and user_id = $2 and at < $4`;

const movePruned = `
    insert into pruned_wallet (app, user_id, month, from_grant, from_topup)
    select app, cast($3 as text), month, from_grant, from_topup
      from pruned_wallet
     where app = $1 and user_id = $2 and month < $4
    on conflict (app, user_id, month) do update
       set from_grant = pruned_wallet.from_grant + excluded.from_grant,
           from_topup = pruned_wallet.from_topup + excluded.from_topup`;
const dropPruned = 'delete from pruned_wallet where app = $1 and user_id = $2 and month < $3';
const dropBalanced = `
    delete from pruned_wallet
     where app = $1 and user_id = $2 and from_grant = 0 and from_topup = 0`;

const same = (column: string) => [column, column] as const;
const named = ['user_id', 'cast($3 as text)'] as const;
const movePrunedSums = addGroups(
  'usage_pruned',
  [...['day', 'app'].map(same), named, ...['model', 'platform', 'key_id'].map(same)],
  'select * from usage_pruned where app = $1 and user_id = $2 and day < $4',
);
const dropPrunedSums = 'delete from usage_pruned where app = $1 and user_id = $2 and day < $3';
const moveMonthSums = addGroups(
  'usage_user_month',
  [...['month', 'app'].map(same), named],
  'select * from usage_user_month where app = $1 and user_id = $2 and month < $4',
);
const dropMonthSums = 'delete from usage_user_month where app = $1 and user_id = $2 and month < $3';

const moveScopes = `
    insert into budget_scope (scope, period, cap, mode, admitted_cap, brought, spent, held,
      estimated, overrun, pruned, would_refuse, would_refuse_amount)
    select cast($3 as text), period, cap, mode, admitted_cap, brought, spent, held, estimated,
           overrun, pruned, would_refuse, would_refuse_amount
      from budget_scope
     where scope = $1 and period < $2
    on conflict (scope, period) do update
       set brought = budget_scope.brought + excluded.brought,
           spent = budget_scope.spent + excluded.spent,
           held = budget_scope.held + excluded.held,
           estimated = budget_scope.estimated + excluded.estimated,
           overrun = budget_scope.overrun + excluded.overrun,
           pruned = budget_scope.pruned + excluded.pruned,
           would_refuse = budget_scope.would_refuse + excluded.would_refuse,
           would_refuse_amount = budget_scope.would_refuse_amount + excluded.would_refuse_amount`;
const dropScopes = 'delete from budget_scope where scope = $1 and period < $2';

const renameRuns = `
    update run set user_id = $3
     where app = $1 and user_id = $2 and (expires_at < $4 or ended_at < $4)`;
