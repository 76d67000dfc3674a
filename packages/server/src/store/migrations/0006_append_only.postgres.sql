-- compatible from: 4
-- The audit log only grows, whoever writes to the database.

create function audit_log_only_grows() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log only grows: no line of it can be changed or removed';
end
$$;

create trigger audit_log_keeps_lines before update or delete or truncate on audit_log
  for each statement execute function audit_log_only_grows();
