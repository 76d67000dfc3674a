-- What calls have taken of which cap, a row each: their lists, read. The period stands after the
-- last "@" of a key: `rtrim` takes away all that is no "@" from the end.

create view hold_scope as
select hold.call_id, hold.budget_amount as amount,
       substr(rtrim(key.value, replace(key.value, '@', '')), 1,
              length(rtrim(key.value, replace(key.value, '@', ''))) - 1) as scope,
       substr(key.value, length(rtrim(key.value, replace(key.value, '@', ''))) + 1) as period
  from hold cross join json_each(hold.scopes) as key
 where hold.scopes is not null;

create view call_scope as
select call.call_id, call.day, call.cost, call.estimated,
       case when call.cost > call.held then call.cost - call.held else 0 end as overrun,
       substr(rtrim(key.value, replace(key.value, '@', '')), 1,
              length(rtrim(key.value, replace(key.value, '@', ''))) - 1) as scope,
       substr(key.value, length(rtrim(key.value, replace(key.value, '@', ''))) + 1) as period
  from call cross join json_each(call.scopes) as key
 where call.scopes is not null;
