delete from hold where call_id = $1;

delete from idempotency where app = $1 and key_hash = $2;

delete from unclaimed_payment where call_id = $1;

insert into attempt (call_id, n, model, usage_model, price_version, platform, started_at, took_ms,
  outcome, status, input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens,
  reasoning_tokens, cache_write1h_input_tokens, tool_uses, token_parts, is_counted, cost, basis,
  estimate_reason, upstream_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
  $15, $16, $17, $18, $19, $20, $21, $22, $23);

insert into call (call_id, app, day, month, user_id, route, model, usage_model, price_version,
  key_hash, key_id, remote, trace, platform, started_at, code, input_tokens, cached_input_tokens,
  cache_write_input_tokens, output_tokens, reasoning_tokens, cache_write1h_input_tokens, cost,
  estimated, basis, estimate_reason, attempts, upstream_id, ended_at, first_ms, wallet_grant,
  wallet_topup, held, held_at_end, wallet_held, owner, scopes) values ($1, $2, $3, $4, $5, $6, $7,
  $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27,
  $28, $29, $30, $31, $32, $33, $34, $35, $36, $37);

insert into call (call_id, app, day, route, model, usage_model, price_version, key_id, remote,
  trace, platform, started_at, code, input_tokens, cached_input_tokens, cache_write_input_tokens,
  output_tokens, reasoning_tokens, cache_write1h_input_tokens, cost, estimated, basis,
  estimate_reason, attempts, upstream_id, ended_at, first_ms, wallet_grant, wallet_topup, held,
  held_at_end, owner) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
  $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32);

insert into hold (call_id, app, day, month, user_id, route, model, usage_model, price_version,
  key_hash, key_id, remote, trace, platform, started_at, budget_amount, grant_amount, topup_amount,
  extensions, owner, expires_at, scopes) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
  $13, $14, $15, $16, $17, $18, $19, $20, $21, $22);

insert into hold (call_id, app, day, route, model, usage_model, price_version, key_id, remote,
  trace, platform, started_at, budget_amount, grant_amount, topup_amount, extensions, owner,
  expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
  $18);

insert into idempotency (app, key_hash, fingerprint, state, call_id, owner, expires_at, bad_outputs,
  wallet_paid) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (app, key_hash) do update set
  fingerprint = excluded.fingerprint, state = excluded.state, call_id = excluded.call_id, owner =
  excluded.owner, expires_at = excluded.expires_at, bad_outputs = excluded.bad_outputs, wallet_paid
  = excluded.wallet_paid;

insert into result (call_id, app, key_hash, dialect, encoder_version, body, at) values ($1, $2, $3,
  $4, $5, $6, $7);

insert into unclaimed_payment (call_id, app, day, user_id, month, grant_held, topup_held, cost,
  expires_at, claimed_by) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

insert into usage_correction (made_day, day, app, model, platform, calls, errors, cost, estimated,
  corrected, unpriced) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (made_day,
  day, app, model, platform) do update set calls = calls + excluded.calls, errors = errors +
  excluded.errors, cost = cost + excluded.cost, estimated = estimated + excluded.estimated,
  corrected = corrected + excluded.corrected, unpriced = unpriced + excluded.unpriced;

insert into usage_day (app, day, model, calls, errors, input_tokens, cached_input_tokens,
  cache_write_input_tokens, output_tokens, reasoning_tokens, cost, estimated, unpriced_calls) values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict (app, day, model) do update
  set calls = calls + excluded.calls, errors = errors + excluded.errors, input_tokens = input_tokens
  + excluded.input_tokens, cached_input_tokens = cached_input_tokens + excluded.cached_input_tokens,
  cache_write_input_tokens = cache_write_input_tokens + excluded.cache_write_input_tokens,
  output_tokens = output_tokens + excluded.output_tokens, reasoning_tokens = reasoning_tokens +
  excluded.reasoning_tokens, cost = cost + excluded.cost, estimated = estimated +
  excluded.estimated, unpriced_calls = unpriced_calls + excluded.unpriced_calls;

insert into usage_late (call_id, day, app, model, platform, key_id, user_id, calls, errors,
  input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens, reasoning_tokens,
  cache_write1h_input_tokens, cost, estimated, corrected, unpriced, unpriced_calls) values ($1, $2,
  $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) on conflict
  (call_id, model, platform, key_id, user_id, app, day) do update set calls = calls +
  excluded.calls, errors = errors + excluded.errors, input_tokens = input_tokens +
  excluded.input_tokens, cached_input_tokens = cached_input_tokens + excluded.cached_input_tokens,
  cache_write_input_tokens = cache_write_input_tokens + excluded.cache_write_input_tokens,
  output_tokens = output_tokens + excluded.output_tokens, reasoning_tokens = reasoning_tokens +
  excluded.reasoning_tokens, cache_write1h_input_tokens = cache_write1h_input_tokens +
  excluded.cache_write1h_input_tokens, cost = cost + excluded.cost, estimated = estimated +
  excluded.estimated, corrected = corrected + excluded.corrected, unpriced = unpriced +
  excluded.unpriced, unpriced_calls = unpriced_calls + excluded.unpriced_calls;

insert into wallet_entry (app, user_id, reference, amount, at) values ($1, $2, $3, $4, $5);

insert or ignore into budget_day (app, day, cap, admitted_cap, spent, held, estimated, overrun)
  select name, $2, daily_budget, null, 0, 0, 0, 0 from app where name = $1;

insert or ignore into budget_scope (scope, period, cap, mode, admitted_cap, brought, spent, held,
  estimated, overrun, pruned, would_refuse, would_refuse_amount) values ($1, $2, $3, $4, null, 0, 0,
  0, 0, 0, 0, 0, 0);

insert or ignore into wallet_month (app, user_id, month, granted, pico_usd_per_credit, spent_grant,
  spent_topup, held_grant) values ($1, $2, $3, $4, $5, 0, 0, 0);

insert or ignore into wallet_topup (app, user_id, added, spent, held) values ($1, $2, 0, 0, 0);

insert or replace into answer (call_id, app, key_hash, status, body, at) values ($1, $2, $3, $4, $5,
  $6);

insert or replace into call (call_id, app, day, month, user_id, route, model, usage_model,
  price_version, key_hash, key_id, remote, trace, platform, started_at, code, input_tokens,
  cached_input_tokens, cache_write_input_tokens, output_tokens, reasoning_tokens,
  cache_write1h_input_tokens, cost, estimated, basis, estimate_reason, attempts, upstream_id,
  ended_at, first_ms, wallet_grant, wallet_topup, held, held_at_end, wallet_held, owner, scopes)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
  $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37);

select app, day, cap, admitted_cap, spent, held, estimated, overrun from budget_day where app = $1
  and day = $2;

select app, key_hash, fingerprint, state, call_id, owner, expires_at, bad_outputs, wallet_paid from
  json_each($2) as wanted cross join idempotency on idempotency.app = $1 and idempotency.key_hash =
  wanted.value;

select app, scope, period, first_day, end_day, brought, left_spent from budget_member where app = $1
  and first_day <= $2 and end_day > $2;

select app, user_id, added, spent, held from wallet_topup where app = $1 and user_id = $2;

select app, user_id, month, granted, pico_usd_per_credit, spent_grant, spent_topup, held_grant from
  wallet_month where app = $1 and user_id = $2 and month = $3;

select app, user_id, reference, amount, at from wallet_entry where app = $1 and user_id = $2 and
  reference = $3;

select attempt.* from json_each($1) as wanted cross join attempt on attempt.call_id = wanted.value
  order by attempt.call_id, attempt.n;

select call.* from json_each($1) as wanted cross join call on call.call_id = wanted.value;

select call_id, app, day, month, user_id, route, model, usage_model, price_version, key_hash,
  key_id, remote, trace, platform, started_at, budget_amount, grant_amount, topup_amount,
  extensions, owner, expires_at, scopes from json_each($1) as wanted cross join hold on hold.call_id
  = wanted.value;

select call_id, app, day, user_id, month, grant_held, topup_held, cost, expires_at, claimed_by from
  json_each($1) as wanted cross join unclaimed_payment on call_id = wanted.value;

select closed_until from rollup_state where id = 1;

select id from owner;

select scope, period, cap, mode, admitted_cap, brought, spent, held, estimated, overrun, pruned,
  would_refuse, would_refuse_amount from budget_scope where scope = $1 and period = $2;

select value from budget_revision where id = 1;

update attempt set price_version = $1, cost = $2, basis = $3, estimate_reason = $4 where call_id =
  $5 and n = $6;

update budget_day set admitted_cap = $1, spent = $2, held = $3, estimated = $4, overrun = $5 where
  app = $6 and day = $7;

update budget_member set brought = $1, left_spent = $2 where app = $3 and scope = $4 and period = $5;

update budget_scope set admitted_cap = $1, brought = $2, spent = $3, held = $4, estimated = $5,
  overrun = $6, would_refuse = $7, would_refuse_amount = $8 where scope = $9 and period = $10;

update hold set budget_amount = $1, extensions = $2, scopes = $3 where call_id = $4;

update unclaimed_payment set grant_held = $1, topup_held = $2, claimed_by = $3 where call_id = $4;

update wallet_month set spent_grant = $1, spent_topup = $2, held_grant = $3 where app = $4 and
  user_id = $5 and month = $6;

update wallet_topup set added = $1, spent = $2, held = $3 where app = $4 and user_id = $5;
