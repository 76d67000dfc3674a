import { utcDayOf } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { selectNewestDay } from '../../store/queries/newest-day.ts';
import type { AdminContext } from '../context/context.ts';

const dayMs = 86_400_000;

/**
 * A clock that is days off opens the budgets of a wrong day. Only for SQLite: replicas on
 * PostgreSQL use the database's clock.
 */
export async function warnOfClock(
  { store, clock }: Pick<AdminContext, 'store' | 'clock'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  if (store.kind !== 'sqlite') return;
  const newestDay = await store.read(selectNewestDay);
  if (newestDay === undefined) return;
  const today = utcDayOf(clock.now());
  const days = Math.round((Date.parse(today) - Date.parse(newestDay)) / dayMs);
  if (days < 0) {
    log.warn(
      { newestDay, today },
      'the system clock is behind the newest record in the store; check the clock, because its date determines the current budget period',
    );
  } else if (days >= 2) {
    log.warn(
      { newestDay, today },
      'the newest record in the store is at least 2 days old; unless the service was stopped or idle since then, check the system clock',
    );
  }
}
