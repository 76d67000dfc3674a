-- compatible from: 4
-- The records of calls before this UTC day were pruned; no row before the first prune.

create table prune_horizon (
  id bigint not null primary key,
  day text not null
);

-- What pruned calls took from a user's wallet: the audit adds it to the calls that are left.

create table pruned_wallet (
  app text not null,
  user_id text not null,
  month text not null,
  from_grant bigint not null,
  from_topup bigint not null,
  primary key (app, user_id, month)
);
