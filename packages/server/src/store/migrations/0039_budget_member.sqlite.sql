-- A row of this view is a budget that a hold is held in: to add or delete one changes its list.

create trigger hold_scope_added instead of insert on hold_scope begin
  update hold
     set scopes = json_insert(coalesce(scopes, '[]'), '$[#]', new.scope || '@' || new.period)
   where call_id = new.call_id;
end;

create trigger hold_scope_deleted instead of delete on hold_scope begin
  update hold
     set scopes = (
           select case when count(*) > 0 then json_group_array(key.value) end
             from json_each(hold.scopes) as key
            where key.value <> old.scope || '@' || old.period)
   where call_id = old.call_id;
end;

insert into budget_member (app, scope, period, first_day, end_day, brought)
select substr(scope, length('app:') + 1), scope, period, period || '-01',
       date(period || '-01', '+1 month'), brought
  from budget_scope
 where brought <> 0 and substr(scope, 1, length('app:')) = 'app:';
