-- compatible from: 4
-- Which apps a budget counts beside what its calls name: who became its member in the middle of a
-- period, and who has left it. A correction of a call finds its budgets here. Versions before
-- neither write nor read it: what they count is corrected by the calls' lists alone, as before.

create table budget_member (
  app text not null,
  scope text not null,
  period text not null,
  -- The days of the period: from the first one to the one before the end.
  first_day text not null,
  end_day text not null,
  -- What the app had spent in the period before its calls named the budget.
  brought bigint not null,
  -- What its calls had spent in the budget when it left; null for a member.
  left_spent bigint,
  primary key (app, scope, period)
);

-- The apps of each budget that apps share, "*" for all there are; an app's month has its own.
create table budget_app (
  scope text not null,
  span text not null,
  app text not null,
  -- 1 or 0: before the change that wrote the row, and since.
  was_member bigint not null,
  is_member bigint not null,
  primary key (scope, span, app)
);

create index budget_member_scope on budget_member (scope, period);
