-- compatible from: 4
-- A key is at a random place of its tree, and was written there twice with all that is known of it.
-- Now an index alone has it there, once, and rows lie in the order they came in: what a commit
-- writes lies together. An answer of more than a quarter of a page needs no pages of its own.

create table idempotency_in_order (
  app text not null,
  key_hash text not null,
  fingerprint text not null,
  state text not null,
  call_id text not null,
  owner text not null,
  expires_at integer not null,
  bad_outputs integer not null,
  primary key (app, key_hash)
) strict;

insert into idempotency_in_order select * from idempotency order by call_id;

drop table idempotency;

alter table idempotency_in_order rename to idempotency;

create table answer_in_order (
  call_id text not null primary key,
  app text not null,
  key_hash text not null,
  status integer not null,
  body text not null,
  at integer not null
) strict;

insert into answer_in_order select * from answer order by call_id;

drop table answer;

alter table answer_in_order rename to answer;
