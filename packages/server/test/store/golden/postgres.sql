delete from answer where call_id = any ($1::text[]);

delete from call where call_id = any ($1::text[]);

delete from hold where call_id = any ($1::text[]);

delete from idempotency using unnest($1::text[], $2::text[]) as key (app, key_hash) where
  idempotency.app = key.app and idempotency.key_hash = key.key_hash;

delete from unclaimed_payment where call_id = any ($1::text[]);

insert into answer (call_id, app, key_hash, status, body, at) select unnest($1::text[]),
  unnest($2::text[]), unnest($3::text[]), unnest($4::bigint[]), unnest($5::text[]),
  unnest($6::bigint[]);

insert into attempt (call_id, n, model, usage_model, price_version, platform, started_at, took_ms,
  outcome, status, input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens,
  reasoning_tokens, cache_write1h_input_tokens, tool_uses, token_parts, is_counted, cost, basis,
  estimate_reason, upstream_id) select unnest($1::text[]), unnest($2::bigint[]), unnest($3::text[]),
  unnest($4::text[]), unnest($5::text[]), unnest($6::text[]), unnest($7::bigint[]),
  unnest($8::bigint[]), unnest($9::text[]), unnest($10::bigint[]), unnest($11::bigint[]),
  unnest($12::bigint[]), unnest($13::bigint[]), unnest($14::bigint[]), unnest($15::bigint[]),
  unnest($16::bigint[]), unnest($17::text[]), unnest($18::text[]), unnest($19::bigint[]),
  unnest($20::bigint[]), unnest($21::text[]), unnest($22::text[]), unnest($23::text[]);

insert into audit_log (id, at, actor, action, subject, before_value, after_value, reason, reference,
  call_id, seq, kid, hmac, via) select unnest($1::text[]), unnest($2::bigint[]), unnest($3::text[]),
  unnest($4::text[]), unnest($5::text[]), unnest($6::text[]), unnest($7::text[]),
  unnest($8::text[]), unnest($9::text[]), unnest($10::text[]), unnest($11::bigint[]),
  unnest($12::text[]), unnest($13::text[]), unnest($14::text[]);

insert into budget_day (app, day, cap, admitted_cap, spent, held, estimated, overrun) select
  app.name, key.day, app.daily_budget, null, 0, 0, 0, 0 from unnest($1::text[], $2::text[]) as key
  (app, day) join app on app.name = key.app where not exists ( select 1 from budget_day known where
  known.app = key.app and known.day = key.day) order by app.name, key.day for share of app on
  conflict do nothing;

insert into budget_scope (scope, period, cap, mode, admitted_cap, brought, spent, held, estimated,
  overrun, pruned, would_refuse, would_refuse_amount) select key.scope, key.period, key.cap,
  key.mode, null, 0, 0, 0, 0, 0, 0, 0, 0 from unnest($1::text[], $2::text[], $3::bigint[],
  $4::text[], $5::bigint[]) as key (scope, period, cap, mode, revision) join budget_revision on
  budget_revision.id = 1 and budget_revision.value = key.revision order by key.scope, key.period on
  conflict do nothing;

insert into call (call_id, app, day, month, user_id, route, model, usage_model, price_version,
  key_hash, key_id, remote, trace, platform, started_at, code, input_tokens, cached_input_tokens,
  cache_write_input_tokens, output_tokens, reasoning_tokens, cache_write1h_input_tokens, cost,
  estimated, basis, estimate_reason, attempts, upstream_id, ended_at, first_ms, wallet_grant,
  wallet_topup, held, held_at_end, wallet_held, owner, scopes) select unnest($1::text[]),
  unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]),
  unnest($6::text[]), unnest($7::text[]), unnest($8::text[]), unnest($9::text[]),
  unnest($10::text[]), unnest($11::text[]), unnest($12::text[]), unnest($13::text[]),
  unnest($14::text[]), unnest($15::bigint[]), unnest($16::text[]), unnest($17::bigint[]),
  unnest($18::bigint[]), unnest($19::bigint[]), unnest($20::bigint[]), unnest($21::bigint[]),
  unnest($22::bigint[]), unnest($23::bigint[]), unnest($24::bigint[]), unnest($25::text[]),
  unnest($26::text[]), unnest($27::text[]), unnest($28::text[]), unnest($29::bigint[]),
  unnest($30::bigint[]), unnest($31::bigint[]), unnest($32::bigint[]), unnest($33::bigint[]),
  unnest($34::bigint[]), unnest($35::bigint[]), unnest($36::text[]), unnest($37::text[]);

insert into hold (call_id, app, day, month, user_id, route, model, usage_model, price_version,
  key_hash, key_id, remote, trace, platform, started_at, budget_amount, grant_amount, topup_amount,
  extensions, owner, expires_at, scopes) select unnest($1::text[]), unnest($2::text[]),
  unnest($3::text[]), unnest($4::text[]), unnest($5::text[]), unnest($6::text[]),
  unnest($7::text[]), unnest($8::text[]), unnest($9::text[]), unnest($10::text[]),
  unnest($11::text[]), unnest($12::text[]), unnest($13::text[]), unnest($14::text[]),
  unnest($15::bigint[]), unnest($16::bigint[]), unnest($17::bigint[]), unnest($18::bigint[]),
  unnest($19::bigint[]), unnest($20::text[]), unnest($21::bigint[]), unnest($22::text[]);

insert into idempotency (app, key_hash, fingerprint, state, call_id, owner, expires_at, bad_outputs,
  wallet_paid) select * from (select unnest($1::text[]), unnest($2::text[]), unnest($3::text[]),
  unnest($4::text[]), unnest($5::text[]), unnest($6::text[]), unnest($7::bigint[]),
  unnest($8::bigint[]), unnest($9::bigint[])) as row (app, key_hash) order by row.app, row.key_hash;

insert into result (call_id, app, key_hash, dialect, encoder_version, body, at) select
  unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]),
  unnest($5::bigint[]), unnest($6::text[]), unnest($7::bigint[]);

insert into unclaimed_payment (call_id, app, day, user_id, month, grant_held, topup_held, cost,
  expires_at, claimed_by) select unnest($1::text[]), unnest($2::text[]), unnest($3::text[]),
  unnest($4::text[]), unnest($5::text[]), unnest($6::bigint[]), unnest($7::bigint[]),
  unnest($8::bigint[]), unnest($9::bigint[]), unnest($10::text[]);

insert into usage_correction (made_day, day, app, model, platform, calls, errors, cost, estimated,
  corrected, unpriced) select unnest($1::text[]), unnest($2::text[]), unnest($3::text[]),
  unnest($4::text[]), unnest($5::text[]), unnest($6::bigint[]), unnest($7::bigint[]),
  unnest($8::bigint[]), unnest($9::bigint[]), unnest($10::bigint[]), unnest($11::bigint[]) on
  conflict (made_day, day, app, model, platform) do update set calls = usage_correction.calls +
  excluded.calls, errors = usage_correction.errors + excluded.errors, cost = usage_correction.cost +
  excluded.cost, estimated = usage_correction.estimated + excluded.estimated, corrected =
  usage_correction.corrected + excluded.corrected, unpriced = usage_correction.unpriced +
  excluded.unpriced;

insert into usage_day (app, day, model, calls, errors, input_tokens, cached_input_tokens,
  cache_write_input_tokens, output_tokens, reasoning_tokens, cost, estimated, unpriced_calls) select
  unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::bigint[]),
  unnest($5::bigint[]), unnest($6::bigint[]), unnest($7::bigint[]), unnest($8::bigint[]),
  unnest($9::bigint[]), unnest($10::bigint[]), unnest($11::bigint[]), unnest($12::bigint[]),
  unnest($13::bigint[]) on conflict (app, day, model) do update set calls = usage_day.calls +
  excluded.calls, errors = usage_day.errors + excluded.errors, input_tokens = usage_day.input_tokens
  + excluded.input_tokens, cached_input_tokens = usage_day.cached_input_tokens +
  excluded.cached_input_tokens, cache_write_input_tokens = usage_day.cache_write_input_tokens +
  excluded.cache_write_input_tokens, output_tokens = usage_day.output_tokens +
  excluded.output_tokens, reasoning_tokens = usage_day.reasoning_tokens + excluded.reasoning_tokens,
  cost = usage_day.cost + excluded.cost, estimated = usage_day.estimated + excluded.estimated,
  unpriced_calls = usage_day.unpriced_calls + excluded.unpriced_calls;

insert into usage_late (call_id, day, app, model, platform, key_id, user_id, calls, errors,
  input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens, reasoning_tokens,
  cache_write1h_input_tokens, cost, estimated, corrected, unpriced, unpriced_calls) select
  unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]),
  unnest($5::text[]), unnest($6::text[]), unnest($7::text[]), unnest($8::bigint[]),
  unnest($9::bigint[]), unnest($10::bigint[]), unnest($11::bigint[]), unnest($12::bigint[]),
  unnest($13::bigint[]), unnest($14::bigint[]), unnest($15::bigint[]), unnest($16::bigint[]),
  unnest($17::bigint[]), unnest($18::bigint[]), unnest($19::bigint[]), unnest($20::bigint[]) on
  conflict (call_id, model, platform, key_id, user_id, app, day) do update set calls =
  usage_late.calls + excluded.calls, errors = usage_late.errors + excluded.errors, input_tokens =
  usage_late.input_tokens + excluded.input_tokens, cached_input_tokens =
  usage_late.cached_input_tokens + excluded.cached_input_tokens, cache_write_input_tokens =
  usage_late.cache_write_input_tokens + excluded.cache_write_input_tokens, output_tokens =
  usage_late.output_tokens + excluded.output_tokens, reasoning_tokens = usage_late.reasoning_tokens
  + excluded.reasoning_tokens, cache_write1h_input_tokens = usage_late.cache_write1h_input_tokens +
  excluded.cache_write1h_input_tokens, cost = usage_late.cost + excluded.cost, estimated =
  usage_late.estimated + excluded.estimated, corrected = usage_late.corrected + excluded.corrected,
  unpriced = usage_late.unpriced + excluded.unpriced, unpriced_calls = usage_late.unpriced_calls +
  excluded.unpriced_calls;

insert into wallet_entry (app, user_id, reference, amount, at) select unnest($1::text[]),
  unnest($2::text[]), unnest($3::text[]), unnest($4::bigint[]), unnest($5::bigint[]);

insert into wallet_month (app, user_id, month, granted, pico_usd_per_credit, spent_grant,
  spent_topup, held_grant) select app, user_id, month, granted, pico_usd_per_credit, 0, 0, 0 from
  unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[]) as key (app, user_id,
  month, granted, pico_usd_per_credit) where granted is not null order by app, user_id, month on
  conflict do nothing;

insert into wallet_topup (app, user_id, added, spent, held) select app, user_id, 0, 0, 0 from
  unnest($1::text[], $2::text[]) as key (app, user_id) order by app, user_id on conflict do nothing;

select * from attempt where call_id = any ($1::text[]) order by call_id, n;

select * from call where call_id = any ($1::text[]);

select * from hold where call_id = any ($1::text[]);

select * from unclaimed_payment where call_id = any ($1::text[]);

select *, (select value from budget_revision where id = 1) as revision from budget_scope where scope
  = any ($1::text[]) and period = any ($2::text[]) order by scope, period for update;

select budget_day.*, (select closed_until from rollup_state where id = 1) as closed_until from
  unnest($1::text[], $2::text[]) as key (app, day) join budget_day on budget_day.app = key.app and
  budget_day.day = key.day order by budget_day.app, budget_day.day for update of budget_day;

select budget_scope.* from ( select substring(key from '^(.*)@') as scope, substring(key from
  '[^@]*$') as period from ( select unnest($2::text[]) as key union select
  json_array_elements_text(cast(scopes as json)) from ( select scopes from hold where call_id = any
  ($1::text[]) and scopes is not null union select scopes from call where call_id = any ($1::text[])
  and scopes is not null ) list) listed where key is not null union select member.scope,
  member.period from unnest($3::text[], $4::text[]) as booked (app, day) join budget_member member
  on member.app = booked.app and member.first_day <= booked.day and member.end_day > booked.day)
  wanted join budget_scope on budget_scope.scope = wanted.scope and budget_scope.period =
  wanted.period where exists (select 1 from budget_scope) order by budget_scope.scope,
  budget_scope.period for update of budget_scope;

select distinct member.* from unnest($1::text[], $2::text[]) as booked (app, day) join budget_member
  member on member.app = booked.app and member.first_day <= booked.day and member.end_day >
  booked.day;

select id from owner where seen_at > $1;

select idempotency.* from unnest($1::text[], $2::text[]) as key (app, key_hash) join idempotency on
  idempotency.app = key.app and idempotency.key_hash = key.key_hash order by idempotency.app,
  idempotency.key_hash for update of idempotency skip locked;

select idempotency.app, idempotency.key_hash from unnest($1::text[], $2::text[]) as key (app,
  key_hash) join idempotency on idempotency.app = key.app and idempotency.key_hash = key.key_hash;

select value as revision from budget_revision where id = 1;

select wallet_entry.* from unnest($1::text[], $2::text[], $3::text[]) as key (app, user_id,
  reference) join wallet_entry on wallet_entry.app = key.app and wallet_entry.user_id = key.user_id
  and wallet_entry.reference = key.reference;

select wallet_month.* from unnest($1::text[], $2::text[], $3::text[]) as key (app, user_id, month)
  join wallet_month on wallet_month.app = key.app and wallet_month.user_id = key.user_id and
  wallet_month.month = key.month order by wallet_month.app, wallet_month.user_id, wallet_month.month
  for update of wallet_month skip locked;

select wallet_month.app, wallet_month.user_id, wallet_month.month from unnest($1::text[],
  $2::text[], $3::text[]) as key (app, user_id, month) join wallet_month on wallet_month.app =
  key.app and wallet_month.user_id = key.user_id and wallet_month.month = key.month;

select wallet_topup.* from unnest($1::text[], $2::text[]) as key (app, user_id) join wallet_topup on
  wallet_topup.app = key.app and wallet_topup.user_id = key.user_id order by wallet_topup.app,
  wallet_topup.user_id for update of wallet_topup skip locked;

update attempt set price_version = row.price_version, cost = row.cost, basis = row.basis,
  estimate_reason = row.estimate_reason from (select unnest($1::text[]), unnest($2::bigint[]),
  unnest($3::text[]), unnest($4::bigint[]), unnest($5::text[]), unnest($6::text[])) as row (call_id,
  n, price_version, cost, basis, estimate_reason) where attempt.call_id = row.call_id and attempt.n
  = row.n;

update budget_day set admitted_cap = row.admitted_cap, spent = row.spent, held = row.held, estimated
  = row.estimated, overrun = row.overrun from (select unnest($1::text[]), unnest($2::text[]),
  unnest($3::bigint[]), unnest($4::bigint[]), unnest($5::bigint[]), unnest($6::bigint[]),
  unnest($7::bigint[])) as row (app, day, admitted_cap, spent, held, estimated, overrun) where
  budget_day.app = row.app and budget_day.day = row.day;

update budget_member set brought = row.brought, left_spent = row.left_spent from (select
  unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::bigint[]),
  unnest($5::bigint[])) as row (app, scope, period, brought, left_spent) where budget_member.app =
  row.app and budget_member.scope = row.scope and budget_member.period = row.period;

update budget_scope set admitted_cap = row.admitted_cap, brought = row.brought, spent = row.spent,
  held = row.held, estimated = row.estimated, overrun = row.overrun, would_refuse =
  row.would_refuse, would_refuse_amount = row.would_refuse_amount from (select unnest($1::text[]),
  unnest($2::text[]), unnest($3::bigint[]), unnest($4::bigint[]), unnest($5::bigint[]),
  unnest($6::bigint[]), unnest($7::bigint[]), unnest($8::bigint[]), unnest($9::bigint[]),
  unnest($10::bigint[])) as row (scope, period, admitted_cap, brought, spent, held, estimated,
  overrun, would_refuse, would_refuse_amount) where budget_scope.scope = row.scope and
  budget_scope.period = row.period;

update hold set budget_amount = row.budget_amount, extensions = row.extensions, scopes = row.scopes
  from (select unnest($1::text[]), unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::text[]))
  as row (call_id, budget_amount, extensions, scopes) where hold.call_id = row.call_id;

update idempotency set fingerprint = row.fingerprint, state = row.state, call_id = row.call_id,
  owner = row.owner, expires_at = row.expires_at, bad_outputs = row.bad_outputs, wallet_paid =
  row.wallet_paid from (select unnest($1::text[]), unnest($2::text[]), unnest($3::text[]),
  unnest($4::text[]), unnest($5::text[]), unnest($6::text[]), unnest($7::bigint[]),
  unnest($8::bigint[]), unnest($9::bigint[])) as row (app, key_hash, fingerprint, state, call_id,
  owner, expires_at, bad_outputs, wallet_paid) where idempotency.app = row.app and
  idempotency.key_hash = row.key_hash;

update unclaimed_payment set grant_held = row.grant_held, topup_held = row.topup_held, claimed_by =
  row.claimed_by from (select unnest($1::text[]), unnest($2::bigint[]), unnest($3::bigint[]),
  unnest($4::text[])) as row (call_id, grant_held, topup_held, claimed_by) where
  unclaimed_payment.call_id = row.call_id;

update wallet_month set spent_grant = row.spent_grant, spent_topup = row.spent_topup, held_grant =
  row.held_grant from (select unnest($1::text[]), unnest($2::text[]), unnest($3::text[]),
  unnest($4::bigint[]), unnest($5::bigint[]), unnest($6::bigint[])) as row (app, user_id, month,
  spent_grant, spent_topup, held_grant) where wallet_month.app = row.app and wallet_month.user_id =
  row.user_id and wallet_month.month = row.month;

update wallet_topup set added = row.added, spent = row.spent, held = row.held from (select
  unnest($1::text[]), unnest($2::text[]), unnest($3::bigint[]), unnest($4::bigint[]),
  unnest($5::bigint[])) as row (app, user_id, added, spent, held) where wallet_topup.app = row.app
  and wallet_topup.user_id = row.user_id;

with first as (update budget_day set admitted_cap = row.admitted_cap, spent = row.spent, held =
  row.held, estimated = row.estimated, overrun = row.overrun from (select unnest($1::text[]),
  unnest($2::text[]), unnest($3::bigint[]), unnest($4::bigint[]), unnest($5::bigint[]),
  unnest($6::bigint[]), unnest($7::bigint[])) as row (app, day, admitted_cap, spent, held,
  estimated, overrun) where budget_day.app = row.app and budget_day.day = row.day) update
  budget_scope set admitted_cap = row.admitted_cap, brought = row.brought, spent = row.spent, held =
  row.held, estimated = row.estimated, overrun = row.overrun, would_refuse = row.would_refuse,
  would_refuse_amount = row.would_refuse_amount from (select unnest($8::text[]), unnest($9::text[]),
  unnest($10::bigint[]), unnest($11::bigint[]), unnest($12::bigint[]), unnest($13::bigint[]),
  unnest($14::bigint[]), unnest($15::bigint[]), unnest($16::bigint[]), unnest($17::bigint[])) as row
  (scope, period, admitted_cap, brought, spent, held, estimated, overrun, would_refuse,
  would_refuse_amount) where budget_scope.scope = row.scope and budget_scope.period = row.period;
