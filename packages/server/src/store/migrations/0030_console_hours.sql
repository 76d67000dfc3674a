-- compatible from: 4
-- What is looked at and is in no record: which requests were refused, and how far a day had come at
-- each of its hours. Each instance writes both now and then, never a request. Versions before write
-- neither.

create table refusal_hour (
  -- When the hour began.
  hour bigint not null,
  app text not null,
  code text not null,
  refused bigint not null,
  last_at bigint not null,
  last_message text,
  last_request_id text,
  primary key (hour, app, code)
);

-- What an app's day had come to when an hour of it began; 24 is its end.
create table usage_mark (
  day text not null,
  hour bigint not null,
  app text not null,
  calls bigint not null,
  cost bigint not null,
  primary key (day, hour, app)
);
