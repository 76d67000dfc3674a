import { sleep } from '../lib/clock.ts';
import * as sql from '../store/queries/operator-statements.ts';
import { AdminError } from './admin-error.ts';
import type { AdminContext } from './context.ts';

/** Longer than the work that it is for; a process that died keeps others away for so long. */
const leaseMs = 300_000;
const waitMsMax = 60_000;
const pollMs = 50;

/**
 * Does work that no other process of this store does at the same time. It waits for another's to
 * end, for a minute at most, and throws an AdminError when that goes on.
 */
export async function withLease<T>(
  context: AdminContext,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const holder = context.ids.next('lease');
  await takeLease(context, name, holder);
  try {
    return await work();
  } finally {
    await context.store.write([{ sql: sql.endLease, values: [name, holder] }]);
  }
}

async function takeLease(context: AdminContext, name: string, holder: string): Promise<void> {
  const { store, clock } = context;
  for (let waitedMs = 0; waitedMs <= waitMsMax; waitedMs += pollMs) {
    const nowMs = clock.now();
    const lease = sql.takeLease.bind({ name, holder, expiresAt: nowMs + leaseMs });
    const [taken] = await store.write([{ sql: sql.takeLease.sql, values: [...lease, nowMs] }]);
    if (taken === 1) return;
    await sleep(clock, pollMs);
  }
  throw new AdminError(
    `another process has held ${name} for a minute; if it was killed, wait ${leaseMs / 60_000} minutes and try again`,
  );
}
