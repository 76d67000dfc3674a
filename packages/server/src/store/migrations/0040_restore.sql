-- compatible from: 4
-- When the store was last put back from a backup, and what operators have opened since: from then
-- on, budgets of periods that contain that time are closed. Versions before know none of it and
-- refuse nothing by it; none starts once a restore is recorded.

create table store_restore (
  id bigint not null primary key,
  restored_at bigint not null,
  -- When an operator opened all budgets, or the wallets; null while they are closed.
  budgets_opened_at bigint,
  wallets_opened_at bigint
);

-- A single budget that an operator has opened since: app:NAME, group:NAME, key:LINEAGE, users:APP.
create table opened_budget (
  scope text not null primary key,
  opened_at bigint not null
);
