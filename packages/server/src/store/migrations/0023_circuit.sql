-- compatible from: 4
-- Circuits that are not closed, by process: an outage is one for all of them. Versions before tell
-- nobody of it, and leave it alone.

create table open_circuit (
  owner text not null,
  platform text not null,
  model text not null,
  since bigint not null,
  primary key (owner, platform, model)
);

-- What was told of a day or a month.
create index alert_event_period on alert_event (period);
