import { larger } from '@model-gateway/server/lib/money';
import type { Account, BilledCall, Books, ToldCall } from './books/books.ts';
import { sum } from './books/spent-caps.ts';

/** By bill or ledger, whichever is higher. */
export function overspendOf(
  account: Account,
  { billed, booked, told }: Pick<Books, 'billed' | 'booked' | 'told'>,
): bigint {
  if (account.isOverstated) return worstAdmission(account, billed, told);
  const above = (calls: readonly { readonly picoUsd: bigint }[]) =>
    larger(0n, sum(calls, ({ picoUsd }) => picoUsd) - account.capPicoUsd);
  return larger(above(billed), above(booked));
}

/** The highest excess of one admission, on top of all earlier bills. */
function worstAdmission(
  { capPicoUsd }: Account,
  billed: readonly BilledCall[],
  told: readonly ToldCall[],
): bigint {
  const mosts = new Map(told.map(({ label, mostPicoUsd }) => [label, mostPicoUsd]));
  let before = 0n;
  let worst = 0n;
  for (const { label, picoUsd } of billed) {
    worst = larger(worst, before + (mosts.get(label) ?? picoUsd) - capPicoUsd);
    before += picoUsd;
  }
  return worst;
}
