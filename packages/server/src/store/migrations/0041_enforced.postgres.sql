-- compatible from: 4
-- No row has an amount that the ledger's rules cannot make, whoever writes to the database. A table
-- whose rows break its rule keeps them: it gets no constraint, and the audit counts the rows. All
-- rows are counted before the first table is locked; `not valid` tests no row a second time.
-- Records of calls are too many to count under a lock: theirs holds for rows from now on.

do $$
declare
  tables text[];
begin
  select array_agg(name) into tables
    from (
      select 'budget_day' as name
       where not exists (
               select 1 from budget_day
                where not (
                  spent >= 0 and held >= 0 and estimated >= 0 and overrun >= 0))
       union all
      select 'budget_scope' as name
       where not exists (
               select 1 from budget_scope
                where not (
                  brought >= 0 and spent >= 0 and held >= 0 and estimated >= 0 and overrun >= 0 and pruned >= 0))
       union all
      select 'wallet_month' as name
       where not exists (
               select 1 from wallet_month
                where not (
                  spent_grant >= 0 and spent_topup >= 0 and held_grant >= 0))
       union all
      select 'wallet_topup' as name
       where not exists (
               select 1 from wallet_topup
                where not (
                  added >= 0 and spent >= 0 and held >= 0))
       union all
      select 'hold' as name
       where not exists (
               select 1 from hold
                where not (
                  grant_amount >= 0 and topup_amount >= 0 and budget_amount - grant_amount >= topup_amount))
       union all
      select 'call' as name) counted;
  if 'budget_day' = any (tables) then
    alter table budget_day add constraint budget_day_amounts check (
      spent >= 0 and held >= 0 and estimated >= 0 and overrun >= 0) not valid;
  end if;
  if 'budget_scope' = any (tables) then
    alter table budget_scope add constraint budget_scope_amounts check (
      brought >= 0 and spent >= 0 and held >= 0 and estimated >= 0 and overrun >= 0 and pruned >= 0) not valid;
  end if;
  if 'wallet_month' = any (tables) then
    alter table wallet_month add constraint wallet_month_amounts check (
      spent_grant >= 0 and spent_topup >= 0 and held_grant >= 0) not valid;
  end if;
  if 'wallet_topup' = any (tables) then
    alter table wallet_topup add constraint wallet_topup_amounts check (
      added >= 0 and spent >= 0 and held >= 0) not valid;
  end if;
  if 'hold' = any (tables) then
    alter table hold add constraint hold_amounts check (
      grant_amount >= 0 and topup_amount >= 0 and budget_amount - grant_amount >= topup_amount) not valid;
  end if;
  if 'call' = any (tables) then
    alter table call add constraint call_amounts check (
      cost >= 0 and estimated >= 0 and estimated <= cost and wallet_grant >= 0 and wallet_topup >= 0) not valid;
  end if;
end
$$;
