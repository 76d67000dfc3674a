-- compatible from: 4
-- What was changed of a subject, and of a call's record.

create index audit_log_subject on audit_log (subject, id);
create index audit_log_call on audit_log (call_id, id) where call_id is not null;
