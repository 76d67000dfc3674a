import assert from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type SqlRow, type Store, StoreError } from '../port/port.ts';
import { int } from './columns.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /**
   * The oldest schema whose services also run on this one. Undefined for the first steps, which no
   * earlier service supported.
   */
  readonly compatibleFrom: number | undefined;
}

/** A file for one database, `0006_name.sqlite.sql`, adds to the common file or replaces it. */
export function loadMigrations(kind: Store['kind']): readonly Migration[] {
  const folder = fileURLToPath(new URL('../migrations/', import.meta.url));
  const parts = readdirSync(folder).flatMap((file) => {
    if (!file.endsWith('.sql')) return [];
    const [, number = '', name = '', of] = fileName.exec(file) ?? [];
    assert(number !== '', `${file} is not a migration name such as 0001_name.sql`);
    if (of !== undefined && of !== kind) return [];
    const text = readFileSync(`${folder}${file}`, 'utf8');
    const sql = of === undefined && kind === 'sqlite' ? forSqlite(text) : text;
    return [{ number, name, isShared: of === undefined, sql }];
  });
  return [...Map.groupBy(parts, ({ number }) => number)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([number, files]) => joined(number, files));
}

const fileName = /^(\d{4})_(\w+?)(?:\.(sqlite|postgres))?\.sql$/;
const compatibleLine = /^-- compatible from: (\d+)$/m;

interface Part {
  readonly name: string;
  readonly isShared: boolean;
  readonly sql: string;
}

/** The common part is first, because an addition may need it. */
function joined(number: string, parts: readonly Part[]): Migration {
  const names = [...new Set(parts.map(({ name }) => name))];
  const [name = ''] = names;
  assert(names.length === 1, `two migrations have the number ${number}: ${names.join(' and ')}`);
  const ordered = parts.toSorted((a, b) => Number(b.isShared) - Number(a.isShared));
  const sql = ordered.map((part) => part.sql).join('\n');
  const [, from] = compatibleLine.exec(sql) ?? [];
  const compatibleFrom = from === undefined ? undefined : Number(from);
  return { version: Number(number), name, sql, compatibleFrom };
}

export function newestSchema(kind: Store['kind']): number {
  return loadMigrations(kind).at(-1)?.version ?? 0;
}

/**
 * `applied`: rows of `schema_migration`. A store may have later steps, so the previous version can
 * run during an upgrade. Throws a StoreError if a later step excludes this service.
 */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly SqlRow[],
): readonly Migration[] {
  const newest = known.at(-1)?.version ?? 0;
  const version = Math.max(0, ...applied.map((row) => int(row, 'version')));
  const isCompatible = applied.every((row) => {
    if (int(row, 'version') <= newest) return true;
    // A step without this column excludes all earlier services.
    return typeof row.compatible_from === 'bigint' && row.compatible_from <= BigInt(newest);
  });
  if (!isCompatible) {
    throw new StoreError(
      `the store has schema ${version}, but this model-gateway supports up to ${newest}; run a newer version`,
    );
  }
  return known.filter((step) => step.version > version);
}

/**
 * A strict table supports only `integer`, which has 64 bits there; `without rowid` stores one tree
 * per table instead of two.
 */
function forSqlite(sql: string): string {
  return sql
    .replaceAll(/\bbigint\b/g, 'integer')
    .replaceAll(/^\).*;$/gm, ') strict, without rowid;');
}
