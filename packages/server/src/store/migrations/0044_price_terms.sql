-- compatible from: 4
-- A price may have several steps of input, of which the long context is the first, and factors of
-- tiers and regions: a call in another one than the requested names it behind the version.
alter table price add column further_steps text;
alter table price add column region text;
alter table price add column tiers text;
alter table price add column regions text;
