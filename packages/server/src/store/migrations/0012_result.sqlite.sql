-- compatible from: 4
-- What calls came to that left something under their idempotency key, in the form of the dialect
-- that replays it. The key itself says "unstored": a version that does not know of this table then
-- refuses it, and never makes the call again.

create table result (
  call_id text not null primary key,
  app text not null,
  key_hash text not null,
  dialect text not null,
  encoder_version integer not null,
  body text not null,
  at integer not null
) strict;
