-- compatible from: 4
-- Output tokens of a compatible request that states no limit; null as the configuration says.

alter table app add column default_max_tokens bigint;
