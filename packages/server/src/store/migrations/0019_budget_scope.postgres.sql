-- What calls have taken of which cap, a row each: their lists, read. The period stands after the
-- last "@" of a key.

create view hold_scope as
select hold.call_id, hold.budget_amount as amount,
       substring(key.value from '^(.*)@') as scope, substring(key.value from '[^@]*$') as period
  from hold cross join json_array_elements_text(cast(hold.scopes as json)) as key (value)
 where hold.scopes is not null;

create view call_scope as
select call.call_id, call.day, call.cost, call.estimated,
       case when call.cost > call.held then call.cost - call.held else 0 end as overrun,
       substring(key.value from '^(.*)@') as scope, substring(key.value from '[^@]*$') as period
  from call cross join json_array_elements_text(cast(call.scopes as json)) as key (value)
 where call.scopes is not null;
