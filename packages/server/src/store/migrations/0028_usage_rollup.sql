-- compatible from: 4
-- Sums of calls that are over, for reports. Versions before neither write nor read them: while an
-- instance of one is alive no further hour is closed, and what one of them puts right behind the
-- closed hours the audit finds (I15).

-- Up to which call ids. Changes of calls before closed_until are written into usage_late as well;
-- calls before rolled_until are in usage_split and usage_user_month. Without a row nothing is.
create table rollup_state (
  id bigint not null primary key,
  closed_until text not null,
  rolled_until text not null,
  -- Steps of prunes: who reads records in several steps sees that some went meanwhile.
  pruned_steps bigint not null
);

create table usage_split (
  day text not null,
  app text not null,
  model text not null,
  platform text not null,
  key_id text not null,
  calls bigint not null,
  errors bigint not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  cache_write_input_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  cache_write1h_input_tokens bigint not null,
  cost bigint not null,
  estimated bigint not null,
  corrected bigint not null,
  unpriced bigint not null,
  unpriced_calls bigint not null,
  primary key (day, app, model, platform, key_id)
);

create table usage_user_month (
  month text not null,
  app text not null,
  user_id text not null,
  calls bigint not null,
  errors bigint not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  cache_write_input_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  cache_write1h_input_tokens bigint not null,
  cost bigint not null,
  estimated bigint not null,
  corrected bigint not null,
  unpriced bigint not null,
  unpriced_calls bigint not null,
  primary key (month, app, user_id)
);

-- Signed: what changed of closed calls since their hour was closed.
create table usage_late (
  call_id text not null,
  day text not null,
  app text not null,
  model text not null,
  platform text not null,
  key_id text not null,
  user_id text not null,
  calls bigint not null,
  errors bigint not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  cache_write_input_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  cache_write1h_input_tokens bigint not null,
  cost bigint not null,
  estimated bigint not null,
  corrected bigint not null,
  unpriced bigint not null,
  unpriced_calls bigint not null,
  primary key (call_id, model, platform, key_id, user_id, app, day)
);

create index usage_late_day on usage_late (day);

-- What pruned calls came to: written as their records are deleted.
create table usage_pruned (
  day text not null,
  app text not null,
  user_id text not null,
  model text not null,
  platform text not null,
  key_id text not null,
  calls bigint not null,
  errors bigint not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  cache_write_input_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  cache_write1h_input_tokens bigint not null,
  cost bigint not null,
  estimated bigint not null,
  corrected bigint not null,
  unpriced bigint not null,
  unpriced_calls bigint not null,
  primary key (day, app, user_id, model, platform, key_id)
);
