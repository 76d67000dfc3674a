-- Written once for both databases: SQLite reads bigint as integer, and makes each table strict.
-- Money is pico-USD, moments are milliseconds since 1970, days and months are UTC text.

create table revision (
  id bigint not null primary key,
  value bigint not null
);

insert into revision (id, value) values (1, 1);

create table app (
  name text not null primary key,
  origin text not null,
  enabled bigint not null,
  daily_budget bigint,
  models text,
  monthly_grant bigint,
  pico_usd_per_credit bigint,
  -- A new value of a credit holds from this month on; before it, these hold.
  credits_since text,
  grant_before bigint,
  pico_usd_per_credit_before bigint,
  require_priced bigint not null,
  store_answers bigint not null,
  project text,
  plans text,
  -- What the configuration file said last, so that only its changes are carried over.
  file_values text,
  created_at bigint not null
);

create table api_key (
  id text not null primary key,
  key_hash text not null unique,
  name text not null,
  customer_id text not null,
  enabled bigint not null,
  created_at bigint not null
);

create table project_binding (
  app text not null,
  platform text not null,
  project_id text not null,
  primary key (app, platform)
);

create table price (
  version text not null primary key,
  model text not null,
  input bigint not null,
  cached_input bigint not null,
  cache_write_input bigint not null,
  output bigint not null
);

create table budget_day (
  app text not null,
  day text not null,
  cap bigint,
  admitted_cap bigint,
  spent bigint not null,
  held bigint not null,
  estimated bigint not null,
  overrun bigint not null,
  primary key (app, day)
);

create table wallet_month (
  app text not null,
  user_id text not null,
  month text not null,
  granted bigint not null,
  pico_usd_per_credit bigint not null,
  spent_grant bigint not null,
  spent_topup bigint not null,
  held_grant bigint not null,
  primary key (app, user_id, month)
);

create table wallet_topup (
  app text not null,
  user_id text not null,
  added bigint not null,
  spent bigint not null,
  held bigint not null,
  primary key (app, user_id)
);

create table wallet_entry (
  app text not null,
  user_id text not null,
  reference text not null,
  amount bigint not null,
  at bigint not null,
  primary key (app, user_id, reference)
);

create table hold (
  call_id text not null primary key,
  app text not null,
  day text not null,
  month text,
  user_id text,
  route text not null,
  model text not null,
  usage_model text not null,
  price_version text,
  key_hash text,
  started_at bigint not null,
  budget_amount bigint not null,
  grant_amount bigint not null,
  topup_amount bigint not null,
  extensions bigint not null,
  owner text not null,
  expires_at bigint not null
);

create table call (
  call_id text not null primary key,
  app text not null,
  day text not null,
  month text,
  user_id text,
  route text not null,
  model text not null,
  usage_model text not null,
  price_version text,
  key_hash text,
  started_at bigint not null,
  code text not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  cache_write_input_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  cost bigint not null,
  estimated bigint not null,
  basis text not null,
  attempts text not null,
  upstream_id text,
  ended_at bigint not null,
  wallet_grant bigint not null,
  wallet_topup bigint not null,
  held bigint not null
);

create table usage_day (
  app text not null,
  day text not null,
  model text not null,
  calls bigint not null,
  errors bigint not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  cache_write_input_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  cost bigint not null,
  estimated bigint not null,
  unpriced_calls bigint not null,
  primary key (app, day, model)
);

-- A row changes once, within seconds: with room beside it PostgreSQL changes it in place.
create table idempotency (
  app text not null,
  key_hash text not null,
  fingerprint text not null,
  state text not null,
  call_id text not null,
  owner text not null,
  expires_at bigint not null,
  bad_outputs bigint not null,
  primary key (app, key_hash)
) with (fillfactor = 50);

-- Apart from the keys, so that long bodies never swell the rows that every call reads.
create table answer (
  call_id text not null primary key,
  app text not null,
  key_hash text not null,
  status bigint not null,
  body text not null,
  at bigint not null
);

create table owner (
  id text not null primary key,
  seen_at bigint not null,
  config_hash text not null
);

create table quota_day (
  key_id text not null,
  day text not null,
  used bigint not null,
  primary key (key_id, day)
);

create table audit_log (
  id text not null primary key,
  at bigint not null,
  actor text not null,
  action text not null,
  subject text not null,
  before_value text,
  after_value text
);
