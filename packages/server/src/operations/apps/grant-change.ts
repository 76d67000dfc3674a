import type { AppSettings } from '../../domain/app.ts';
import { creditsIn } from '../../domain/registered-app.ts';
import { nextUtcMonthMs, utcDayOf, utcMonthOf } from '../../lib/clock.ts';
import { formatCredits } from '../../lib/money.ts';
import type { AppRow } from '../../store/queries/registry.ts';
import { countMonths } from '../../store/queries/wallet-history.ts';
import type { AdminContext } from '../context/context.ts';

/** Null where no grant changes. */
export async function grantChange(
  { store, clock }: Pick<AdminContext, 'store' | 'clock'>,
  row: Pick<AppRow, 'name' | 'credits' | 'earlierCredits'>,
  { credits: after }: Pick<Partial<AppSettings>, 'credits'>,
): Promise<string | null> {
  const nowMs = clock.now();
  const month = utcMonthOf(nowMs);
  const before = creditsIn(row, month);
  if (before === undefined || after === undefined) return null;
  const next = utcDayOf(nextUtcMonthMs(nowMs));
  const grant = `${formatCredits(after.monthlyGrantPicoUsd, after.picoUsdPerCredit)} credits`;
  if (before.picoUsdPerCredit !== after.picoUsdPerCredit) {
    return `The new grant of ${grant} and the new value of a credit start on ${next} for all users of ${row.name}.`;
  }
  if (before.monthlyGrantPicoUsd === after.monthlyGrantPicoUsd) return null;
  const users = await store.read(countMonths(row.name, month));
  return `Users of ${row.name} with calls in ${month} (${users}) keep their grant until ${next}. All other users get the new grant of ${grant} at once.`;
}
