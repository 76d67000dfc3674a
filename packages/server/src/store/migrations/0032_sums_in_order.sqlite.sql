-- compatible from: 4
-- Sums lie in the order of their keys, each row once: half of what a row costs to write, and a month
-- of users is read in one go.

create table usage_split_in_order (
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
) without rowid;

insert into usage_split_in_order select * from usage_split;

drop table usage_split;

alter table usage_split_in_order rename to usage_split;

create table usage_user_month_in_order (
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
) without rowid;

insert into usage_user_month_in_order select * from usage_user_month;

drop table usage_user_month;

alter table usage_user_month_in_order rename to usage_user_month;
