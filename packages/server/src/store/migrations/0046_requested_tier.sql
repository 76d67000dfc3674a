-- compatible from: 4
-- Requests can name a tier: a price is then that of the tier, and calls in another one name it
-- behind the version.
alter table price add column tier text;
