import { smaller } from '../lib/money.ts';
import type { Book } from './book.ts';
import type { CallFacts } from './rows.ts';

export interface Payment {
  readonly walletGrant: bigint;
  readonly walletTopup: bigint;
}

export const noPayment: Payment = { walletGrant: 0n, walletTopup: 0n };

export function payFromWallet(book: Book, facts: CallFacts, cost: bigint): Payment {
  if (facts.userId === undefined || facts.month === undefined || cost === 0n) return noPayment;
  const wallet = book.wallets.get(facts.app, facts.userId, facts.month);
  const topup = book.topups.get(facts.app, facts.userId);
  if (wallet === undefined || topup === undefined) return noPayment;
  const remainingGrant = wallet.granted - wallet.spentGrant - wallet.heldGrant;
  const walletGrant = smaller(cost, remainingGrant);
  const walletTopup = smaller(cost - walletGrant, topup.added - topup.spent - topup.held);
  wallet.spentGrant += walletGrant;
  wallet.spentTopup += walletTopup;
  topup.spent += walletTopup;
  book.wallets.put(wallet);
  book.topups.put(topup);
  return { walletGrant, walletTopup };
}
