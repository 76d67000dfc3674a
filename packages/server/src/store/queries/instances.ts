import { int, text } from '../columns.ts';
import type { Query, Statement } from '../port.ts';

/** How often a process says that it lives. */
export const heartbeatMs = 2_000;

/** A process that holds money; `owner` is its table's name in released schemas. */
export interface InstanceRow {
  readonly id: string;
  readonly seenAt: number;
  readonly configHash: string;
}

/** Says that an instance lives, and with which configuration. */
export function seen(instance: InstanceRow): Statement {
  return {
    sql: `
      insert into owner (id, seen_at, config_hash)
      values ($1, $2, $3)
      on conflict (id) do update
        set seen_at = excluded.seen_at, config_hash = excluded.config_hash`,
    values: [instance.id, instance.seenAt, instance.configHash],
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
    sql: 'select id, seen_at, config_hash from owner where seen_at > $1 order by id',
    values: [sinceMs],
    map: (rows) =>
      rows.map((row) => ({
        id: text(row, 'id'),
        seenAt: int(row, 'seen_at'),
        configHash: text(row, 'config_hash'),
      })),
  };
}

/** As much of a configuration's hash as is compared by eye. */
export function shortHash(configHash: string): string {
  return configHash.slice(0, 12);
}
