-- compatible from: 4
-- What no call of a range of ids has cost more than, so that the dearest calls of months are found
-- without reading all of them. Calls before peaked_until are in it; null where none are. Versions
-- before neither write nor read it: their sums go on, and these follow.

create table call_peak (
  -- The first eleven characters of the ids: those of 17 minutes.
  bucket text not null,
  app text not null,
  model text not null,
  usage_model text not null,
  cost bigint not null,
  primary key (bucket, app, model, usage_model)
);

alter table rollup_state add column peaked_until text;
