-- compatible from: 4
-- Why a part of a cost is an estimate; null where none is, and of rows of versions that did not note
-- it.

alter table call add column estimate_reason text;
alter table attempt add column estimate_reason text;
