/** The unit is 1e-12 USD. */
const picoDigits = 12;

/** The largest amount in a 64-bit column: about 9.2 million USD. */
export const picoUsdMax = 2n ** 63n - 1n;

/** An integer of 10^-digits. Undefined for a sign, an exponent or more than `digits` decimals. */
export function parseDecimal(text: string, digits: number): bigint | undefined {
  const match = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text);
  if (match === null) return undefined;
  const fraction = (match[2] ?? '').replace(/(?<!0)0+$/, '');
  if (fraction.length > digits) return undefined;
  return BigInt((match[1] ?? '') + fraction.padEnd(digits, '0'));
}

/** Exact, without trailing zeros: `"0.000183"`. */
export function formatDecimal(amount: bigint, digits: number): string {
  const sign = amount < 0n ? '-' : '';
  const text = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, '0');
  const point = text.length - digits;
  let end = text.length;
  while (end > point && text.charAt(end - 1) === '0') end -= 1;
  const whole = sign + text.slice(0, point);
  return end === point ? whole : `${whole}.${text.slice(point, end)}`;
}

export const usdRule = 'a decimal amount in USD, such as "20" or "0.50"';

/** Undefined unless exact and within a 64-bit column. */
export function parseUsd(usd: string): bigint | undefined {
  const amount = parseDecimal(usd, picoDigits);
  return amount === undefined || amount > picoUsdMax ? undefined : amount;
}

export function formatUsd(amountPicoUsd: bigint): string {
  return formatDecimal(amountPicoUsd, picoDigits);
}

/**
 * Exact: a credit has only the prime factors 2 and 5, fewer than 64 of them, so 64 decimals never
 * round.
 */
export function formatCredits(amountPicoUsd: bigint, picoUsdPerCredit: bigint): string {
  return formatDecimal((amountPicoUsd * 10n ** 64n) / picoUsdPerCredit, 64);
}

/** With a higher rate, one large call's cost would not fit 64 bits of pico-USD. */
export const rateUsdMax = 100_000;

/** Pico-USD per token. */
export const rateMax = BigInt(rateUsdMax) * 1_000_000n;

/** Accepts up to six decimals. */
export function parseUsdPerMillion(usd: string): bigint | undefined {
  return parseDecimal(usd, 6);
}

export function formatUsdPerMillion(picoUsdPerToken: bigint): string {
  return formatDecimal(picoUsdPerToken, 6);
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
