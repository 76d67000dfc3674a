import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../port/port.ts';

/** Primary result codes: a damaged file, and not a database. */
const damagedCode = 11;
const notDatabaseCode = 26;

export const damageCure = 'stop the service, keep a copy of its files, and restore a backup';
const damaged = 'the file is damaged';

/** Includes a remedy for a damaged or foreign file. */
export function sqliteText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  switch (sqliteCodeOf(error)) {
    case damagedCode:
      return `${damaged} (${text}); ${damageCure}`;
    case notDatabaseCode:
      return 'the file is not a SQLite database, or its header is damaged; restore a backup, or correct "store" in the configuration';
    default:
      return text;
  }
}

export function isDamage(error: unknown): error is StoreError {
  return error instanceof StoreError && error.message.startsWith(damaged);
}

export function noStore(path: string): StoreError {
  return new StoreError(`no store exists at ${path}; check "store" in the configuration`);
}

/** The primary code; undefined for other errors. */
export function sqliteCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

const selectTables = "select name from sqlite_schema where type = 'table'";

/** Throws a StoreError for another program's database, before changing it. */
export function assertOwnDatabase(database: DatabaseSync): void {
  const tables = database.prepare(selectTables).all();
  if (tables.length === 0 || tables.some(({ name }) => name === 'schema_migration')) return;
  throw new StoreError(
    'the file is the database of another program; correct "store" in the configuration',
  );
}
