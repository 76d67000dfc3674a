import type { Query, Statement } from '../port/port.ts';
import { text } from '../schema/columns.ts';
import { selectFrom, upsert } from '../schema/row-statement.ts';
import { type InstanceRow, instances } from '../schema/service-tables.ts';

export type { InstanceRow };

export const heartbeatMs = 2_000;

const putInstance = upsert(instances);

export function seen(instance: InstanceRow): Statement {
  return { sql: putInstance.sql, values: putInstance.bind(instance) };
}

export function selectIsNewer(schemaVersion: number): Query<boolean> {
  return {
    sql: 'select version from schema_migration where version > $1 limit 1',
    values: [schemaVersion],
    map: (rows) => rows.length > 0,
  };
}

/**
 * Matches its row if instances of this schema may run. Must come after any change that they do not
 * support.
 */
export function mayRun(schemaVersion: number): Statement {
  return {
    sql: `
      update schema_migration set name = name
       where version = $1
         and not exists (
               select 1 from schema_migration
                where version > $1 and coalesce(compatible_from, version) > $1)`,
    values: [schemaVersion],
    abortIfNoRows: true,
    locksBudgets: true,
  };
}

/**
 * Matches its row if every instance seen since then supports the schema. Prevents the startup of
 * older ones: a starting instance checks again after this, or is seen by it.
 */
export function shutOutOlder(schemaVersion: number, aliveSinceMs: number): Statement {
  return {
    sql: `
      update schema_migration set compatible_from = $1
       where version = $1
         and not exists (
               select 1 from owner where seen_at > $2 and coalesce(schema_version, 0) < $1)`,
    values: [schemaVersion, aliveSinceMs],
    abortIfNoRows: true,
    locksBudgets: true,
  };
}

export function selectOlder(schemaVersion: number, aliveSinceMs: number): Query<readonly string[]> {
  return {
    sql: `
      select id from owner
       where seen_at > $1 and coalesce(schema_version, 0) < $2
       order by id`,
    values: [aliveSinceMs, schemaVersion],
    map: (rows) => rows.map((row) => text(row, 'id')),
  };
}

export function deleteInstance(id: string): Statement {
  return { sql: 'delete from owner where id = $1', values: [id] };
}

/**
 * A single instance must not use the clock: after it is set back, dead instances would seem just
 * seen.
 */
export function deleteOtherInstances(id: string): Statement {
  return { sql: 'delete from owner where id <> $1', values: [id] };
}

export function selectInstances(sinceMs: number): Query<readonly InstanceRow[]> {
  return {
    sql: selectFrom(instances, 'owner where seen_at > $1 order by id'),
    values: [sinceMs],
    map: (rows) => rows.map(instances.read),
  };
}

export function shortHash(configHash: string): string {
  return configHash.slice(0, 12);
}
