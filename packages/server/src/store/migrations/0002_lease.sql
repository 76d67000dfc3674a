-- What only one process may do at a time. A lease ends with its work, or at its expiry.

create table lease (
  name text not null primary key,
  owner text not null,
  expires_at bigint not null
);
