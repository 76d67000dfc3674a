import { text } from '../columns.ts';
import type { Query, Statement } from '../port.ts';
import { selectFrom, upsert } from '../row-statement.ts';
import { type InstanceRow, instances } from '../service-tables.ts';

export type { InstanceRow };

/** How often a process says that it lives. */
export const heartbeatMs = 2_000;

const putInstance = upsert(instances);

/** Says that an instance lives, and with which configuration. */
export function seen(instance: InstanceRow): Statement {
  return { sql: putInstance.sql, values: putInstance.bind(instance) };
}

/** Whether the store has steps of its schema that are newer than one. */
export function selectIsNewer(schemaVersion: number): Query<boolean> {
  return {
    sql: 'select version from schema_migration where version > $1 limit 1',
    values: [schemaVersion],
    map: (rows) => rows.length > 0,
  };
}

/**
 * Finds its row where instances that know a schema may run on the store. It comes after whatever
 * is just being made that they know nothing of.
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
 * Finds its row where every instance that was seen since a moment knows a schema, and lets none
 * start from now on that does not: one that is starting looks again after it, or is seen by it.
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

/** The ids of those that do not. */
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

/** Says that an instance has stopped. */
export function gone(id: string): Statement {
  return { sql: 'delete from owner where id = $1', values: [id] };
}

/**
 * Forgets every instance but one. An instance that has the store for itself knows that the others
 * are gone, and must not ask the clock: after it was set back, they would seem to have been seen
 * just now.
 */
export function forgetOthers(id: string): Statement {
  return { sql: 'delete from owner where id <> $1', values: [id] };
}

/** Instances that were seen since a moment. */
export function selectInstances(sinceMs: number): Query<readonly InstanceRow[]> {
  return {
    sql: selectFrom(instances, 'owner where seen_at > $1 order by id'),
    values: [sinceMs],
    map: (rows) => rows.map(instances.read),
  };
}

/** As much of a configuration's hash as is compared by eye. */
export function shortHash(configHash: string): string {
  return configHash.slice(0, 12);
}
