import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A numbered step of the schema. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Every migration, in order, as PostgreSQL reads it. */
export function loadMigrations(): readonly Migration[] {
  const folder = fileURLToPath(new URL('./migrations/', import.meta.url));
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(5, -'.sql'.length),
      sql: readFileSync(`${folder}${file}`, 'utf8'),
    }));
}

/**
 * The same migration for SQLite. A strict table knows `integer` alone, which holds 64 bits there;
 * `without rowid` keeps one tree a table instead of two.
 */
export function forSqlite(sql: string): string {
  return sql
    .replaceAll(/\bbigint\b/g, 'integer')
    .replaceAll(/^\).*;$/gm, ') strict, without rowid;');
}
