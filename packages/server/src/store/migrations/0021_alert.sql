-- compatible from: 4
-- What operators are told, and how far each hook has been told of it. Versions before know nothing
-- of it and leave it alone.

create table alert_event (
  id text not null primary key,
  type text not null,
  subject text not null,
  period text not null,
  mark text not null,
  at bigint not null,
  -- What the body is made of, as JSON.
  body text not null,
  unique (type, subject, period, mark)
);

create index alert_event_at on alert_event (at);

create table alert_delivery (
  event text not null,
  hook text not null,
  attempts bigint not null,
  next_at bigint not null,
  -- waiting, delivered or dead.
  status text not null,
  last_error text,
  primary key (event, hook)
);

create index alert_delivery_waiting on alert_delivery (hook, next_at) where status = 'waiting';

-- Hooks that have answered 410; of the entry with this digest alone.
create table alert_hook_gone (
  hook text not null primary key,
  digest text not null,
  at bigint not null
);

-- What makes pseudonyms of users, the same on every replica.
create table pseudonym_key (
  id bigint not null primary key,
  secret text not null
);
