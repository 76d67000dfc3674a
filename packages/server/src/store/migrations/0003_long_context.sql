-- Some platforms bill a call with a large input dearer, and all of it: null where none does.

alter table price add column long_context_from bigint;

alter table price add column long_context_input bigint;

alter table price add column long_context_cached_input bigint;

alter table price add column long_context_cache_write_input bigint;

alter table price add column long_context_output bigint;
