import type { CreditsAnswer } from '@model-gateway/contract';
import type { CreditsConfig } from '../domain/credits.ts';
import { nextUtcMonthMs, utcMonthOf } from '../lib/clock.ts';
import { formatCredits } from '../lib/money.ts';
import type { Store } from '../store/port.ts';
import { selectTopup, selectWallet } from '../store/queries/ledger.ts';

/** The document of `GET /v1/credits/{userId}`; a user never seen has the full grant. */
export async function creditsReport(
  store: Store,
  wallet: { readonly app: string; readonly userId: string; readonly credits: CreditsConfig },
  nowMs: number,
): Promise<CreditsAnswer> {
  const { app, userId, credits } = wallet;
  const period = utcMonthOf(nowMs);
  const [month, topup] = await Promise.all([
    store.read(selectWallet(app, userId, period)),
    store.read(selectTopup(app, userId)),
  ]);
  const granted = month?.granted ?? credits.monthlyGrantPicoUsd;
  const rate = month?.picoUsdPerCredit ?? credits.picoUsdPerCredit;
  const spentTopup = month?.spentTopup ?? 0n;
  const spent = (month?.spentGrant ?? 0n) + spentTopup;
  const held = (month?.heldGrant ?? 0n) + (topup?.held ?? 0n);
  // What is left of the top-ups, and what this month took of them: what it began with and got.
  const toppedUp = (topup?.added ?? 0n) - (topup?.spent ?? 0n) + spentTopup;
  return {
    userId,
    period,
    granted: formatCredits(granted, rate),
    toppedUp: formatCredits(toppedUp, rate),
    spent: formatCredits(spent, rate),
    held: formatCredits(held, rate),
    available: formatCredits(granted + toppedUp - spent - held, rate),
    resetsAt: new Date(nextUtcMonthMs(nowMs)).toISOString(),
  };
}
