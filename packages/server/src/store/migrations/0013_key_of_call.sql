-- compatible from: 4
-- The API key that made a call; null for calls of versions that did not note it.

alter table hold add column key_id text;

alter table call add column key_id text;
