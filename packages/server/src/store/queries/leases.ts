import type { Statement } from '../port.ts';
import { upsert } from '../row-statement.ts';
import { leases } from '../service-tables.ts';

const takeLease = upsert(
  leases,
  'where lease.owner = excluded.owner or lease.expires_at <= $4 or lease.expires_at > $5',
);

/**
 * Takes a lease, or takes it on: it changes a row unless another process has it until later. One
 * that ends later than any could is from before the clock was set back, and binds no process.
 */
export function holdLease(name: string, holder: string, nowMs: number, leaseMs: number): Statement {
  const expiresAt = nowMs + leaseMs;
  return {
    sql: takeLease.sql,
    values: [...takeLease.bind({ name, holder, expiresAt }), nowMs, expiresAt],
  };
}

/** Gives a lease back, for another process to take at once. */
export function leaveLease(name: string, holder: string): Statement {
  return { sql: 'delete from lease where name = $1 and owner = $2', values: [name, holder] };
}
