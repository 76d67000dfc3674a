-- compatible from: 4
-- Where a call came from, which process and which platform had it, and what was held for it when it
-- ended. Null where that is not known: for calls of versions that did not note it.

alter table hold add column remote text;
alter table hold add column platform text;

alter table call add column remote text;
alter table call add column platform text;
alter table call add column owner text;
alter table call add column held_at_end bigint;

alter table attempt add column platform text;
