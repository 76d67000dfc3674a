-- compatible from: 4
-- Which store this is, and how far its service has come with it: a file beside an embedded store has
-- the same number, and an older one here says that this is an older store. `copied` is 1 in what was
-- made by a copy, until a service begins on it. A database server answers for itself: no row there.

create table store_epoch (
  id bigint not null primary key,
  store_id text not null,
  epoch bigint not null,
  copied bigint not null
);
