-- compatible from: 4
-- Who may use the console: codes of links, sessions and tokens, each by the hash of its secret; and
-- of each line of the audit log in which role and by which of them. Versions before have none.

create table console_code (
  id text not null primary key,
  hash text not null,
  name text not null,
  role text not null,
  apps text,
  expires_at bigint not null
);

create table console_session (
  id text not null primary key,
  hash text not null,
  name text not null,
  role text not null,
  apps text,
  created_at bigint not null,
  seen_at bigint not null,
  expires_at bigint not null
);

create table admin_token (
  id text not null primary key,
  hash text not null,
  name text not null,
  role text not null,
  apps text,
  enabled bigint not null,
  created_at bigint not null,
  expires_at bigint not null
);

alter table audit_log add column via text;
