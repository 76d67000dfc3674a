import type { Query, Statement } from '../port/port.ts';
import { int, optionalText, text } from '../schema/columns.ts';
import { storeSumsOfDeleted, takeMark } from './rollups.ts';

/** UTC; undefined before the first prune. */
export const selectPruneHorizon: Query<string | undefined> = {
  sql: 'select day from prune_horizon',
  values: [],
  map: ([row]) => (row === undefined ? undefined : text(row, 'day')),
};

/** Never moves back. Durable before the first record of its days is deleted. */
export function moveHorizon(day: string): Statement {
  return {
    sql: `
      insert into prune_horizon (id, day)
      values (1, $1)
      on conflict (id) do update set day = excluded.day
       where prune_horizon.day < excluded.day`,
    values: [day],
  };
}

/** Reserved by a call, or payable by a retry. */
export const selectFirstHeldDay: Query<string | undefined> = {
  sql: `
    select min(day) as day
      from (select day from hold union all select day from unclaimed_payment) held`,
  values: [],
  map: ([row]) => row && optionalText(row, 'day'),
};

/**
 * For calls with a valid key, found through stored answers and results: those of ended keys are
 * deleted. `cross join` puts them first; SQLite would scan all calls.
 */
export function selectFirstKeyDay(beforeCallId: string, nowMs: number): Query<string | undefined> {
  return {
    sql: `
      select min(day) as day
        from (
          select call.day
            from answer
           cross join idempotency
           cross join call
           where answer.call_id < $1 and call.call_id = answer.call_id
             and idempotency.app = answer.app and idempotency.key_hash = answer.key_hash
             and idempotency.call_id = answer.call_id and idempotency.expires_at > $2
           union all
          select call.day
            from result
           cross join idempotency
           cross join call
           where result.call_id < $1 and call.call_id = result.call_id
             and idempotency.app = result.app and idempotency.key_hash = result.key_hash
             and idempotency.call_id = result.call_id and idempotency.expires_at > $2) as days`,
    values: [beforeCallId, nowMs],
    isLong: true,
    map: ([row]) => row && optionalText(row, 'day'),
  };
}

/** Counts up to `most`; all have ids before `until`. */
export function selectCallsBefore(until: string, horizon: string, most: number): Query<number> {
  return {
    sql: `
      select count(*) as calls
        from (select 1 from call where call_id <= $1 and day < $2 limit $3) as old`,
    values: [until, horizon, most],
    isLong: true,
    map: ([row]) => (row === undefined ? 0 : int(row, 'calls')),
  };
}

/** In id order. */
export interface CallRange {
  /** Exclusive. */
  readonly after: string;
  /** The last call's id, or a later one. */
  readonly until: string;
}

/** `calls` records after `after`; undefined if there are fewer. */
export function selectStepEnd(range: CallRange, calls: number): Query<string | undefined> {
  return {
    sql: `
      select call_id
        from call
       where call_id > $1 and call_id <= $2
       order by call_id
       limit 1 offset $3`,
    values: [range.after, range.until, calls - 1],
    map: ([row]) => row && text(row, 'call_id'),
  };
}

export const selectHasScopes: Query<boolean> = {
  sql: 'select count(*) as scopes from (select 1 from budget_scope limit 1) as one',
  values: [],
  map: ([row]) => row !== undefined && int(row, 'scopes') > 0,
};

/**
 * Runs without any remaining call record, and their spending; the last statement's count is theirs.
 */
export function pruneRuns(untilMs: number, runs: number): readonly Statement[] {
  const values = [untilMs, runs];
  return [
    {
      // Batches lock these rows in their order, and this statement does not, so none may run during
      // it.
      sql: `
        delete from budget_scope
         where period = 'run'
           and scope in (
                 select 'run:' || app || ':' || id from run
                  where expires_at < $1 order by app, id limit $2)`,
      values,
      locksBudgets: true,
    },
    {
      sql: `
        delete from run
         where (app, id) in (
                 select app, id from run where expires_at < $1 order by app, id limit $2)`,
      values,
    },
  ];
}

/** Members of periods without any remaining call record. */
export function deleteMembers(horizon: string): Statement {
  const sql = 'delete from budget_member where end_day <= $1';
  return { sql, values: [horizon], locksBudgets: true };
}

export function selectHasRuns(untilMs: number): Query<boolean> {
  return {
    sql: 'select count(*) as runs from (select 1 from run where expires_at < $1 limit 1) as one',
    values: [untilMs],
    map: ([row]) => row !== undefined && int(row, 'runs') > 0,
  };
}

/**
 * Stores the sums and wallet payments of deleted records; the last count is theirs. A correction
 * locks its call's day, so it waits for the first statement, or the statement for it.
 */
export function pruneStep(
  { after, until }: CallRange,
  horizon: string,
  hasScopes: boolean,
): readonly Statement[] {
  const values = [after, until, horizon];
  return [
    {
      sql: `
        select app, day
          from budget_day
         where (app, day) in (
                 select app, day from call where call_id > $1 and call_id <= $2 and day < $3)
         order by app, day`,
      values,
      locksRows: true,
    },
    takeMark,
    {
      sql: `
        insert into pruned_wallet (app, user_id, month, from_grant, from_topup)
        select app, user_id, month, cast(sum(wallet_grant) as bigint),
               cast(sum(wallet_topup) as bigint)
          from call
         where call_id > $1 and call_id <= $2 and day < $3
           and user_id is not null and month is not null and wallet_grant + wallet_topup > 0
         group by app, user_id, month
        on conflict (app, user_id, month) do update
           set from_grant = pruned_wallet.from_grant + excluded.from_grant,
               from_topup = pruned_wallet.from_topup + excluded.from_topup`,
      values,
    },
    {
      // Batches lock these rows in their order, and this statement does not, so none may run during
      // it.
      sql: `
        update budget_scope
           set pruned = pruned + gone.cost
          from (
            select scope, period, cast(sum(cost) as bigint) as cost
              from call_scope
             where call_id > $1 and call_id <= $2 and day < $3
             group by scope, period) gone
         where budget_scope.scope = gone.scope and budget_scope.period = gone.period`,
      values,
      ...(hasScopes ? { locksBudgets: true } : {}),
    },
    ...storeSumsOfDeleted(values),
    {
      // Includes attempts of calls that were pruned by a version without attempts.
      sql: `
        delete from attempt
         where call_id > $1 and call_id <= $2
           and not exists (
                 select 1 from call where call.call_id = attempt.call_id and call.day >= $3)`,
      values,
    },
    { sql: 'delete from call where call_id > $1 and call_id <= $2 and day < $3', values },
  ];
}
