-- compatible from: 4
-- The prices in force by model, in words: where they change, the audit log has a line.
create table price_book (
  model text not null primary key,
  prices text not null
);
