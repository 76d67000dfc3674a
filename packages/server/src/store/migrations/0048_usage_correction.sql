-- compatible from: 4
-- Signed: what corrections changed in calls of months that were over when they were made. Reports
-- have it on the day of the call, and a file of FOCUS in the month in which it was made. What an
-- instance of a version before corrects is not in it, and stays in the rows of its day.
create table usage_correction (
  made_day text not null,
  day text not null,
  app text not null,
  model text not null,
  platform text not null,
  calls bigint not null,
  errors bigint not null,
  cost bigint not null,
  estimated bigint not null,
  corrected bigint not null,
  unpriced bigint not null,
  primary key (made_day, day, app, model, platform)
);

create index usage_correction_day on usage_correction (day);
