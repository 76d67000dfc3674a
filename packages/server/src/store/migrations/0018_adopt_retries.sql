-- compatible from: 4
-- Whether retries of an app without a key take up the call that they repeat.

alter table app add column adopt_retries bigint not null default 0;
