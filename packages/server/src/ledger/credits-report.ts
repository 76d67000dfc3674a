import type { CreditsAnswer } from '@model-gateway/contract';
import type { WalletMonth, WalletTopup } from '../books/rows.ts';
import type { CreditsConfig } from '../domain/credits.ts';
import { walletsClosedAt } from '../domain/restore.ts';
import { nextUtcMonthMs, utcMonthOf } from '../lib/clock.ts';
import { formatCredits } from '../lib/money.ts';
import type { Store } from '../store/port/port.ts';
import { selectTopup, selectWallet } from '../store/queries/ledger.ts';
import { selectRestore } from '../store/queries/restores.ts';
import { closedOf } from './scopes-report.ts';

/** With initial values for a month without a row. */
export interface WalletOwner {
  readonly app: string;
  readonly userId: string;
  readonly credits: CreditsConfig;
}

export interface Wallet {
  readonly month: WalletMonth;
  readonly topup: WalletTopup;
}

export async function creditsReport(
  store: Store,
  owner: WalletOwner,
  nowMs: number,
): Promise<CreditsAnswer> {
  const month = utcMonthOf(nowMs);
  const [wallet, restore] = await Promise.all([
    readWallet(store, owner, month),
    store.read(selectRestore),
  ]);
  return creditsAnswer(wallet, nowMs, restore && walletsClosedAt(restore, month));
}

export async function readWallet(
  store: Store,
  { app, userId, credits }: WalletOwner,
  month: string,
): Promise<Wallet> {
  const [known, topup] = await Promise.all([
    store.read(selectWallet(app, userId, month)),
    store.read(selectTopup(app, userId)),
  ]);
  const { monthlyGrantPicoUsd: granted, picoUsdPerCredit } = credits;
  const none = { spentGrant: 0n, spentTopup: 0n, heldGrant: 0n };
  return {
    month: known ?? { app, userId, month, granted, picoUsdPerCredit, ...none },
    topup: topup ?? { app, userId, added: 0n, spent: 0n, held: 0n },
  };
}

/** In credits; a closed wallet has nothing available. */
export function creditsAnswer(
  { month, topup }: Wallet,
  nowMs: number,
  closedAt?: number,
): CreditsAnswer {
  const { granted, picoUsdPerCredit: rate } = month;
  const spent = month.spentGrant + month.spentTopup;
  const held = month.heldGrant + topup.held;
  // The top-ups left now, plus those spent this month: those at the month's start and those added
  // since.
  const toppedUp = topup.added - topup.spent + month.spentTopup;
  const remaining = granted + toppedUp - spent - held;
  return {
    userId: month.userId,
    period: month.month,
    granted: formatCredits(granted, rate),
    toppedUp: formatCredits(toppedUp, rate),
    spent: formatCredits(spent, rate),
    held: formatCredits(held, rate),
    available: formatCredits(closedAt === undefined ? remaining : 0n, rate),
    resetsAt: new Date(nextUtcMonthMs(nowMs)).toISOString(),
    ...closedOf(closedAt),
  };
}
