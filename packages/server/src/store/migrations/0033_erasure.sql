-- compatible from: 4
-- Users whose name is forgotten. Versions before know nothing of it: they forget none, and leave
-- what was forgotten as it is.

create table user_erasure (
  app text not null,
  -- What stands in the place of the name.
  pseudonym text not null,
  -- The name, while a part of it stays until its month is over; null once it is forgotten.
  user_id text,
  -- The UTC month in which it was asked for: later ones are another matter.
  through text not null,
  asked_at bigint not null,
  done_at bigint,
  primary key (app, pseudonym)
);
