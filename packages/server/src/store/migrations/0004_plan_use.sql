-- What an API key has used of its plan: the requests of a UTC day, and when its bucket is full
-- again, in microseconds since 1970.

create table plan_use (
  key_id text not null primary key,
  full_at bigint not null,
  day text not null,
  used bigint not null
);

-- Never used by any version.
drop table quota_day;
