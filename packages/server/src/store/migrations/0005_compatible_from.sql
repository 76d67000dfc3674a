-- compatible from: 4
-- From here on each step says which schema the services must know that may still run on it.

alter table schema_migration add column compatible_from bigint;
