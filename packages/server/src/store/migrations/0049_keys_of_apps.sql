-- compatible from: 4
-- The rate of all keys of an app together, as a number with decimals, and how many keys may work.
alter table app add column rate_per_second text;
alter table app add column keys_max bigint;
-- Who has disabled a key, and in which role: null where that is unknown.
alter table api_key add column disabled_by text;
alter table api_key add column disabled_role text;
