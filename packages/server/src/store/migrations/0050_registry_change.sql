-- compatible from: 4
-- The rows that each revision changed: a service reads only these. Triggers write the lines: a
-- version before, and a statement by hand, write them too. A revision without lines makes every
-- service read all rows.
create table registry_change (
  revision bigint not null,
  kind text not null,
  id text not null,
  primary key (revision, kind, id)
);
-- The limit of keys of an app counts them in the transaction that adds one.
create index api_key_customer on api_key (customer_id);
