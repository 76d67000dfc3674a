import type { Statement } from '../port/port.ts';
import { prices } from '../schema/price-table.ts';
import { insertBut, updateBut, upsert } from '../schema/row-statement.ts';
import { apiKeys, apps, leases, projectBindings } from '../schema/service-tables.ts';

export const bumpRevision = 'update revision set value = value + 1 where id = 1';

/** Matches its row only at that revision; comes after the change. */
export function unlessRevised(revision: bigint): Statement {
  const sql = 'update revision set value = value where id = 1 and value = $1';
  return { sql, values: [revision + 1n], abortIfNoRows: true };
}

/** Matches no row: the store checks the transaction and discards it. */
export const abortTransaction: Statement = {
  sql: 'update revision set value = value where id = 0',
  values: [],
  abortIfNoRows: true,
};

/** A credit's new value waits for the next month; a new app has nothing to wait for. */
export const insertApp = insertBut(
  apps,
  ['creditsSince', 'grantBefore', 'picoUsdPerCreditBefore'],
  'on conflict (name) do nothing',
);

export const updateApp = updateBut(apps, ['origin', 'fileValues', 'createdAt']);

export const updateFileValues = 'update app set file_values = $2 where name = $1';

/** A running day gets the app's new limit; past days keep theirs. */
export const updateCap = 'update budget_day set cap = $2 where app = $1 and day = $3';

/** The day may not have a call yet. */
export const putCap = `
  insert into budget_day (app, day, cap, spent, held, estimated, overrun)
  values ($1, $2, $3, 0, 0, 0, 0)
  on conflict (app, day) do update set cap = excluded.cap`;

export const updateOtherCaps = `
  update budget_day
     set cap = $2
   where app = $1 and day >= $3 and cap is distinct from $2`;

export const selectDaysSince = `
  select day from budget_day where app = $1 and day >= $2 order by day`;

export const insertKey = insertBut(
  apiKeys,
  ['disabledBy', 'disabledRole'],
  'on conflict do nothing',
);

/** An operator who enables a sample key wants to keep it. */
export const enableKey =
  'update api_key set enabled = 1, is_sample = null where id = $1 and enabled = 0';

/** For a team. A trigger clears the columns on who disabled the key. */
export const enableKeyOfTeam = `
  update api_key set enabled = 1, is_sample = null
   where id = $1 and enabled = 0 and disabled_role = 'team'`;

export const disableKey = `
  update api_key set enabled = 0, disabled_by = $2, disabled_role = $3
   where id = $1
     and (enabled = 1 or disabled_role = 'team' and cast($3 as text) <> 'team')`;

/** Matches its row while the key is enabled. */
export const checkKeyEnabled = `
  update revision set value = value
   where id = 1 and exists (select 1 from api_key where id = $1 and enabled = 1)`;

/**
 * Matches its row unless more keys of the app are valid at $2 than its limit, else $4, times $3.
 */
export const checkKeysMax = `
  update revision set value = value
   where id = 1
     and (select count(*)
            from api_key
           where customer_id = $1 and enabled = 1 and (expires_at is null or expires_at > $2))
      <= cast($3 as bigint)
         * coalesce((select keys_max from app where name = $1), cast($4 as bigint))`;

export const expireKey = `
  update api_key set expires_at = $2
   where id = $1 and (expires_at is null or expires_at > $2)`;

export const bindProject = upsert(projectBindings);

export const deleteBinding =
  'delete from project_binding where app = $1 and platform = $2 and project_id = $3';

/**
 * Matches its row unless another app's project has the name. The name of an unnamed project is made
 * of company ($2) and app.
 */
export const checkOwnName = `
  update revision set value = value
   where id = 1
     and not exists (
           select 1
             from app mine
             join app other on other.name <> mine.name
              and trim(coalesce(other.project, 'prod-' || cast($2 as text) || '-core-' || other.name))
                = trim(coalesce(mine.project, 'prod-' || cast($2 as text) || '-core-' || mine.name))
            where mine.name = $1)`;

/** Matches its row unless another app is bound to the project on any platform. */
export const checkOwnProject = `
  update revision set value = value
   where id = 1
     and not exists (
           select 1 from project_binding where project_id = $2 and app <> $1)`;

/** The lease is free or expired: `$4` is now. */
export const takeLease = upsert(leases, 'where lease.expires_at <= $4');

export const endLease = 'delete from lease where name = $1 and owner = $2';

export const insertPrice = insertBut(prices, [], 'on conflict (version) do nothing');

export const selectPrice = 'select * from price where version = $1';

export const selectHolds = 'select * from hold order by app, call_id';

export const selectHoldsOfApp = 'select * from hold where app = $1 order by call_id';

export const selectSchemaVersion =
  'select cast(coalesce(max(version), 0) as bigint) as version from schema_migration';

/** Only models whose calls used tokens or cost something. */
export const selectUnpricedModels = `
  select distinct model
    from usage_day
   where day >= $1 and unpriced_calls > 0
     and (cost <> 0 or estimated <> 0 or input_tokens + cached_input_tokens
          + cache_write_input_tokens + output_tokens + reasoning_tokens > 0)
   order by model`;

/**
 * By any name: `usage_model` contains an alias's target. In id order, for repricing step by step.
 */
export const selectUnpricedCalls = `
  select *
    from call
   where call_id > $1 and day >= $3
     and case when usage_model = 'other' then model else usage_model end = $2
     and (price_version is null or price_version like 'dearest-%')
     and basis <> 'corrected'
   order by call_id
   limit $4`;
