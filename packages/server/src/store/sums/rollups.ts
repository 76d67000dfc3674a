import type { Query, Statement } from '../port/port.ts';
import { optionalText, text } from '../schema/columns.ts';
import { addGroups, adjustmentParts, callParts } from './parts.ts';

/** The call ids up to which rollups exist. */
export interface RollupState {
  /** Adjustments of earlier calls are stored separately from their sums. */
  readonly closedUntil: string;
  readonly rolledUntil: string;
}

/** Undefined if no rollups were ever made. */
export const selectRollupState: Query<RollupState | undefined> = {
  sql: 'select closed_until, rolled_until from rollup_state where id = 1',
  values: [],
  map: ([row]) =>
    row && { closedUntil: text(row, 'closed_until'), rolledUntil: text(row, 'rolled_until') },
};

const same = (column: string) => [column, column] as const;
const splitKey = ['day', 'app', 'model', 'platform', 'key_id'].map(same);
const prunedKey = ['day', 'app', 'user_id', 'model', 'platform', 'key_id'].map(same);
const userKey = [['month', 'substr(day, 1, 7)'] as const, same('app'), same('user_id')];

/** Calls deleted before there were rollups: by model only. */
const prunedBefore = `
      select day, app, model, '' as platform, '' as key_id, '' as user_id, calls, errors,
             input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens,
             reasoning_tokens, 0 as cache_write1h_input_tokens, cost, estimated, 0 as corrected,
             0 as unpriced, unpriced_calls
        from usage_day
       where day < (select coalesce(max(day), '') from prune_horizon)
       union all
      select day, app, model, '', '', '', -calls, -errors, -input_tokens, -cached_input_tokens,
             -cache_write_input_tokens, -output_tokens, -reasoning_tokens, 0, -cost, -estimated, 0,
             0, -unpriced_calls
        from (${callParts(
          'call_id <= $1',
          `call.day < (select coalesce(max(day), '') from prune_horizon)`,
        )}) kept`;

/**
 * Days without call records are read from the daily usage. `lastPrunedId` is after all their calls.
 */
export function beginRollups(lastPrunedId: string): readonly Statement[] {
  const values = [lastPrunedId];
  return [
    {
      sql: `
        insert into rollup_state (id, closed_until, rolled_until, pruned_steps)
        values (1, '', '', 0)
        on conflict (id) do nothing`,
      values: [],
      abortIfNoRows: true,
      locksBudgets: true,
    },
    { sql: addGroups('usage_split', splitKey, prunedBefore), values },
    { sql: addGroups('usage_user_month', userKey, prunedBefore), values },
    { sql: addGroups('usage_pruned', prunedKey, prunedBefore), values },
  ];
}

/**
 * Only if no call is open there, and no running instance ignores closed hours. Every later batch
 * reads the new end.
 */
export function closeHours(
  until: string,
  { schemaVersion, aliveSinceMs }: { schemaVersion: number; aliveSinceMs: number },
): Statement {
  return {
    sql: `
      update rollup_state set closed_until = $1
       where id = 1 and closed_until < $1
         and not exists (select 1 from hold where call_id < $1)
         and not exists (
               select 1 from owner where seen_at > $2 and coalesce(schema_version, 0) < $3)`,
    values: [until, aliveSinceMs, schemaVersion],
    abortIfNoRows: true,
    locksBudgets: true,
  };
}

export const selectFirstHeldId: Query<string | undefined> = {
  sql: 'select min(call_id) as call_id from hold',
  values: [],
  map: ([row]) => row && optionalText(row, 'call_id'),
};

/** Undefined if there are fewer before `until`. */
export function selectRollupStep(
  { after, until }: { readonly after: string; readonly until: string },
  calls: number,
): Query<string | undefined> {
  return {
    sql: `
      select call_id
        from call
       where call_id >= $1 and call_id < $2
       order by call_id
       limit 1 offset $3`,
    values: [after, until, calls],
    map: ([row]) => row && text(row, 'call_id'),
  };
}

const range = 'call_id >= $1 and call_id < $2';
const closedParts = `${callParts(range)} union all ${adjustmentParts(range, '-')}`;
const addToSplits = addGroups('usage_split', splitKey, closedParts);
const addToUsers = addGroups('usage_user_month', userKey, closedParts);

/** Changes nothing unless `from` is the current end. */
export function rollUpStep(from: string, until: string): readonly Statement[] {
  const values = [from, until];
  return [
    {
      sql: 'update rollup_state set rolled_until = $2 where id = 1 and rolled_until = $1',
      values,
      abortIfNoRows: true,
    },
    { sql: addToSplits, values },
    { sql: addToUsers, values },
  ];
}

const deleted = 'call_id > $1 and call_id <= $2';
const adjustmentsOfDeleted = adjustmentParts(`${deleted} and day < $3`);

/**
 * Lets readers in several steps detect moved or deleted records. Code that changes rollups locks it
 * exclusively, after the days of calls and before all other changes.
 */
export const takeMark: Statement = {
  sql: 'update rollup_state set pruned_steps = pruned_steps + 1',
  values: [],
};

/** The sums and adjustments of records that the same transaction deletes. */
export function storeSumsOfDeleted(values: Statement['values']): readonly Statement[] {
  return [
    addGroups('usage_pruned', prunedKey, callParts(deleted, 'call.day < $3')),
    addGroups('usage_split', splitKey, adjustmentsOfDeleted),
    addGroups('usage_user_month', userKey, adjustmentsOfDeleted),
    `delete from usage_late where ${deleted} and day < $3`,
  ].map((sql) => ({ sql, values }));
}

export function selectFirstUnsummedDay(until: string, horizon: string): Query<string | undefined> {
  return {
    sql: `
      select min(day) as day
        from call
       where call_id <= $1 and day < $2
         and call_id >= coalesce((select rolled_until from rollup_state where id = 1), '')`,
    values: [until, horizon],
    map: ([row]) => row && optionalText(row, 'day'),
  };
}
