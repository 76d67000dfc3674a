import { every, utcDayOf } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { AdminContext } from '../operations/context/context.ts';
import { withLease } from '../operations/context/lease.ts';
import { eraseLease } from '../operations/users/erase-user.ts';
import { eraseClosed, openErasures } from '../operations/users/erasures.ts';

const checkIntervalMs = 300_000;
/** This long after midnight, only calls that an erasure waits for settle on the day before. */
const restMs = 3_600_000;

/**
 * Runs after each day's end and each startup, on one replica at a time. While no erasure is open,
 * it reads only one small table.
 */
export function startErasures(admin: AdminContext, log: Log): { stop(): Promise<void> } {
  let doneDay = '';
  return every(admin.clock, checkIntervalMs, eraseIfDue, (error) =>
    log.error({ error: String(error) }, 'user erasure failed; will retry'),
  );

  async function eraseIfDue() {
    const day = utcDayOf(admin.clock.now() - restMs);
    if (day === doneDay || (await openErasures(admin)).length === 0) return;
    await withLease(admin, eraseLease, async () => {
      let isWaiting = false;
      for (const erasure of await openErasures(admin)) {
        const result = await eraseClosed(admin, erasure);
        isWaiting ||= result.isWaiting;
        const { app, pseudonym } = erasure;
        if (result.isDone) log.info({ app, pseudonym }, 'user erased');
      }
      if (!isWaiting) doneDay = day;
    });
  }
}
