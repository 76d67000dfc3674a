import type { BudgetDefinition, BudgetSpan } from '../../domain/budget.ts';
import { nextUtcDayMs, nextUtcMonthMs, utcDayOf, utcMonthOf } from '../../lib/clock.ts';
import { big, int } from '../columns.ts';
import type { Query, SqlValue, Statement } from '../port.ts';

// What a change of a definition does to the rows of the ledger, and what they have come to. No
// batch of the ledger runs meanwhile: see `beforeBudgets`.

/** How far clocks may differ: a period that others may be in already, or still, counts as well. */
const clocksMs = 10 * 60_000;

interface Period {
  readonly period: string;
  readonly firstDay: string;
  /** The first day that is not of it. */
  readonly endDay: string;
}

/** The periods that calls may be admitted in around a moment. */
function periodsAround(span: BudgetSpan, nowMs: number): readonly Period[] {
  const around = [nowMs - clocksMs, nowMs, nowMs + clocksMs].map((ms) => periodAt(span, ms));
  return [...new Map(around.map((period) => [period.period, period])).values()];
}

function periodAt(span: BudgetSpan, ms: number): Period {
  const period = span === 'day' ? utcDayOf(ms) : utcMonthOf(ms);
  const firstDay = span === 'day' ? period : utcDayOf(Date.parse(`${period}-01`));
  const startMs = Date.parse(firstDay);
  const endMs = span === 'day' ? nextUtcDayMs(startMs) : nextUtcMonthMs(startMs);
  return { period, firstDay, endDay: utcDayOf(endMs) };
}

const addScope = `
  insert into budget_scope
    (scope, period, cap, mode, admitted_cap, brought, spent, held, estimated, overrun, pruned,
     would_refuse, would_refuse_amount)
  values ($1, $2, $3, $4, null, 0, 0, 0, 0, 0, 0, 0, 0)
  on conflict (scope, period) do nothing`;

/** The apps whose calls a budget of apps counts. */
type Members = readonly string[] | 'all';

/** The apps of a definition; undefined for keys and users, whose calls alone name their budgets. */
export function membersOf({
  scope,
  members,
}: Pick<BudgetDefinition, 'scope' | 'members'>): Members | undefined {
  return scope.startsWith('app:') ? [scope.slice('app:'.length)] : members;
}

/**
 * Makes the rows of a budget count other members: what they have spent in the periods that run, and
 * what their open holds take. Sums of days and holds say how much that is; no call is read.
 */
export function countBudget(
  { scope, span, capPicoUsd, mode }: BudgetDefinition,
  before: Members,
  after: Members,
  nowMs: number,
): readonly Statement[] {
  return periodsAround(span, nowMs).flatMap(({ period, firstDay, endDay }): Statement[] => {
    const named = { scope, period, firstDay, endDay };
    const values = [scope, period, capPicoUsd, mode];
    return [
      { sql: addScope, values },
      leave(named, before, after),
      join(named, before, after),
      letGo(named, after),
      takeUp(named, after),
      count(named, after, { cap: capPicoUsd, mode }),
    ];
  });
}

interface Named extends Period {
  readonly scope: string;
}

/** What each app has spent in a period, and what is known of it as a member. */
const spentOfApps = `
    from app
    left join budget_day day on day.app = app.name and day.day >= $3 and day.day < $4
    left join budget_member member
      on member.app = app.name and member.scope = $1 and member.period = $2`;

/** What an app that leaves has spent in the budget stays in it; what it brought goes with it. */
function leave({ scope, period, firstDay, endDay }: Named, before: Members, after: Members) {
  const values: SqlValue[] = [scope, period, firstDay, endDay];
  const hasLeft = `${isOneOf('app.name', before, values)} and not ${isOneOf('app.name', after, values)}`;
  const sql = `
    insert into budget_member (app, scope, period, first_day, end_day, brought, left_spent)
    select app.name, $1, $2, $3, $4, 0,
           cast(coalesce(sum(day.spent), 0) - coalesce(max(member.brought), 0) as bigint)
      ${spentOfApps}
     where member.left_spent is null and ${hasLeft}
     group by app.name
    on conflict (app, scope, period) do update
       set brought = 0, left_spent = excluded.left_spent`;
  return { sql, values };
}

/** What an app that joins has spent already is brought, but for what its calls spent in it before. */
function join({ scope, period, firstDay, endDay }: Named, before: Members, after: Members) {
  const values: SqlValue[] = [scope, period, firstDay, endDay];
  const joins = `${isOneOf('app.name', after, values)} and not ${isOneOf('app.name', before, values)}`;
  const sql = `
    insert into budget_member (app, scope, period, first_day, end_day, brought, left_spent)
    select app.name, $1, $2, $3, $4,
           cast(coalesce(sum(day.spent), 0) - coalesce(max(member.left_spent), 0) as bigint), null
      ${spentOfApps}
     where ${joins}
     group by app.name
    on conflict (app, scope, period) do update
       set brought = excluded.brought, left_spent = null`;
  return { sql, values };
}

/** Calls that run of who is no member are held in the budget no more. */
function letGo({ scope, period }: Named, after: Members) {
  const values: SqlValue[] = [scope, period];
  const sql = `
    delete from hold_scope
     where scope = $1 and period = $2
       and call_id in (select call_id from hold where not ${isOneOf('app', after, values)})`;
  return { sql, values };
}

/** Calls that run of members are held in it from now on. */
function takeUp({ scope, period, firstDay, endDay }: Named, after: Members) {
  const values: SqlValue[] = [scope, period, firstDay, endDay];
  const sql = `
    insert into hold_scope (call_id, scope, period)
    select call_id, cast($1 as text), cast($2 as text)
      from hold
     where day >= $3 and day < $4 and ${isOneOf('app', after, values)}
       and not exists (
             select 1 from hold_scope known
              where known.call_id = hold.call_id and known.scope = $1 and known.period = $2)`;
  return { sql, values };
}

/** What calls have spent in the budget themselves is in the row; the rest of the sum is brought. */
function count(
  { scope, period, firstDay, endDay }: Named,
  after: Members,
  { cap, mode }: { readonly cap: bigint; readonly mode: string },
) {
  const values: SqlValue[] = [scope, period, firstDay, endDay, cap, mode];
  const sql = `
    update budget_scope
       set cap = $5, mode = $6, admitted_cap = null, held = counted.held,
           brought = counted.spent - counted.listed, spent = counted.spent
      from (
        select case when spent > listed then spent else listed end as spent, listed, held
          from (
            select cast(coalesce((
                     select sum(day.spent)
                       from app
                       join budget_day day on day.app = app.name and day.day >= $3 and day.day < $4
                      where ${isOneOf('app.name', after, values)}), 0)
                   + coalesce((
                     select sum(left_spent) from budget_member
                      where scope = $1 and period = $2), 0) as bigint) as spent,
                   (select spent - brought from budget_scope
                     where scope = $1 and period = $2) as listed,
                   cast(coalesce((
                     select sum(amount) from hold_scope
                      where scope = $1 and period = $2), 0) as bigint) as held) sums) counted
     where budget_scope.scope = $1 and budget_scope.period = $2`;
  return { sql, values };
}

/** Whether a column has one of these apps, as SQL; their names are added to the values. */
function isOneOf(column: string, apps: Members, values: SqlValue[]): string {
  if (apps === 'all') return '(1 = 1)';
  if (apps.length === 0) return '(1 = 0)';
  return `(${column} in (${apps.map((app) => `$${values.push(app)}`).join(', ')}))`;
}

const updateCaps = 'update budget_scope set cap = $1, mode = $2 where scope = $3 and period = $4';

const updateUserCaps = `
  update budget_scope set cap = $1, mode = $2
   where period = $4 and substr(scope, 1, length(cast($3 as text))) = $3`;

/** The caps of the periods that run; those that are over keep theirs. */
export function capBudget(
  { scope, span, capPicoUsd, mode }: BudgetDefinition,
  nowMs: number,
): readonly Statement[] {
  const users = usersPrefix(scope);
  const sql = users === undefined ? updateCaps : updateUserCaps;
  return periodsAround(span, nowMs).map(({ period }) => ({
    sql,
    values: [capPicoUsd, mode, users ?? scope, period],
  }));
}

/** What the scopes of an app's users begin with, where a definition is of them. */
function usersPrefix(scope: string): string | undefined {
  return scope.startsWith('users:') ? `user:${scope.slice('users:'.length)}:` : undefined;
}

/** What a scope has come to in a period; of users, what theirs have together. */
export interface ScopeUse {
  readonly period: string;
  readonly rows: number;
  readonly spent: bigint;
  readonly held: bigint;
  readonly brought: bigint;
  readonly estimated: bigint;
  readonly overrun: bigint;
  readonly wouldRefuse: bigint;
  readonly wouldRefuseAmount: bigint;
}

/** What has been counted in the period that runs. */
export function selectUse(budget: BudgetDefinition, nowMs: number): Query<ScopeUse> {
  const { period } = periodAt(budget.span, nowMs);
  const users = usersPrefix(budget.scope);
  return {
    sql: users === undefined ? sumScope : sumUsers,
    values: [users ?? budget.scope, period],
    map: ([row = {}]) => ({
      period,
      rows: int(row, 'n'),
      spent: big(row, 'spent'),
      held: big(row, 'held'),
      brought: big(row, 'brought'),
      estimated: big(row, 'estimated'),
      overrun: big(row, 'overrun'),
      wouldRefuse: big(row, 'would_refuse'),
      wouldRefuseAmount: big(row, 'would_refuse_amount'),
    }),
  };
}

const sums = `
  select count(*) as n, cast(coalesce(sum(spent), 0) as bigint) as spent,
         cast(coalesce(sum(held), 0) as bigint) as held,
         cast(coalesce(sum(brought), 0) as bigint) as brought,
         cast(coalesce(sum(estimated), 0) as bigint) as estimated,
         cast(coalesce(sum(overrun), 0) as bigint) as overrun,
         cast(coalesce(sum(would_refuse), 0) as bigint) as would_refuse,
         cast(coalesce(sum(would_refuse_amount), 0) as bigint) as would_refuse_amount
    from budget_scope`;

const sumScope = `${sums}
   where scope = $1 and period = $2`;

const sumUsers = `${sums}
   where period = $2 and substr(scope, 1, length(cast($1 as text))) = $1`;
