import assert from 'node:assert';
import type { Book } from './book.ts';
import { endHold } from './end-hold.ts';
import { type HeldWallet, heldWalletOf, walletHeldOf } from './held-wallet.ts';
import { abandon } from './idempotency.ts';
import type { Expire, Outcome } from './operations.ts';
import type { Hold } from './rows.ts';
import { assertSameFacts } from './same-facts.ts';
import { noTokens } from './usage.ts';

/** The code of a call whose process died, unless it is settled later. */
export const lostCode = 'LOST';

/**
 * The platform might have billed the call, so the budget pays the reservation as an estimate,
 * unless the call certainly was never made. The user received nothing, so the wallet gets
 * everything back.
 */
export function expire(book: Book, operation: Expire): Outcome {
  const hold = book.holds.get(operation.callId);
  if (hold === undefined) return { kind: 'ended-before' };
  assertSameFacts(hold, operation);
  const budget = book.budgets.get(hold.app, hold.day);
  assert(budget !== undefined, `no budget row for the reservation of call ${hold.callId}`);
  const heldWallet = heldWalletOf(book, hold);

  const isUnsent = operation.isUnsent === true;
  const cost = isUnsent ? 0n : hold.budgetAmount;
  const ended = { held: hold.budgetAmount, cost, estimated: cost };
  const scopes = endHold(book, budget, hold.scopes, ended);
  if (heldWallet !== undefined) giveBack(book, hold, heldWallet);
  book.holds.end(hold);
  abandon(book, hold, operation.now);
  const { budgetAmount, grantAmount, topupAmount, extensions, expiresAt, ...facts } = hold;
  const record = {
    ...facts,
    code: isUnsent ? 'INTERNAL' : lostCode,
    tokens: noTokens,
    cost,
    estimated: cost,
    basis: isUnsent ? 'free' : 'expired',
    firstMs: undefined,
    estimateReason: cost === 0n ? undefined : 'lost',
    attempts: '[]',
    upstreamId: undefined,
    endedAt: operation.now,
    walletGrant: 0n,
    walletTopup: 0n,
    held: budgetAmount,
    heldAtEnd: budgetAmount,
    walletHeld: walletHeldOf(hold),
    scopes,
  } as const;
  book.calls.put(record);
  book.addUsage(record, undefined);
  return { kind: 'expired' };
}

function giveBack(book: Book, hold: Hold, { wallet, topup }: HeldWallet) {
  wallet.heldGrant -= hold.grantAmount;
  topup.held -= hold.topupAmount;
  book.wallets.put(wallet);
  book.topups.put(topup);
}
