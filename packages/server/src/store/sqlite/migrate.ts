import type { DatabaseSync } from 'node:sqlite';
import { forSqlite, loadMigrations } from '../migrations.ts';
import { StoreError } from '../port.ts';

const createTable = `
  create table if not exists schema_migration (
    version integer not null primary key,
    name text not null
  ) strict`;
const selectVersion = 'select coalesce(max(version), 0) as version from schema_migration';
const insertMigration = 'insert into schema_migration (version, name) values (?1, ?2)';

/**
 * Brings the schema up to date, forward only, under the database's write lock. Throws a StoreError
 * when the file was written by a later version of the service.
 */
export function migrateSqlite(database: DatabaseSync) {
  const migrations = loadMigrations();
  const newest = migrations.at(-1)?.version ?? 0;
  database.exec('begin immediate');
  try {
    database.exec(createTable);
    const version = Number(database.prepare(selectVersion).get()?.version);
    if (version > newest) {
      throw new StoreError(
        `the store has schema ${version} and this model-gateway knows ${newest}: run a newer one`,
      );
    }
    for (const migration of migrations.filter((step) => step.version > version)) {
      database.exec(forSqlite(migration.sql));
      database.prepare(insertMigration).run(migration.version, migration.name);
    }
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}
