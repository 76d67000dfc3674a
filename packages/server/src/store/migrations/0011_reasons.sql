-- compatible from: 4
-- Why an operator changed something, by which reference, and of which call's record it is.

alter table audit_log add column reason text;
alter table audit_log add column reference text;
alter table audit_log add column call_id text;

-- Under one reference a subject is changed once. Wallets have entries for that, and no line here.

create unique index audit_log_reference on audit_log (action, subject, reference)
 where reference is not null;

-- 1 for a key that the first start printed; null for every other.

alter table api_key add column is_sample bigint;
