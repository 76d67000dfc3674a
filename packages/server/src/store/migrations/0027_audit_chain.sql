-- compatible from: 4
-- Lines of the audit log are chained: each has its number, and a hash of itself and of the line
-- before it. Versions before write lines without: these stand beside the chain.

alter table audit_log add column seq bigint;
alter table audit_log add column kid text;
alter table audit_log add column hmac text;

create unique index audit_log_seq on audit_log (seq) where seq is not null;

-- The last line of the chain. It is locked after everything else. The first line of a store that
-- has no line is chained to the statement that none was before it.

create table audit_head (
  id bigint not null primary key,
  seq bigint not null,
  kid text not null,
  hmac text not null
);

insert into audit_head (id, seq, kid, hmac)
select 1, 0, '', case when exists (select 1 from audit_log) then '' else 'no line before' end;
