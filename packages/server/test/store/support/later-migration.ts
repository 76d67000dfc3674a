import type { Migration } from '../../../src/store/schema/migrations.ts';

/** A step of a later version, that adds a table. */
export function later(parts: { version: number; compatibleFrom?: number }): Migration {
  const { version, compatibleFrom } = parts;
  const sql = 'create table later (id bigint not null primary key);';
  return { version, name: 'later', sql, compatibleFrom };
}
