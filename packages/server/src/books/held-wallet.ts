import assert from 'node:assert';
import type { Book } from './book.ts';
import type { Hold, WalletMonth, WalletTopup } from './rows.ts';

/** The rows of the wallet that a hold has an amount in. */
export interface HeldWallet {
  readonly wallet: WalletMonth;
  readonly topup: WalletTopup;
}

/** Undefined for a hold of an app that meters no credits. Throws where the rows are gone. */
export function heldWalletOf(book: Book, hold: Hold): HeldWallet | undefined {
  if (hold.userId === undefined || hold.month === undefined) return undefined;
  const wallet = book.wallets.get(hold.app, hold.userId, hold.month);
  const topup = book.topups.get(hold.app, hold.userId);
  assert(wallet !== undefined && topup !== undefined, `no wallet row for call ${hold.callId}`);
  return { wallet, topup };
}
