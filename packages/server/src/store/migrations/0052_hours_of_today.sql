-- compatible from: 4
-- What Today shows of a day's hours: errors of each, and when a daily budget was used up. Written
-- aside from calls. Versions before write neither: their marks have no errors.

alter table usage_mark add column errors bigint not null default 0;

-- Since when a day's spending is at or above its cap; no row once the cap is above it again.
create table budget_used_up (
  day text not null,
  app text not null,
  since bigint not null,
  primary key (day, app)
);
