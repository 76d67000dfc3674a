-- compatible from: 4
-- What platforms bill, by project, day, model and kind of token, and which project was whose.
-- Versions before know none of it.

create table invoice_line (
  platform text not null,
  day text not null,
  -- As the platform names it; empty where it names none, as are the next ones.
  project text not null,
  app text not null,
  kind text not null,
  model text not null,
  token_type text not null,
  quantity bigint,
  -- In pico-USD: other currencies are refused.
  amount bigint not null,
  tolerance bigint not null,
  primary key (platform, day, project, app, kind, model, token_type)
);

create table invoice_day (
  platform text not null,
  day text not null,
  -- Of its lines: another one is another figure.
  figure_hash text not null,
  source_hash text not null,
  changed_at bigint not null,
  -- When it was read last.
  seen_at bigint not null,
  is_closed bigint not null,
  primary key (platform, day)
);

-- Files that were imported, by their content.
create table invoice_source (
  platform text not null,
  source_hash text not null,
  imported_at bigint not null,
  primary key (platform, source_hash)
);

create table project_history (
  app text not null,
  platform text not null,
  project_id text not null,
  since bigint not null,
  -- Null while it lasts.
  until bigint,
  primary key (app, platform, project_id, since)
);

insert into project_history (app, platform, project_id, since)
select app, platform, project_id, 0 from project_binding;
