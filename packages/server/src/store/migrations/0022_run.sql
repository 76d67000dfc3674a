-- compatible from: 4
-- Runs: keys of their own with a ceiling of their own, which an app makes for a time. Versions
-- before know none of it; none is made while an instance of one is alive.

create table run (
  app text not null,
  id text not null,
  key_hash text not null unique,
  -- The key that it was made with, whose plan it uses.
  parent_key_id text not null,
  max_cost bigint not null,
  -- The only models that it may ask, as JSON; null for those of its parent.
  models text,
  user_id text,
  label text,
  created_at bigint not null,
  expires_at bigint not null,
  -- When it was ended before that.
  ended_at bigint,
  primary key (app, id)
);

create index run_open on run (app, expires_at) where ended_at is null;

-- How many runs an app has made: its row is locked while it makes one more, so that those that are
-- open can be counted.
create table run_count (
  app text not null primary key,
  made bigint not null
);
