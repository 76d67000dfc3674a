-- compatible from: 4
-- A user's wallet pays at most what it held at first, once for each idempotency key, and only for a
-- response that was received.

-- What the wallet held for a call; null where none did, and in rows of versions before.
alter table call add column wallet_held bigint;

-- What wallets have paid for the calls under a key.
alter table idempotency add column wallet_paid bigint not null default 0;

-- What a wallet holds for a result that is stored for a retry without a key, until one takes it up
-- and pays, or its time is over.
create table unclaimed_payment (
  call_id text not null primary key,
  app text not null,
  day text not null,
  user_id text not null,
  month text not null,
  grant_held bigint not null,
  topup_held bigint not null,
  cost bigint not null,
  expires_at bigint not null,
  -- The call that the retry would have been; null until one comes.
  claimed_by text,
  constraint unclaimed_payment_amounts check (grant_held >= 0 and topup_held >= 0 and cost >= 0)
);
