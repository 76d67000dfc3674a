-- compatible from: 4
-- When a key was used last: noted now and then with the sign of life of a process, never by a
-- request. Versions before note nothing.

create table key_use (
  key_id text not null primary key,
  last_used_at bigint not null
);
