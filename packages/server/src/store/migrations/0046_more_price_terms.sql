-- compatible from: 4
-- Requests can name a tier: a price is then that of the tier, and calls in another one name it
-- behind the version. A price may have an amount for each request, and for each use of a tool.
alter table price add column tier text;
alter table price add column per_request bigint;
alter table price add column tool_uses text;
alter table attempt add column tool_uses text;
