-- compatible from: 4
-- Attempts of calls that had more than one; the only attempt of a call is the call's own row. The
-- version before leaves none, and changes none: the audit knows what that looks like.

create table attempt (
  call_id text not null,
  n bigint not null,
  model text not null,
  usage_model text not null,
  price_version text,
  started_at bigint not null,
  took_ms bigint not null,
  outcome text not null,
  status bigint,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  cache_write_input_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  is_counted bigint not null,
  cost bigint not null,
  basis text not null,
  upstream_id text,
  primary key (call_id, n)
);
