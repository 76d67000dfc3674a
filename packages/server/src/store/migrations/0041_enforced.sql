-- compatible from: 4
-- A sample of rejected calls, with the amounts that each was decided on, so that the audit verifies
-- them. Each process writes at most ten for an app and a minute, never a call. Versions before
-- write none. A row names no user: a user's budget is `users:APP`.

create table rejection (
  id text not null primary key,
  at bigint not null,
  app text not null,
  code text not null,
  -- The budget that had the least left: app:NAME of a day is the app's own day; null for a wallet.
  scope text,
  period text,
  -- Null where the end is the column's own, and for a wallet.
  cap bigint,
  -- Null for a wallet, which has an amount left.
  spent bigint,
  held bigint not null,
  amount_left bigint not null,
  needed bigint not null,
  -- 1 for a model without a price, which is rejected once nothing is left.
  is_unpriced bigint not null
);

create index rejection_by_time on rejection (at);
