-- A row of this view is a budget that a hold is held in: to add or delete one changes its list.

create function add_hold_scope() returns trigger language plpgsql as $$
begin
  update hold
     set scopes = case
           when scopes is null then '[' || to_json(new.scope || '@' || new.period) || ']'
           else left(scopes, -1) || ',' || to_json(new.scope || '@' || new.period) || ']'
         end
   where call_id = new.call_id;
  return new;
end $$;

create function delete_hold_scope() returns trigger language plpgsql as $$
begin
  update hold
     set scopes = (
           select '[' || string_agg(cast(to_json(key.value) as text), ',' order by key.place) || ']'
             from json_array_elements_text(cast(hold.scopes as json))
                  with ordinality as key (value, place)
            where key.value <> old.scope || '@' || old.period)
   where call_id = old.call_id;
  return old;
end $$;

create trigger hold_scope_added instead of insert on hold_scope
  for each row execute function add_hold_scope();

create trigger hold_scope_deleted instead of delete on hold_scope
  for each row execute function delete_hold_scope();

insert into budget_member (app, scope, period, first_day, end_day, brought)
select substr(scope, length('app:') + 1), scope, period, period || '-01',
       to_char(to_date(period || '-01', 'YYYY-MM-DD') + interval '1 month', 'YYYY-MM-DD'), brought
  from budget_scope
 where brought <> 0 and substr(scope, 1, length('app:')) = 'app:';
