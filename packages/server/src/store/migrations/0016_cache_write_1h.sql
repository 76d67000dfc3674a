-- compatible from: 4
-- Input that a platform keeps in its cache for an hour: counts of calls and their attempts, null for
-- nothing, and its price, null where it cannot be asked for.

alter table call add column cache_write1h_input_tokens bigint;
alter table attempt add column cache_write1h_input_tokens bigint;
alter table price add column cache_write1h_input bigint;
alter table price add column long_context_cache_write1h_input bigint;
