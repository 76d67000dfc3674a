import { smaller } from '@model-gateway/server/lib/money';

interface SpentCap {
  readonly capPicoUsd: bigint;
  readonly billedPicoUsd: bigint;
}

/** A budget with little spending proves nothing. */
const conclusivePercent = 95n;

export function isConclusive(caps: readonly SpentCap[]): boolean {
  const cap = sum(caps, ({ capPicoUsd }) => capPicoUsd);
  return cap > 0n && billedWithin(caps) * 100n >= cap * conclusivePercent;
}

export function billedWithin(caps: readonly SpentCap[]): bigint {
  return sum(caps, ({ billedPicoUsd, capPicoUsd }) => smaller(billedPicoUsd, capPicoUsd));
}

export function sum<T>(rows: readonly T[], amountOf: (row: T) => bigint): bigint {
  return rows.reduce((total, row) => total + amountOf(row), 0n);
}
