-- compatible from: 4
-- Where the request of a call stands in its caller's trace; null where it is in none.

alter table hold add column trace text;
alter table call add column trace text;
