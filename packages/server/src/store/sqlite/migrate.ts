import type { DatabaseSync } from 'node:sqlite';
import { type Migration, pendingMigrations } from '../schema/migrations.ts';

const createTable = `
  create table if not exists schema_migration (
    version integer not null primary key,
    name text not null
  ) strict`;
const selectApplied = 'select * from schema_migration';
const insertMigration = 'insert into schema_migration (version, name) values (?1, ?2)';
const insertCompatible = `
  insert into schema_migration (version, name, compatible_from) values (?1, ?2, ?3)`;

/**
 * Forward only, under the write lock: all or nothing. Throws a StoreError when this service is too
 * old for the schema.
 */
export function migrateSqlite(database: DatabaseSync, migrations: readonly Migration[]) {
  // A step may change a table's text, which Node.js forbids by default.
  database.enableDefensive(false);
  database.exec('begin immediate');
  try {
    database.exec(createTable);
    const applied = database.prepare(selectApplied);
    applied.setReadBigInts(true);
    for (const migration of pendingMigrations(migrations, applied.all())) {
      database.exec(migration.sql);
      note(database, migration);
    }
    database.exec('commit');
  } catch (error) {
    // A full disk might already have ended the transaction.
    if (database.isTransaction) database.exec('rollback');
    throw error;
  } finally {
    database.enableDefensive(true);
  }
}

/** The first steps predate the column `compatible_from`. */
function note(database: DatabaseSync, { version, name, compatibleFrom }: Migration) {
  if (compatibleFrom === undefined) database.prepare(insertMigration).run(version, name);
  else database.prepare(insertCompatible).run(version, name, compatibleFrom);
}
