import type { BudgetDefinition, BudgetSpan } from '../../domain/budget.ts';
import { nextUtcDayMs, nextUtcMonthMs, utcDayOf, utcMonthOf } from '../../lib/clock.ts';
import { firstCallIdAt } from '../../lib/id.ts';
import { big, int } from '../columns.ts';
import type { Query, Statement } from '../port.ts';

// What a change of a definition does to the rows of the ledger, and what they have come to. No
// batch of the ledger runs meanwhile: see `beforeBudgets`.

/** How far clocks may differ: a period that others may be in already, or still, counts as well. */
const clocksMs = 10 * 60_000;

interface Period {
  readonly period: string;
  readonly firstDay: string;
  /** The first day that is not of it. */
  readonly endDay: string;
  readonly startMs: number;
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
  return { period, firstDay, endDay: utcDayOf(endMs), startMs };
}

const addScope = `
  insert into budget_scope
    (scope, period, cap, mode, admitted_cap, brought, spent, held, estimated, overrun, pruned,
     would_refuse, would_refuse_amount)
  values ($1, $2, $3, $4, null, 0, 0, 0, 0, 0, 0, 0, 0)
  on conflict (scope, period) do nothing`;

/** Calls that run are of the scope from now on. */
const carryScope = `
  update hold
     set scopes = case
           when scopes is null then '[' || cast($1 as text) || ']'
           else substr(scopes, 1, length(scopes) - 1) || ',' || cast($1 as text) || ']'
         end
   where day >= $2 and day < $3
     and (cast($4 as text) is null or cast($4 as text) like '%"' || app || '"%')
     and (scopes is null or scopes not like '%' || cast($1 as text) || '%')`;

/**
 * What members have spent in the period and what their calls hold; what calls of the scope have
 * spent themselves is in the row already. Where all of them are of members, as of an app's month
 * and of a group of all, the row says how much that is. The scan of calls is for the others.
 */
const countScope = `
  update budget_scope
     set cap = $3,
         mode = $9,
         admitted_cap = null,
         spent = budget_scope.spent - budget_scope.brought + counted.spent,
         brought = counted.spent,
         held = counted.held
    from (select cast(coalesce((
                   select sum(spent) from budget_day
                    where day >= $4 and day < $5
                      and (cast($6 as text) is null
                           or cast($6 as text) like '%"' || app || '"%')), 0)
                 - case
                     when cast($6 as text) is null or $1 like 'app:%'
                          or (select spent = brought from budget_scope
                               where scope = $1 and period = $2)
                       then (select spent - brought from budget_scope
                              where scope = $1 and period = $2)
                     else coalesce((
                       select sum(cost) from call
                        where call_id >= $8 and day >= $4 and day < $5
                          and scopes like '%' || cast($7 as text) || '%'
                          and (cast($6 as text) is null
                               or cast($6 as text) like '%"' || app || '"%')), 0)
                   end as bigint) as spent,
                 cast(coalesce((
                   select sum(budget_amount) from hold
                    where scopes like '%' || cast($7 as text) || '%'), 0) as bigint) as held
         ) as counted
   where budget_scope.scope = $1 and budget_scope.period = $2`;

/** How far before its period a call's id may have been made, by another clock. */
const idsMs = 86_400_000;

/**
 * Makes the rows of a scope that counts what its members have spent before it: a group's, or an
 * app's month.
 */
export function countBudget(
  { scope, span, capPicoUsd, mode, members }: BudgetDefinition,
  nowMs: number,
) {
  const apps = scope.startsWith('app:') ? [scope.slice('app:'.length)] : members;
  const named = apps === 'all' || apps === undefined ? null : JSON.stringify(apps);
  return periodsAround(span, nowMs).flatMap((at): readonly Statement[] => {
    const { period, firstDay, endDay } = at;
    const key = JSON.stringify(`${scope}@${period}`);
    const firstId = firstCallIdAt(at.startMs - idsMs);
    const count = [scope, period, capPicoUsd, firstDay, endDay, named, key, firstId, mode];
    return [
      { sql: addScope, values: [scope, period, capPicoUsd, mode] },
      { sql: carryScope, values: [key, firstDay, endDay, named] },
      { sql: countScope, values: count },
    ];
  });
}

// Days and months of a group are told apart by their length.
const updateCaps = `
  update budget_scope set cap = $1, mode = $4
   where scope = $2 and period >= $3 and length(period) = length(cast($3 as text))`;

const updateUserCaps = `
  update budget_scope set cap = $1, mode = $4
   where period >= $3 and length(period) = length(cast($3 as text))
     and substr(scope, 1, length(cast($2 as text))) = $2`;

/** The caps of the periods that run; those that are over keep theirs. */
export function capBudget(
  { scope, span, capPicoUsd, mode }: BudgetDefinition,
  nowMs: number,
): Statement {
  const { period } = periodAt(span, nowMs - clocksMs);
  const users = usersPrefix(scope);
  const sql = users === undefined ? updateCaps : updateUserCaps;
  return { sql, values: [capPicoUsd, users ?? scope, period, mode] };
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
