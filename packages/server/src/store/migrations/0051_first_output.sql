-- compatible from: 4
-- From a call's start to the first output that was sent to a caller, in milliseconds; null where it
-- was not streamed, sent none, or is of a version before.
alter table call add column first_ms bigint;
