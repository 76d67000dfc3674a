/** Decimal places of a USD amount that the unit, 1e-12 USD, can hold. */
const picoDigits = 12;

/** The largest amount that a 64-bit column can hold: about 9.2 million USD. */
export const picoUsdMax = 2n ** 63n - 1n;

/**
 * Reads an exact decimal such as `"0.15"` as an integer of 10^-digits.
 * Undefined when it is no plain non-negative decimal, or has more decimals than `digits`.
 */
export function parseDecimal(text: string, digits: number): bigint | undefined {
  const match = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text);
  if (match === null) return undefined;
  const fraction = (match[2] ?? '').replace(/(?<!0)0+$/, '');
  if (fraction.length > digits) return undefined;
  return BigInt((match[1] ?? '') + fraction.padEnd(digits, '0'));
}

/** Writes an integer of 10^-digits as an exact decimal without trailing zeros: `"0.000183"`. */
export function formatDecimal(amount: bigint, digits: number): string {
  const sign = amount < 0n ? '-' : '';
  const text = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, '0');
  const point = text.length - digits;
  let end = text.length;
  while (end > point && text.charAt(end - 1) === '0') end -= 1;
  const whole = sign + text.slice(0, point);
  return end === point ? whole : `${whole}.${text.slice(point, end)}`;
}

/** What an amount in USD is, after "must be". */
export const usdRule = 'a decimal amount in USD, such as "20" or "0.50"';

/** USD as pico-USD; undefined when it is no exact amount that fits a 64-bit column. */
export function parseUsd(usd: string): bigint | undefined {
  const amount = parseDecimal(usd, picoDigits);
  return amount === undefined || amount > picoUsdMax ? undefined : amount;
}

/** Pico-USD as an exact decimal string of USD. */
export function formatUsd(amountPicoUsd: bigint): string {
  return formatDecimal(amountPicoUsd, picoDigits);
}

/**
 * Pico-USD as exact decimal credits. The configuration allows a credit no prime factor but 2 and 5,
 * and a 64-bit number has fewer than 64 of them: 64 decimals are enough, and never rounded.
 */
export function formatCredits(amountPicoUsd: bigint, picoUsdPerCredit: bigint): string {
  return formatDecimal((amountPicoUsd * 10n ** 64n) / picoUsdPerCredit, 64);
}

/** Above it, the cost of one large call would not fit a 64-bit integer of pico-USD. */
export const rateUsdMax = 100_000;

/** The same as pico-USD per token. */
export const rateMax = BigInt(rateUsdMax) * 1_000_000n;

/** USD per million tokens, up to six decimals, as pico-USD per token. */
export function parseUsdPerMillion(usd: string): bigint | undefined {
  return parseDecimal(usd, 6);
}

/** Pico-USD per token as USD per million tokens. */
export function formatUsdPerMillion(picoUsdPerToken: bigint): string {
  return formatDecimal(picoUsdPerToken, 6);
}

/** The larger of two amounts. */
export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** The smaller of two amounts. */
export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
