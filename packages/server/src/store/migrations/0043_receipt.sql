-- compatible from: 4
-- A user's wallet pays at most what it held at first, once for each idempotency key, and only for a
-- response that was received.

-- What the wallet held for a call; null where none did, and in rows of versions before.
alter table call add column wallet_held bigint;
