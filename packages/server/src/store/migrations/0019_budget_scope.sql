-- compatible from: 4
-- Caps beside the app's own day. Until one is set, the version before runs on this schema as well;
-- after that it would end holds without them, so that none is set while one is alive.

create table budget_definition (
  -- app:NAME, group:NAME, key:LINEAGE, or users:APP for each user of an app.
  scope text not null,
  span text not null,
  cap bigint not null,
  mode text not null,
  visible bigint not null,
  -- The apps of a group, as JSON, or all; null for what is no group.
  members text,
  origin text not null,
  since bigint not null,
  primary key (scope, span)
);

-- Grows with every change of a definition: who reserves says which it knows.
create table budget_revision (
  id bigint not null primary key,
  value bigint not null
);

insert into budget_revision (id, value) values (1, 0);

create table budget_scope (
  scope text not null,
  period text not null,
  cap bigint not null,
  mode text not null,
  admitted_cap bigint,
  -- The part of what is spent that was spent before the budget was there.
  brought bigint not null,
  spent bigint not null,
  held bigint not null,
  estimated bigint not null,
  overrun bigint not null,
  -- The part of what is spent whose calls have no record any more.
  pruned bigint not null,
  would_refuse bigint not null,
  would_refuse_amount bigint not null,
  primary key (scope, period)
);

-- Whose rows of budget_scope a call takes of: a JSON array of SCOPE@PERIOD, or null for none.

alter table hold add column scopes text;

alter table call add column scopes text;

-- Null for a key that no other was rotated into: it is the first of its own.
alter table api_key add column lineage text;

alter table api_key add column models text;

alter table api_key add column expires_at bigint;

alter table api_key add column note text;

-- The newest schema that a process knows; null for those that do not say.
alter table owner add column schema_version bigint;
