delete from answer where call_id in ( select call_id from answer where call_id < $1 order by call_id
  limit $2) and not exists ( select 1 from idempotency where idempotency.app = answer.app and
  idempotency.key_hash = answer.key_hash and idempotency.call_id = answer.call_id);

delete from attempt where call_id > $1 and call_id <= $2 and not exists ( select 1 from call where
  call.call_id = attempt.call_id and call.day >= $3);

delete from budget_member where end_day <= $1;

delete from budget_scope where period = 'run' and scope in ( select 'run:' || app || ':' || id from
  run where expires_at < $1 order by app, id limit $2);

delete from call where call_id > $1 and call_id <= $2 and day < $3;

delete from idempotency where (app, key_hash) in ( select app, key_hash from answer where call_id <
  $1 order by call_id limit $2) and state <> 'running' and expires_at <= $3;

delete from idempotency where (app, key_hash) in ( select app, key_hash from result where call_id <
  $1 order by call_id limit $2) and state <> 'running' and expires_at <= $3;

delete from lease where name = $1 and owner = $2;

delete from owner where id <> $1;

delete from owner where id = $1;

delete from project_binding where app = $1 and platform = $2 and project_id = $3;

delete from registry_change where (revision, kind, id) in ( select revision, kind, id from
  registry_change where revision <= (select value from revision where id = 1) - $1 order by revision
  limit $2);

delete from result where call_id in ( select call_id from result where call_id < $1 order by call_id
  limit $2) and not exists ( select 1 from idempotency where idempotency.app = result.app and
  idempotency.key_hash = result.key_hash and idempotency.call_id = result.call_id);

delete from run where (app, id) in ( select app, id from run where expires_at < $1 order by app, id
  limit $2);

delete from usage_late where call_id > $1 and call_id <= $2 and day < $3;

delete from usage_name where day < $1;

insert into api_key (id, key_hash, name, customer_id, enabled, created_at, is_sample, lineage,
  models, expires_at, note) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do
  nothing;

insert into app (name, origin, enabled, daily_budget, models, monthly_grant, pico_usd_per_credit,
  require_priced, store_answers, project, plans, tags, unpriced, streaming, default_max_tokens,
  adopt_retries, file_values, created_at, rate_per_second, keys_max) values ($1, $2, $3, $4, $5, $6,
  $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) on conflict (name) do nothing;

insert into audit_log (id, at, actor, action, subject, before_value, after_value, reason, reference,
  call_id, seq, kid, hmac, via) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

insert into budget_day (app, day, cap, spent, held, estimated, overrun) values ($1, $2, $3, 0, 0, 0,
  0) on conflict (app, day) do update set cap = excluded.cap;

insert into lease (name, owner, expires_at) values ($1, $2, $3) on conflict (name) do update set
  owner = excluded.owner, expires_at = excluded.expires_at where lease.expires_at <= $4;

insert into owner (id, seen_at, config_hash, schema_version) values ($1, $2, $3, $4) on conflict
  (id) do update set seen_at = excluded.seen_at, config_hash = excluded.config_hash, schema_version
  = excluded.schema_version;

insert into plan_use (key_id, full_at, day, used) values ($1, $2, $3, $4) on conflict (key_id) do
  update set full_at = excluded.full_at, day = excluded.day, used = excluded.used;

insert into price (version, model, input, cached_input, cache_write_input, cache_write1h_input,
  output, long_context_from, long_context_input, long_context_cached_input,
  long_context_cache_write_input, long_context_cache_write1h_input, long_context_output,
  further_steps, tier, region, tiers, regions, per_request, tool_uses, parts, long_context_parts)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
  $21, $22) on conflict (version) do nothing;

insert into project_binding (app, platform, project_id) values ($1, $2, $3) on conflict (app,
  platform) do update set project_id = excluded.project_id;

insert into prune_horizon (id, day) values (1, $1) on conflict (id) do update set day = excluded.day
  where prune_horizon.day < excluded.day;

insert into pruned_wallet (app, user_id, month, from_grant, from_topup) select app, user_id, month,
  cast(sum(wallet_grant) as bigint), cast(sum(wallet_topup) as bigint) from call where call_id > $1
  and call_id <= $2 and day < $3 and user_id is not null and month is not null and wallet_grant +
  wallet_topup > 0 group by app, user_id, month on conflict (app, user_id, month) do update set
  from_grant = pruned_wallet.from_grant + excluded.from_grant, from_topup = pruned_wallet.from_topup
  + excluded.from_topup;

insert into usage_name (day, model) select $1, $2 where (select count(*) from usage_name where day =
  $1) < $3 on conflict (day, model) do nothing;

insert into usage_pruned (day, app, user_id, model, platform, key_id, calls, errors, input_tokens,
  cached_input_tokens, cache_write_input_tokens, output_tokens, reasoning_tokens,
  cache_write1h_input_tokens, cost, estimated, corrected, unpriced, unpriced_calls) select day as
  day, app as app, user_id as user_id, model as model, platform as platform, key_id as key_id,
  cast(sum(calls) as bigint) as calls, cast(sum(errors) as bigint) as errors, cast(sum(input_tokens)
  as bigint) as input_tokens, cast(sum(cached_input_tokens) as bigint) as cached_input_tokens,
  cast(sum(cache_write_input_tokens) as bigint) as cache_write_input_tokens, cast(sum(output_tokens)
  as bigint) as output_tokens, cast(sum(reasoning_tokens) as bigint) as reasoning_tokens,
  cast(sum(cache_write1h_input_tokens) as bigint) as cache_write1h_input_tokens, cast(sum(cost) as
  bigint) as cost, cast(sum(estimated) as bigint) as estimated, cast(sum(corrected) as bigint) as
  corrected, cast(sum(unpriced) as bigint) as unpriced, cast(sum(unpriced_calls) as bigint) as
  unpriced_calls from ( select call_id, day, app, usage_model as model, coalesce(platform, '') as
  platform, coalesce(key_id, '') as key_id, coalesce(user_id, '') as user_id, 1 as calls, case when
  code = 'OK' then 0 else 1 end as errors, input_tokens, cached_input_tokens,
  cache_write_input_tokens, output_tokens, reasoning_tokens, coalesce(cache_write1h_input_tokens, 0)
  as cache_write1h_input_tokens, cost, estimated, case when basis = 'corrected' then cost -
  estimated else 0 end as corrected, case when (price_version is null or price_version like
  'dearest-%') then cost else 0 end as unpriced, case when (price_version is null or price_version
  like 'dearest-%') then 1 else 0 end as unpriced_calls from call where call_id > $1 and call_id <=
  $2 and call.day < $3 union all select attempt.call_id, call.day, call.app, attempt.usage_model,
  coalesce(attempt.platform, ''), coalesce(call.key_id, ''), coalesce(call.user_id, ''), 0, 0,
  attempt.input_tokens, attempt.cached_input_tokens, attempt.cache_write_input_tokens,
  attempt.output_tokens, attempt.reasoning_tokens, coalesce(attempt.cache_write1h_input_tokens, 0),
  attempt.cost, case when attempt.basis = 'estimated' then attempt.cost else 0 end, case when
  attempt.basis = 'corrected' then attempt.cost else 0 end, case when attempt.price_version is null
  or attempt.price_version like 'dearest-%' then attempt.cost else 0 end, 0 from attempt cross join
  call where attempt.call_id > $1 and attempt.call_id <= $2 and call.call_id = attempt.call_id and
  call.day < $3 union all select call.call_id, call.day, call.app, call.usage_model,
  coalesce(call.platform, ''), coalesce(call.key_id, ''), coalesce(call.user_id, ''), 0, 0,
  -call.input_tokens, -call.cached_input_tokens, -call.cache_write_input_tokens,
  -call.output_tokens, -call.reasoning_tokens, -coalesce(call.cache_write1h_input_tokens, 0),
  -given.cost, -given.estimated, case when call.basis = 'corrected' then given.estimated -
  given.cost else 0 end, case when (price_version is null or price_version like 'dearest-%') then
  -given.cost else 0 end, 0 from ( select call_id, sum(cost) as cost, sum(case when basis =
  'estimated' then cost else 0 end) as estimated from attempt where call_id > $1 and call_id <= $2
  group by call_id) given cross join call where call.call_id = given.call_id and call.day < $3)
  parts group by day, app, user_id, model, platform, key_id order by day, app, user_id, model,
  platform, key_id on conflict (day, app, user_id, model, platform, key_id) do update set calls =
  usage_pruned.calls + excluded.calls, errors = usage_pruned.errors + excluded.errors, input_tokens
  = usage_pruned.input_tokens + excluded.input_tokens, cached_input_tokens =
  usage_pruned.cached_input_tokens + excluded.cached_input_tokens, cache_write_input_tokens =
  usage_pruned.cache_write_input_tokens + excluded.cache_write_input_tokens, output_tokens =
  usage_pruned.output_tokens + excluded.output_tokens, reasoning_tokens =
  usage_pruned.reasoning_tokens + excluded.reasoning_tokens, cache_write1h_input_tokens =
  usage_pruned.cache_write1h_input_tokens + excluded.cache_write1h_input_tokens, cost =
  usage_pruned.cost + excluded.cost, estimated = usage_pruned.estimated + excluded.estimated,
  corrected = usage_pruned.corrected + excluded.corrected, unpriced = usage_pruned.unpriced +
  excluded.unpriced, unpriced_calls = usage_pruned.unpriced_calls + excluded.unpriced_calls;

insert into usage_split (day, app, model, platform, key_id, calls, errors, input_tokens,
  cached_input_tokens, cache_write_input_tokens, output_tokens, reasoning_tokens,
  cache_write1h_input_tokens, cost, estimated, corrected, unpriced, unpriced_calls) select day as
  day, app as app, model as model, platform as platform, key_id as key_id, cast(sum(calls) as
  bigint) as calls, cast(sum(errors) as bigint) as errors, cast(sum(input_tokens) as bigint) as
  input_tokens, cast(sum(cached_input_tokens) as bigint) as cached_input_tokens,
  cast(sum(cache_write_input_tokens) as bigint) as cache_write_input_tokens, cast(sum(output_tokens)
  as bigint) as output_tokens, cast(sum(reasoning_tokens) as bigint) as reasoning_tokens,
  cast(sum(cache_write1h_input_tokens) as bigint) as cache_write1h_input_tokens, cast(sum(cost) as
  bigint) as cost, cast(sum(estimated) as bigint) as estimated, cast(sum(corrected) as bigint) as
  corrected, cast(sum(unpriced) as bigint) as unpriced, cast(sum(unpriced_calls) as bigint) as
  unpriced_calls from ( select call_id, day, app, model, platform, key_id, user_id, calls as calls,
  errors as errors, input_tokens as input_tokens, cached_input_tokens as cached_input_tokens,
  cache_write_input_tokens as cache_write_input_tokens, output_tokens as output_tokens,
  reasoning_tokens as reasoning_tokens, cache_write1h_input_tokens as cache_write1h_input_tokens,
  cost as cost, estimated as estimated, corrected as corrected, unpriced as unpriced, unpriced_calls
  as unpriced_calls from usage_late where call_id > $1 and call_id <= $2 and day < $3) parts group
  by day, app, model, platform, key_id order by day, app, model, platform, key_id on conflict (day,
  app, model, platform, key_id) do update set calls = usage_split.calls + excluded.calls, errors =
  usage_split.errors + excluded.errors, input_tokens = usage_split.input_tokens +
  excluded.input_tokens, cached_input_tokens = usage_split.cached_input_tokens +
  excluded.cached_input_tokens, cache_write_input_tokens = usage_split.cache_write_input_tokens +
  excluded.cache_write_input_tokens, output_tokens = usage_split.output_tokens +
  excluded.output_tokens, reasoning_tokens = usage_split.reasoning_tokens +
  excluded.reasoning_tokens, cache_write1h_input_tokens = usage_split.cache_write1h_input_tokens +
  excluded.cache_write1h_input_tokens, cost = usage_split.cost + excluded.cost, estimated =
  usage_split.estimated + excluded.estimated, corrected = usage_split.corrected +
  excluded.corrected, unpriced = usage_split.unpriced + excluded.unpriced, unpriced_calls =
  usage_split.unpriced_calls + excluded.unpriced_calls;

insert into usage_user_month (month, app, user_id, calls, errors, input_tokens, cached_input_tokens,
  cache_write_input_tokens, output_tokens, reasoning_tokens, cache_write1h_input_tokens, cost,
  estimated, corrected, unpriced, unpriced_calls) select substr(day, 1, 7) as month, app as app,
  user_id as user_id, cast(sum(calls) as bigint) as calls, cast(sum(errors) as bigint) as errors,
  cast(sum(input_tokens) as bigint) as input_tokens, cast(sum(cached_input_tokens) as bigint) as
  cached_input_tokens, cast(sum(cache_write_input_tokens) as bigint) as cache_write_input_tokens,
  cast(sum(output_tokens) as bigint) as output_tokens, cast(sum(reasoning_tokens) as bigint) as
  reasoning_tokens, cast(sum(cache_write1h_input_tokens) as bigint) as cache_write1h_input_tokens,
  cast(sum(cost) as bigint) as cost, cast(sum(estimated) as bigint) as estimated,
  cast(sum(corrected) as bigint) as corrected, cast(sum(unpriced) as bigint) as unpriced,
  cast(sum(unpriced_calls) as bigint) as unpriced_calls from ( select call_id, day, app, model,
  platform, key_id, user_id, calls as calls, errors as errors, input_tokens as input_tokens,
  cached_input_tokens as cached_input_tokens, cache_write_input_tokens as cache_write_input_tokens,
  output_tokens as output_tokens, reasoning_tokens as reasoning_tokens, cache_write1h_input_tokens
  as cache_write1h_input_tokens, cost as cost, estimated as estimated, corrected as corrected,
  unpriced as unpriced, unpriced_calls as unpriced_calls from usage_late where call_id > $1 and
  call_id <= $2 and day < $3) parts group by substr(day, 1, 7), app, user_id order by substr(day, 1,
  7), app, user_id on conflict (month, app, user_id) do update set calls = usage_user_month.calls +
  excluded.calls, errors = usage_user_month.errors + excluded.errors, input_tokens =
  usage_user_month.input_tokens + excluded.input_tokens, cached_input_tokens =
  usage_user_month.cached_input_tokens + excluded.cached_input_tokens, cache_write_input_tokens =
  usage_user_month.cache_write_input_tokens + excluded.cache_write_input_tokens, output_tokens =
  usage_user_month.output_tokens + excluded.output_tokens, reasoning_tokens =
  usage_user_month.reasoning_tokens + excluded.reasoning_tokens, cache_write1h_input_tokens =
  usage_user_month.cache_write1h_input_tokens + excluded.cache_write1h_input_tokens, cost =
  usage_user_month.cost + excluded.cost, estimated = usage_user_month.estimated +
  excluded.estimated, corrected = usage_user_month.corrected + excluded.corrected, unpriced =
  usage_user_month.unpriced + excluded.unpriced, unpriced_calls = usage_user_month.unpriced_calls +
  excluded.unpriced_calls;

select (select count(*) from ( select attempt.call_id from attempt cross join call where
  call.call_id = attempt.call_id group by attempt.call_id, call.cost, call.estimated, call.basis
  having count(*) < 2 or min(attempt.n) <> 1 or max(attempt.n) <> count(*) or ((call.basis <>
  'corrected' or sum(case when attempt.basis = 'corrected' then 1 else 0 end) > 0) and
  (sum(attempt.cost) <> call.cost or sum(case when attempt.basis = 'estimated' then attempt.cost
  else 0 end) <> call.estimated))) wrong) + (select count(*) from call where attempts = '[]' and
  cost > 0 and code <> 'LOST' and not exists (select 1 from attempt where attempt.call_id =
  call.call_id)) as breaches;

select (select count(*) from idempotency left join answer on answer.call_id = idempotency.call_id
  where idempotency.state = 'answered' and coalesce(answer.body, '') = '') + (select count(*) from
  result join idempotency on idempotency.app = result.app and idempotency.key_hash = result.key_hash
  and idempotency.call_id = result.call_id where idempotency.state <> 'unstored') as breaches;

select * from api_key order by created_at, name, id;

select * from api_key where id = $1;

select * from api_key where id in ($1);

select * from attempt where call_id = $1 order by n;

select * from budget_day where app = $1 and day = $2;

select * from budget_day where day = $1;

select * from budget_scope where (scope, period) in (values ($1, $2));

select * from call where call_id = $1;

select * from call where call_id > $1 and day >= $3 and case when usage_model = 'other' then model
  else usage_model end = $2 and (price_version is null or price_version like 'dearest-%') and basis
  <> 'corrected' order by call_id limit $4;

select * from call where call_id >= $3 and (cast($1 as text) is null or app = $1) and day = $2 and
  route = $4 and estimated > 0 order by call_id;

select * from hold order by app, call_id;

select * from hold where app = $1 order by call_id;

select * from hold where call_id = $1;

select * from plan_use;

select * from price where version = $1;

select * from project_binding order by app, platform;

select * from project_binding where app = $1 order by platform;

select * from result where call_id = $1;

select * from unclaimed_payment where expires_at <= $1 and call_id > $3 order by call_id limit $2;

select * from usage_day where app = $1 and day = $2 order by model;

select * from wallet_month where app = $1 and user_id = $2 and month = $3;

select * from wallet_topup where app = $1 and user_id = $2;

select 1 as found from api_key where is_sample = 1 and enabled = 1 and customer_id in ($1) limit 1;

select after_value, call_id from audit_log where action = $1 and subject = $2 and reference = $3;

select amount from wallet_entry where app = $1 and user_id = $2 and reference = $3;

select app, call_id, state from idempotency where (app, key_hash) in (values ($1, $2));

select app, count(*) as holds, cast(cast(coalesce(sum(cast(budget_amount as bigint) >> 32), 0) as
  bigint) as text) || ':' || cast(cast(coalesce(sum(cast(budget_amount as bigint) & 4294967295), 0)
  as bigint) as text) as amount from hold group by app;

select app, day from budget_day where (app, day) in ( select app, day from call where call_id > $1
  and call_id <= $2 and day < $3) order by app, day;

select app.*, (select cap from budget_definition where scope = 'app:' || app.name and span =
  'month') as monthly_budget, (select cap from budget_definition where scope = 'users:' || app.name
  and span = 'day') as per_user_daily from app order by name;

select app.*, (select cap from budget_definition where scope = 'app:' || app.name and span =
  'month') as monthly_budget, (select cap from budget_definition where scope = 'users:' || app.name
  and span = 'day') as per_user_daily from app where name = $1;

select call_id from call where call_id > $1 and call_id <= $2 order by call_id limit 1 offset $3;

select cast(coalesce(max(version), 0) as bigint) as version from schema_migration;

select count(*) as breaches from ( select 'budget_day ' || app || ' ' || day as name from budget_day
  where spent < 0 or held < 0 or estimated < 0 or overrun < 0 union all select 'budget_scope ' ||
  scope || ' ' || period from budget_scope where brought < 0 or spent < 0 or held < 0 or estimated <
  0 or overrun < 0 or pruned < 0 union all select 'wallet_month ' || app || ' ' || user_id || ' ' ||
  month from wallet_month where spent_grant < 0 or spent_topup < 0 or held_grant < 0 union all
  select 'wallet_topup ' || app || ' ' || user_id from wallet_topup where added < 0 or spent < 0 or
  held < 0 union all select 'hold ' || call_id from hold where grant_amount < 0 or topup_amount < 0
  or budget_amount - grant_amount < topup_amount union all select 'unclaimed_payment ' || call_id
  from unclaimed_payment where grant_held < 0 or topup_held < 0 or cost < 0 union all select 'call '
  || call_id from call where cost < 0 or estimated < 0 or estimated > cost or wallet_grant < 0 or
  wallet_topup < 0 union all select 'attempt ' || call_id from attempt where cost < 0) wrong;

select count(*) as breaches from ( select app, day from ( select app, day, held as difference, 1 as
  rows from budget_day union all select app, day, -budget_amount, 0 from hold) parts group by app,
  day having sum(difference) <> 0 or sum(rows) = 0) wrong;

select count(*) as breaches from ( select app, day from ( select app, day, spent, estimated,
  overrun, 1 as rows from budget_day where day >= (select coalesce(max(day), '') from prune_horizon)
  union all select app, day, -sum(cost), -sum(estimated), -sum(case when cost > held then cost -
  held else 0 end), 0 from call where day >= (select coalesce(max(day), '') from prune_horizon)
  group by app, day) parts group by app, day having sum(spent) <> 0 or sum(estimated) <> 0 or
  sum(overrun) <> 0 or sum(rows) = 0) wrong;

select count(*) as breaches from ( select app, day, model from ( select app, day, model, 1 as rows,
  calls, errors, input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens,
  reasoning_tokens, cost, estimated, unpriced_calls from usage_day where day >= (select
  coalesce(max(day), '') from prune_horizon) union all select app, day, usage_model, 0, -count(*),
  -sum(case when code = 'OK' then 0 else 1 end), -sum(input_tokens), -sum(cached_input_tokens),
  -sum(cache_write_input_tokens), -sum(output_tokens), -sum(reasoning_tokens), -sum(cost),
  -sum(estimated), -sum(case when price_version is null or price_version like 'dearest-%' then 1
  else 0 end) from call where day >= (select coalesce(max(day), '') from prune_horizon) group by
  app, day, usage_model union all select call.app, call.day, attempt.usage_model, 0, 0, 0,
  -sum(attempt.input_tokens), -sum(attempt.cached_input_tokens),
  -sum(attempt.cache_write_input_tokens), -sum(attempt.output_tokens),
  -sum(attempt.reasoning_tokens), -sum(attempt.cost), -sum(case when attempt.basis = 'estimated'
  then attempt.cost else 0 end), 0 from attempt cross join call where call.call_id = attempt.call_id
  and call.day >= (select coalesce(max(day), '') from prune_horizon) group by call.app, call.day,
  attempt.usage_model union all select app, day, usage_model, 0, 0, 0, sum(input_tokens),
  sum(cached_input_tokens), sum(cache_write_input_tokens), sum(output_tokens),
  sum(reasoning_tokens), sum(attempt_cost), sum(attempt_estimated), 0 from ( select call.app,
  call.day, call.usage_model, call.input_tokens, call.cached_input_tokens,
  call.cache_write_input_tokens, call.output_tokens, call.reasoning_tokens, sum(attempt.cost) as
  attempt_cost, sum(case when attempt.basis = 'estimated' then attempt.cost else 0 end) as
  attempt_estimated from attempt cross join call where call.call_id = attempt.call_id and call.day
  >= (select coalesce(max(day), '') from prune_horizon) group by call.call_id) given group by app,
  day, usage_model) parts group by app, day, model having sum(rows) <> 1 or sum(calls) <> 0 or
  sum(errors) <> 0 or sum(input_tokens) <> 0 or sum(cached_input_tokens) <> 0 or
  sum(cache_write_input_tokens) <> 0 or sum(output_tokens) <> 0 or sum(reasoning_tokens) <> 0 or
  sum(cost) <> 0 or sum(estimated) <> 0 or sum(unpriced_calls) <> 0) wrong;

select count(*) as breaches from ( select app, day, model from ( select app, day, model, calls,
  errors, input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens,
  reasoning_tokens, cost, estimated, unpriced_calls from usage_day union all select app, day, model,
  -calls, -errors, -input_tokens, -cached_input_tokens, -cache_write_input_tokens, -output_tokens,
  -reasoning_tokens, -cost, -estimated, -unpriced_calls from usage_split union all select app, day,
  model, -calls, -errors, -input_tokens, -cached_input_tokens, -cache_write_input_tokens,
  -output_tokens, -reasoning_tokens, -cost, -estimated, -unpriced_calls from ( select call_id, day,
  app, usage_model as model, coalesce(platform, '') as platform, coalesce(key_id, '') as key_id,
  coalesce(user_id, '') as user_id, 1 as calls, case when code = 'OK' then 0 else 1 end as errors,
  input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens, reasoning_tokens,
  coalesce(cache_write1h_input_tokens, 0) as cache_write1h_input_tokens, cost, estimated, case when
  basis = 'corrected' then cost - estimated else 0 end as corrected, case when (price_version is
  null or price_version like 'dearest-%') then cost else 0 end as unpriced, case when (price_version
  is null or price_version like 'dearest-%') then 1 else 0 end as unpriced_calls from call where
  call_id >= coalesce((select rolled_until from rollup_state where id = 1), '') and 1 = 1 union all
  select attempt.call_id, call.day, call.app, attempt.usage_model, coalesce(attempt.platform, ''),
  coalesce(call.key_id, ''), coalesce(call.user_id, ''), 0, 0, attempt.input_tokens,
  attempt.cached_input_tokens, attempt.cache_write_input_tokens, attempt.output_tokens,
  attempt.reasoning_tokens, coalesce(attempt.cache_write1h_input_tokens, 0), attempt.cost, case when
  attempt.basis = 'estimated' then attempt.cost else 0 end, case when attempt.basis = 'corrected'
  then attempt.cost else 0 end, case when attempt.price_version is null or attempt.price_version
  like 'dearest-%' then attempt.cost else 0 end, 0 from attempt cross join call where
  attempt.call_id >= coalesce((select rolled_until from rollup_state where id = 1), '') and
  call.call_id = attempt.call_id and 1 = 1 union all select call.call_id, call.day, call.app,
  call.usage_model, coalesce(call.platform, ''), coalesce(call.key_id, ''), coalesce(call.user_id,
  ''), 0, 0, -call.input_tokens, -call.cached_input_tokens, -call.cache_write_input_tokens,
  -call.output_tokens, -call.reasoning_tokens, -coalesce(call.cache_write1h_input_tokens, 0),
  -given.cost, -given.estimated, case when call.basis = 'corrected' then given.estimated -
  given.cost else 0 end, case when (price_version is null or price_version like 'dearest-%') then
  -given.cost else 0 end, 0 from ( select call_id, sum(cost) as cost, sum(case when basis =
  'estimated' then cost else 0 end) as estimated from attempt where call_id >= coalesce((select
  rolled_until from rollup_state where id = 1), '') group by call_id) given cross join call where
  call.call_id = given.call_id and 1 = 1 union all select call_id, day, app, model, platform,
  key_id, user_id, calls as calls, errors as errors, input_tokens as input_tokens,
  cached_input_tokens as cached_input_tokens, cache_write_input_tokens as cache_write_input_tokens,
  output_tokens as output_tokens, reasoning_tokens as reasoning_tokens, cache_write1h_input_tokens
  as cache_write1h_input_tokens, cost as cost, estimated as estimated, corrected as corrected,
  unpriced as unpriced, unpriced_calls as unpriced_calls from usage_late where call_id <
  coalesce((select rolled_until from rollup_state where id = 1), '')) behind) parts where exists
  (select 1 from rollup_state) group by app, day, model having sum(calls) <> 0 or sum(errors) <> 0
  or sum(input_tokens) <> 0 or sum(cached_input_tokens) <> 0 or sum(cache_write_input_tokens) <> 0
  or sum(output_tokens) <> 0 or sum(reasoning_tokens) <> 0 or ((cast(coalesce(sum(cast(cost as
  bigint) >> 32), 0) as bigint) + (cast(coalesce(sum(cast(cost as bigint) & 4294967295), 0) as
  bigint) >> 32)) <> 0 or (cast(coalesce(sum(cast(cost as bigint) & 4294967295), 0) as bigint) &
  4294967295) <> 0) or ((cast(coalesce(sum(cast(estimated as bigint) >> 32), 0) as bigint) +
  (cast(coalesce(sum(cast(estimated as bigint) & 4294967295), 0) as bigint) >> 32)) <> 0 or
  (cast(coalesce(sum(cast(estimated as bigint) & 4294967295), 0) as bigint) & 4294967295) <> 0) or
  sum(unpriced_calls) <> 0) wrong;

select count(*) as breaches from ( select app, month from ( select app, month,
  cache_write1h_input_tokens, corrected, unpriced from usage_user_month union all select app,
  substr(day, 1, 7), -cache_write1h_input_tokens, -corrected, -unpriced from usage_split) parts
  group by app, month having sum(cache_write1h_input_tokens) <> 0 or
  ((cast(coalesce(sum(cast(corrected as bigint) >> 32), 0) as bigint) +
  (cast(coalesce(sum(cast(corrected as bigint) & 4294967295), 0) as bigint) >> 32)) <> 0 or
  (cast(coalesce(sum(cast(corrected as bigint) & 4294967295), 0) as bigint) & 4294967295) <> 0) or
  ((cast(coalesce(sum(cast(unpriced as bigint) >> 32), 0) as bigint) +
  (cast(coalesce(sum(cast(unpriced as bigint) & 4294967295), 0) as bigint) >> 32)) <> 0 or
  (cast(coalesce(sum(cast(unpriced as bigint) & 4294967295), 0) as bigint) & 4294967295) <> 0))
  wrong;

select count(*) as breaches from ( select app, month from ( select app, substr(day, 1, 7) as month,
  calls, errors, input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens,
  reasoning_tokens, cost, estimated, unpriced_calls from usage_day union all select app, month,
  -calls, -errors, -input_tokens, -cached_input_tokens, -cache_write_input_tokens, -output_tokens,
  -reasoning_tokens, -cost, -estimated, -unpriced_calls from usage_user_month union all select app,
  substr(day, 1, 7) as month, -calls, -errors, -input_tokens, -cached_input_tokens,
  -cache_write_input_tokens, -output_tokens, -reasoning_tokens, -cost, -estimated, -unpriced_calls
  from ( select call_id, day, app, usage_model as model, coalesce(platform, '') as platform,
  coalesce(key_id, '') as key_id, coalesce(user_id, '') as user_id, 1 as calls, case when code =
  'OK' then 0 else 1 end as errors, input_tokens, cached_input_tokens, cache_write_input_tokens,
  output_tokens, reasoning_tokens, coalesce(cache_write1h_input_tokens, 0) as
  cache_write1h_input_tokens, cost, estimated, case when basis = 'corrected' then cost - estimated
  else 0 end as corrected, case when (price_version is null or price_version like 'dearest-%') then
  cost else 0 end as unpriced, case when (price_version is null or price_version like 'dearest-%')
  then 1 else 0 end as unpriced_calls from call where call_id >= coalesce((select rolled_until from
  rollup_state where id = 1), '') and 1 = 1 union all select attempt.call_id, call.day, call.app,
  attempt.usage_model, coalesce(attempt.platform, ''), coalesce(call.key_id, ''),
  coalesce(call.user_id, ''), 0, 0, attempt.input_tokens, attempt.cached_input_tokens,
  attempt.cache_write_input_tokens, attempt.output_tokens, attempt.reasoning_tokens,
  coalesce(attempt.cache_write1h_input_tokens, 0), attempt.cost, case when attempt.basis =
  'estimated' then attempt.cost else 0 end, case when attempt.basis = 'corrected' then attempt.cost
  else 0 end, case when attempt.price_version is null or attempt.price_version like 'dearest-%' then
  attempt.cost else 0 end, 0 from attempt cross join call where attempt.call_id >= coalesce((select
  rolled_until from rollup_state where id = 1), '') and call.call_id = attempt.call_id and 1 = 1
  union all select call.call_id, call.day, call.app, call.usage_model, coalesce(call.platform, ''),
  coalesce(call.key_id, ''), coalesce(call.user_id, ''), 0, 0, -call.input_tokens,
  -call.cached_input_tokens, -call.cache_write_input_tokens, -call.output_tokens,
  -call.reasoning_tokens, -coalesce(call.cache_write1h_input_tokens, 0), -given.cost,
  -given.estimated, case when call.basis = 'corrected' then given.estimated - given.cost else 0 end,
  case when (price_version is null or price_version like 'dearest-%') then -given.cost else 0 end, 0
  from ( select call_id, sum(cost) as cost, sum(case when basis = 'estimated' then cost else 0 end)
  as estimated from attempt where call_id >= coalesce((select rolled_until from rollup_state where
  id = 1), '') group by call_id) given cross join call where call.call_id = given.call_id and 1 = 1
  union all select call_id, day, app, model, platform, key_id, user_id, calls as calls, errors as
  errors, input_tokens as input_tokens, cached_input_tokens as cached_input_tokens,
  cache_write_input_tokens as cache_write_input_tokens, output_tokens as output_tokens,
  reasoning_tokens as reasoning_tokens, cache_write1h_input_tokens as cache_write1h_input_tokens,
  cost as cost, estimated as estimated, corrected as corrected, unpriced as unpriced, unpriced_calls
  as unpriced_calls from usage_late where call_id < coalesce((select rolled_until from rollup_state
  where id = 1), '')) behind) parts where exists (select 1 from rollup_state) group by app, month
  having sum(calls) <> 0 or sum(errors) <> 0 or sum(input_tokens) <> 0 or sum(cached_input_tokens)
  <> 0 or sum(cache_write_input_tokens) <> 0 or sum(output_tokens) <> 0 or sum(reasoning_tokens) <>
  0 or ((cast(coalesce(sum(cast(cost as bigint) >> 32), 0) as bigint) + (cast(coalesce(sum(cast(cost
  as bigint) & 4294967295), 0) as bigint) >> 32)) <> 0 or (cast(coalesce(sum(cast(cost as bigint) &
  4294967295), 0) as bigint) & 4294967295) <> 0) or ((cast(coalesce(sum(cast(estimated as bigint) >>
  32), 0) as bigint) + (cast(coalesce(sum(cast(estimated as bigint) & 4294967295), 0) as bigint) >>
  32)) <> 0 or (cast(coalesce(sum(cast(estimated as bigint) & 4294967295), 0) as bigint) &
  4294967295) <> 0) or sum(unpriced_calls) <> 0) wrong;

select count(*) as breaches from ( select app, scope, period from ( select app, scope, period,
  brought, left_spent, 0 as named, 0 as unnamed, 0 as unheld from budget_member where first_day >=
  (select coalesce(max(day), '') from prune_horizon) union all select member.app, member.scope,
  member.period, null, null, 0, call.cost, case when call.basis = 'orphan' then call.cost else 0 end
  from budget_member member join call on call.app = member.app and call.day >= member.first_day and
  call.day < member.end_day union all select call.app, named.scope, named.period, null, null,
  named.cost, -named.cost, 0 from call_scope named join call on call.call_id = named.call_id where
  exists (select 1 from budget_member)) parts where (scope, period) in ( select budget_scope.scope,
  budget_scope.period from budget_scope join budget_member member on member.scope =
  budget_scope.scope and member.period = budget_scope.period group by budget_scope.scope,
  budget_scope.period, budget_scope.brought having case when cast(coalesce(sum(cast(member.brought
  as bigint) >> 32), 0) as bigint) + (cast(coalesce(sum(cast(member.brought as bigint) &
  4294967295), 0) as bigint) >> 32) > 2147483647 then 9223372036854775807 else
  (cast(coalesce(sum(cast(member.brought as bigint) >> 32), 0) as bigint) << 32) +
  cast(coalesce(sum(cast(member.brought as bigint) & 4294967295), 0) as bigint) end =
  budget_scope.brought) group by app, scope, period having max(brought) is not null and case when
  max(left_spent) is null then sum(unnamed) <> max(brought) else max(left_spent) < sum(named) or
  max(left_spent) > sum(named) + sum(unheld) end) wrong;

select count(*) as breaches from ( select app, user_id from ( select app, user_id, held as
  difference, 1 as rows, case when spent + held > added then 1 else 0 end as overdrawn from
  wallet_topup union all select app, user_id, -topup_amount, 0, 0 from hold where user_id is not
  null and month is not null union all select app, user_id, -topup_held, 0, 0 from
  unclaimed_payment) parts group by app, user_id having sum(difference) <> 0 or sum(rows) = 0 or
  sum(overdrawn) > 0) wrong;

select count(*) as breaches from ( select app, user_id from ( select app, user_id, spent, added, 1
  as rows, 0 as entries from wallet_topup union all select app, user_id, -from_topup, 0, 0, 0 from
  pruned_wallet union all select app, user_id, -sum(wallet_topup), 0, 0, 0 from call where user_id
  is not null group by app, user_id union all select app, user_id, 0, -sum(amount), 0, 1 from
  wallet_entry group by app, user_id) parts group by app, user_id having sum(spent) <> 0 or
  sum(added) <> 0 or (sum(rows) = 0 and sum(entries) > 0)) wrong;

select count(*) as breaches from ( select app, user_id, month from ( select app, user_id, month,
  held_grant as difference, 1 as rows, case when spent_grant + held_grant > granted then 1 else 0
  end as overdrawn from wallet_month union all select app, user_id, month, -grant_amount, 0, 0 from
  hold where user_id is not null and month is not null union all select app, user_id, month,
  -grant_held, 0, 0 from unclaimed_payment) parts group by app, user_id, month having
  sum(difference) <> 0 or sum(rows) = 0 or sum(overdrawn) > 0) wrong;

select count(*) as breaches from ( select app, user_id, month from ( select app, user_id, month,
  spent_grant, spent_topup from wallet_month union all select app, user_id, month, -from_grant,
  -from_topup from pruned_wallet union all select app, user_id, month, -sum(wallet_grant),
  -sum(wallet_topup) from call where user_id is not null and month is not null group by app,
  user_id, month) parts group by app, user_id, month having sum(spent_grant) <> 0 or
  sum(spent_topup) <> 0) wrong;

select count(*) as breaches from ( select scope, period from ( select scope, period, held as
  difference, 1 as rows from budget_scope union all select scope, period, -amount, 0 from
  hold_scope) parts group by scope, period having sum(difference) <> 0 or sum(rows) = 0) wrong;

select count(*) as breaches from ( select scope, period from ( select scope, period, spent - brought
  - pruned as spent, estimated, overrun, pruned, 1 as rows from budget_scope union all select scope,
  period, -cost, -estimated, -overrun, 0, 0 from call_scope) parts group by scope, period having
  sum(spent) <> 0 or sum(rows) = 0 or (sum(pruned) = 0 and (sum(estimated) <> 0 or sum(overrun) <>
  0))) wrong;

select count(*) as breaches from budget_day where admitted_cap is not null and spent - overrun +
  held > admitted_cap;

select count(*) as breaches from budget_scope where admitted_cap is not null and held > admitted_cap
  - spent + overrun;

select count(*) as breaches from hold join call on call.call_id = hold.call_id;

select count(*) as breaches from hold where expires_at < $1 and exists (select 1 from owner where
  seen_at > $2);

select count(*) as breaches from rejection join ( select app, day, sum(taken >> 32) as high,
  sum(taken & 4294967295) as low, max(is_corrected) as is_corrected from ( select app, day, case
  when basis = 'corrected' then 1 else 0 end as is_corrected, case when cost > coalesce(held_at_end,
  held) then cost else coalesce(held_at_end, held) end as taken from call where day >= (select
  coalesce(max(day), '') from prune_horizon) and day in (select period from rejection) union all
  select app, day, 0, budget_amount from hold union all select app, day, 0, 0 from budget_day where
  day >= (select coalesce(max(day), '') from prune_horizon)) parts group by app, day) booked on
  rejection.scope = 'app:' || booked.app and rejection.period = booked.day where booked.is_corrected
  = 0 and booked.high < 1073741824 and rejection.spent < 4611686018427387904 and rejection.held <
  4611686018427387904 and rejection.spent + rejection.held > booked.high * 4294967296 + booked.low;

select count(*) as breaches from rejection where held < 0 or amount_left < 0 or needed < 0 or case
  code when 'BUDGET_EXCEEDED' then case when cap is null or spent is null or spent < 0 then 1 when
  amount_left <> case when spent > cap or held > cap - spent then 0 else cap - spent - held end then
  1 when is_unpriced = 1 and amount_left > 0 then 1 when is_unpriced = 0 and needed <= amount_left
  and not (spent > cap or held > cap - spent) then 1 else 0 end when 'INSUFFICIENT_CREDITS' then
  case when needed <= amount_left then 1 else 0 end else case when needed <= amount_left then 1 else
  0 end end = 1;

select count(*) as calls from (select 1 from call where call_id <= $1 and day < $2 limit $3) as old;

select count(*) as kept from ( select call_id from result where call_id = $1 union all select
  call_id from answer where call_id = $1 and status > 0) answers;

select count(*) as runs from (select 1 from run where expires_at < $1 limit 1) as one;

select count(*) as scopes from (select 1 from budget_scope limit 1) as one;

select day from budget_day where app = $1 and day >= $2 order by day;

select day from prune_horizon;

select day, cast(sum(case when model = 'lost calls' then 0 else calls end) as bigint) as calls,
  cast(cast(coalesce(sum(cast(cost as bigint) >> 32), 0) as bigint) as text) || ':' ||
  cast(cast(coalesce(sum(cast(cost as bigint) & 4294967295), 0) as bigint) as text) as cost from
  usage_day where app = $1 group by day order by day desc limit $2;

select definition.scope, definition.span, definition.cap, coalesce(counted.spent, 0) as spent,
  coalesce(counted.held, 0) as held, coalesce(counted.would_refuse, 0) as would_refuse,
  coalesce(counted.would_refuse_amount, 0) as would_refuse_amount from budget_definition definition
  left join budget_scope counted on counted.scope = definition.scope and counted.period = case
  definition.span when 'day' then $1 else $2 end where definition.scope like 'group:%' or
  definition.scope like 'app:%' order by definition.scope, definition.span;

select distinct model from usage_day where day >= $1 and unpriced_calls > 0 and (cost <> 0 or
  estimated <> 0 or input_tokens + cached_input_tokens + cache_write_input_tokens + output_tokens +
  reasoning_tokens > 0) order by model;

select hold.* from hold left join owner on owner.id = hold.owner and owner.id <> $1 where owner.id
  is null and hold.call_id > $2 order by hold.call_id limit $3;

select hold.* from hold left join owner on owner.id = hold.owner and owner.seen_at > $2 where
  (hold.expires_at <= $1 or owner.id is null) and hold.call_id > $4 order by hold.call_id limit $3;

select id from api_key order by id limit $1;

select id from owner where seen_at > $1 and coalesce(schema_version, 0) < $2 order by id;

select id, name, customer_id from api_key where (substr(id, 1, length($1)) = $1 or name = $1) and id
  > $2 order by id limit $3;

select id, seen_at, config_hash, schema_version from owner where seen_at > $1 order by id;

select key.name, key.customer_id, plan_use.used from plan_use join api_key key on key.id =
  plan_use.key_id where plan_use.day = $1 order by key.id;

select min(day) as day from ( select call.day from answer cross join idempotency cross join call
  where answer.call_id < $1 and call.call_id = answer.call_id and idempotency.app = answer.app and
  idempotency.key_hash = answer.key_hash and idempotency.call_id = answer.call_id and
  idempotency.expires_at > $2 union all select call.day from result cross join idempotency cross
  join call where result.call_id < $1 and call.call_id = result.call_id and idempotency.app =
  result.app and idempotency.key_hash = result.key_hash and idempotency.call_id = result.call_id and
  idempotency.expires_at > $2) as days;

select min(day) as day from (select day from hold union all select day from unclaimed_payment) held;

select model from usage_name where day = $1 and model = $2;

select project from app where name = $1;

select revision, kind, id, (select value from revision where id = 1) as current from registry_change
  where revision > $1 order by revision limit $2;

select seq, kid, hmac from audit_head where id = 1;

select seq, kid, hmac from audit_head where id = 1 for update;

select status, body from answer where call_id = $1;

select value from revision where id = 1;

select version from schema_migration where version > $1 limit 1;

update api_key set enabled = 0, disabled_by = $2, disabled_role = $3 where id = $1 and (enabled = 1
  or disabled_role = 'team' and cast($3 as text) <> 'team');

update api_key set enabled = 1, is_sample = null where id = $1 and enabled = 0;

update api_key set enabled = 1, is_sample = null where id = $1 and enabled = 0 and disabled_role =
  'team';

update api_key set expires_at = $2 where id = $1 and (expires_at is null or expires_at > $2);

update app set enabled = $2, daily_budget = $3, models = $4, monthly_grant = $5, pico_usd_per_credit
  = $6, require_priced = $7, store_answers = $8, project = $9, plans = $10, tags = $11, unpriced =
  $12, streaming = $13, default_max_tokens = $14, adopt_retries = $15, credits_since = $16,
  grant_before = $17, pico_usd_per_credit_before = $18, rate_per_second = $19, keys_max = $20 where
  name = $1;

update app set file_values = $2 where name = $1;

update audit_head set seq = $1, kid = $2, hmac = $3 where id = 1;

update budget_day set cap = $2 where app = $1 and day = $3;

update budget_day set cap = $2 where app = $1 and day >= $3 and cap is distinct from $2;

update budget_scope set pruned = pruned + gone.cost from ( select scope, period, cast(sum(cost) as
  bigint) as cost from call_scope where call_id > $1 and call_id <= $2 and day < $3 group by scope,
  period) gone where budget_scope.scope = gone.scope and budget_scope.period = gone.period;

update revision set value = value + 1 where id = 1;

update revision set value = value where id = 0;

update revision set value = value where id = 1 and (select count(*) from api_key where customer_id =
  $1 and enabled = 1 and (expires_at is null or expires_at > $2)) <= cast($3 as bigint) *
  coalesce((select keys_max from app where name = $1), cast($4 as bigint));

update revision set value = value where id = 1 and exists (select 1 from api_key where id = $1 and
  enabled = 1);

update revision set value = value where id = 1 and not exists ( select 1 from app mine join app
  other on other.name <> mine.name and trim(coalesce(other.project, 'prod-' || cast($2 as text) ||
  '-core-' || other.name)) = trim(coalesce(mine.project, 'prod-' || cast($2 as text) || '-core-' ||
  mine.name)) where mine.name = $1);

update revision set value = value where id = 1 and not exists ( select 1 from project_binding where
  project_id = $2 and app <> $1);

update revision set value = value where id = 1 and value = $1;

update rollup_state set pruned_steps = pruned_steps + 1;

update schema_migration set compatible_from = $1 where version = $1 and not exists ( select 1 from
  owner where seen_at > $2 and coalesce(schema_version, 0) < $1);

update schema_migration set name = name where version = $1 and not exists ( select 1 from
  schema_migration where version > $1 and coalesce(compatible_from, version) > $1);
