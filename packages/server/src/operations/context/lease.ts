import { sleep } from '../../lib/clock.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { AdminError } from './admin-error.ts';
import type { AdminContext } from './context.ts';

/** Longer than the work. A dead process blocks others for this long. */
const leaseMs = 300_000;
const waitMsMax = 60_000;
const pollMs = 50;

/**
 * Only one process of the store does the work at a time. Waits up to a minute for another, then
 * throws an AdminError. Long work calls `renew` before each step; it throws an AdminError where
 * another process has the lease.
 */
export async function withLease<T>(
  context: AdminContext,
  name: string,
  work: (renew: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const holder = context.ids.next('lease');
  const { clock } = context;
  let expiresAt = await takeLease(context, name, holder);
  try {
    return await work(async () => {
      if (expiresAt - clock.now() > leaseMs / 2) return;
      const renewed = await write(context, { name, holder }, expiresAt);
      if (renewed === undefined)
        throw new AdminError(`another process took the lease ${name}; try again`);
      expiresAt = renewed;
    });
  } finally {
    await context.store.write([{ sql: sql.endLease, values: [name, holder] }]);
  }
}

async function takeLease(context: AdminContext, name: string, holder: string): Promise<number> {
  const { clock } = context;
  for (let waitedMs = 0; waitedMs <= waitMsMax; waitedMs += pollMs) {
    const taken = await write(context, { name, holder }, clock.now());
    if (taken !== undefined) return taken;
    await sleep(clock, pollMs);
  }
  throw new AdminError(
    `another process has held the lease ${name} for 1 minute; if that process was killed, wait ${leaseMs / 60_000} minutes and try again`,
  );
}

/** Acquires the lease only if it ends at `byMs` or before; returns the new end. */
async function write(
  { store, clock }: AdminContext,
  lease: { readonly name: string; readonly holder: string },
  byMs: number,
): Promise<number | undefined> {
  const expiresAt = clock.now() + leaseMs;
  const values = [...sql.takeLease.bind({ ...lease, expiresAt }), byMs];
  const [taken] = await store.write([{ sql: sql.takeLease.sql, values }]);
  return taken === 1 ? expiresAt : undefined;
}
