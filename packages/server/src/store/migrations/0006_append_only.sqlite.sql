-- compatible from: 4
-- The audit log only grows, whoever writes to the database.

create trigger audit_log_keeps_lines before update on audit_log
begin
  select raise(abort, 'the audit log only grows: no line of it can be changed');
end;

create trigger audit_log_keeps_all_lines before delete on audit_log
begin
  select raise(abort, 'the audit log only grows: no line of it can be removed');
end;

-- "insert or replace" removes a line without a delete that a trigger would see.
create trigger audit_log_keeps_ids before insert on audit_log
when exists (select 1 from audit_log where id = new.id)
begin
  select raise(abort, 'the audit log only grows: no line of it can be replaced');
end;
