import assert from 'node:assert';
import { larger } from '../lib/money.ts';
import type { Book } from './book.ts';
import type { CallRecord, Hold, WalletMonth, WalletTopup } from './rows.ts';

export interface HeldWallet {
  readonly wallet: WalletMonth;
  readonly topup: WalletTopup;
}

export function walletHeldOf({ month, grantAmount, topupAmount }: Hold): bigint | undefined {
  return month === undefined ? undefined : grantAmount + topupAmount;
}

/**
 * A call's wallet pays at most its first reservation, whatever the platform reports later. Earlier
 * versions stored only the budget's, and at first none.
 */
export function walletMostOf(call: CallRecord): bigint {
  const { held, heldAtEnd, walletHeld, walletGrant, walletTopup } = call;
  return walletHeld ?? heldAtEnd ?? larger(held, walletGrant + walletTopup);
}

/** Undefined for an app without credits. Throws if the rows are missing. */
export function heldWalletOf(book: Book, hold: Hold): HeldWallet | undefined {
  if (hold.userId === undefined || hold.month === undefined) return undefined;
  const wallet = book.wallets.get(hold.app, hold.userId, hold.month);
  const topup = book.topups.get(hold.app, hold.userId);
  assert(wallet !== undefined && topup !== undefined, `no wallet row for call ${hold.callId}`);
  return { wallet, topup };
}
