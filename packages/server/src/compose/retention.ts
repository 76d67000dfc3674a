import { every, utcDayOf, utcMonthOf } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { AdminContext } from '../operations/context/context.ts';
import { withLease } from '../operations/context/lease.ts';
import { pruneDays } from '../operations/days/prune.ts';

const hourMs = 3_600_000;
const dayMs = 86_400_000;

/**
 * Prunes hourly as `days prune` does: only months that ended over a day ago, one replica at a time.
 * Does nothing without a retention.
 */
export function startRetention(
  admin: AdminContext,
  { retentionDays }: { readonly retentionDays?: number },
  log: Log,
): { stop(): Promise<void> } | undefined {
  if (retentionDays === undefined) return undefined;
  const retentionMs = retentionDays * dayMs;
  return every(admin.clock, hourMs, prune, (error) =>
    log.error({ error: String(error) }, 'pruning old records failed; will retry'),
  );

  async function prune() {
    const nowMs = admin.clock.now();
    const firstRetainedDay = utcDayOf(nowMs - retentionMs);
    const latest = `${utcMonthOf(nowMs - dayMs)}-01`;
    const before = firstRetainedDay < latest ? firstRetainedDay : latest;
    const pruned = await withLease(admin, 'days prune', () => pruneDays(admin, { before }));
    if (pruned.calls > 0) log.info(pruned, 'old records pruned');
  }
}
