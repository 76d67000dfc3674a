-- compatible from: 4
-- No row has an amount that the ledger's rules cannot make, whoever writes to the database. SQLite
-- adds no constraint to a table that is there, and copying each table would take long: the text of
-- the table is changed instead, which moves no row (https://sqlite.org/lang_altertable.html#otherwise).
-- A table whose rows break its rule keeps them: it gets no constraint, and the audit counts the
-- rows. Records of calls get none where there are so many that counting them takes long.

pragma writable_schema = on;

update sqlite_schema
   set sql = substr(sql, 1, length(rtrim(sql, replace(sql, ')', ''))) - 1)
             || ', constraint budget_day_amounts check (
      spent >= 0 and held >= 0 and estimated >= 0 and overrun >= 0))'
             || substr(sql, length(rtrim(sql, replace(sql, ')', ''))) + 1)
 where type = 'table' and name = 'budget_day'
   and not exists (
         select 1 from budget_day
          where not (
            spent >= 0 and held >= 0 and estimated >= 0 and overrun >= 0));

update sqlite_schema
   set sql = substr(sql, 1, length(rtrim(sql, replace(sql, ')', ''))) - 1)
             || ', constraint budget_scope_amounts check (
      brought >= 0 and spent >= 0 and held >= 0 and estimated >= 0 and overrun >= 0 and pruned >= 0))'
             || substr(sql, length(rtrim(sql, replace(sql, ')', ''))) + 1)
 where type = 'table' and name = 'budget_scope'
   and not exists (
         select 1 from budget_scope
          where not (
            brought >= 0 and spent >= 0 and held >= 0 and estimated >= 0 and overrun >= 0 and pruned >= 0));

update sqlite_schema
   set sql = substr(sql, 1, length(rtrim(sql, replace(sql, ')', ''))) - 1)
             || ', constraint wallet_month_amounts check (
      spent_grant >= 0 and spent_topup >= 0 and held_grant >= 0))'
             || substr(sql, length(rtrim(sql, replace(sql, ')', ''))) + 1)
 where type = 'table' and name = 'wallet_month'
   and not exists (
         select 1 from wallet_month
          where not (
            spent_grant >= 0 and spent_topup >= 0 and held_grant >= 0));

update sqlite_schema
   set sql = substr(sql, 1, length(rtrim(sql, replace(sql, ')', ''))) - 1)
             || ', constraint wallet_topup_amounts check (
      added >= 0 and spent >= 0 and held >= 0))'
             || substr(sql, length(rtrim(sql, replace(sql, ')', ''))) + 1)
 where type = 'table' and name = 'wallet_topup'
   and not exists (
         select 1 from wallet_topup
          where not (
            added >= 0 and spent >= 0 and held >= 0));

update sqlite_schema
   set sql = substr(sql, 1, length(rtrim(sql, replace(sql, ')', ''))) - 1)
             || ', constraint hold_amounts check (
      grant_amount >= 0 and topup_amount >= 0 and budget_amount - grant_amount >= topup_amount))'
             || substr(sql, length(rtrim(sql, replace(sql, ')', ''))) + 1)
 where type = 'table' and name = 'hold'
   and not exists (
         select 1 from hold
          where not (
            grant_amount >= 0 and topup_amount >= 0 and budget_amount - grant_amount >= topup_amount));

update sqlite_schema
   set sql = substr(sql, 1, length(rtrim(sql, replace(sql, ')', ''))) - 1)
             || ', constraint call_amounts check (
      cost >= 0 and estimated >= 0 and estimated <= cost and wallet_grant >= 0 and wallet_topup >= 0))'
             || substr(sql, length(rtrim(sql, replace(sql, ')', ''))) + 1)
 where type = 'table' and name = 'call'
   and not exists (select 1 from call limit 1 offset 1000000)
   and not exists (
         select 1 from call
          where not (
            cost >= 0 and estimated >= 0 and estimated <= cost and wallet_grant >= 0 and wallet_topup >= 0));

pragma writable_schema = reset;
