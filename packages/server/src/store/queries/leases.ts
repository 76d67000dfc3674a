import type { Statement } from '../port/port.ts';
import { upsert } from '../schema/row-statement.ts';
import { leases } from '../schema/service-tables.ts';

const takeLease = upsert(
  leases,
  'where lease.owner = excluded.owner or lease.expires_at <= $4 or lease.expires_at > $5',
);

/**
 * Changes a row unless another process holds it longer. An impossibly late end was written before
 * the clock was set back, and has no effect.
 */
export function holdLease(name: string, holder: string, nowMs: number, leaseMs: number): Statement {
  const expiresAt = nowMs + leaseMs;
  return {
    sql: takeLease.sql,
    values: [...takeLease.bind({ name, holder, expiresAt }), nowMs, expiresAt],
  };
}

/** Another process may acquire it at once. */
export function leaveLease(name: string, holder: string): Statement {
  return { sql: 'delete from lease where name = $1 and owner = $2', values: [name, holder] };
}
