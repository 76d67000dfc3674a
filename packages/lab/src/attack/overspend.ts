import { larger } from '@model-gateway/server/lib/money';
import type { Account, BilledCall, Books, CallResult } from './books/books.ts';
import { sum } from './books/spent-caps.ts';

/** By bill or ledger, whichever is higher. */
export function overspendOf(
  account: Account,
  { billed, booked, callResults }: Pick<Books, 'billed' | 'booked' | 'callResults'>,
): bigint {
  if (account.isOverstated) return worstAdmission(account, billed, callResults);
  const above = (calls: readonly { readonly picoUsd: bigint }[]) =>
    larger(0n, sum(calls, ({ picoUsd }) => picoUsd) - account.capPicoUsd);
  return larger(above(billed), above(booked));
}

/** The highest excess of one admission, in addition to all earlier bills. */
function worstAdmission(
  { capPicoUsd }: Account,
  billed: readonly BilledCall[],
  callResults: readonly CallResult[],
): bigint {
  const mosts = new Map(
    callResults.map(({ label, maximumCostPicoUsd }) => [label, maximumCostPicoUsd]),
  );
  let before = 0n;
  let worst = 0n;
  for (const { label, picoUsd } of billed) {
    worst = larger(worst, before + (mosts.get(label) ?? picoUsd) - capPicoUsd);
    before += picoUsd;
  }
  return worst;
}
