import { picoUsdMax } from '../lib/money.ts';

/** In pico-USD. */
export interface Amount {
  readonly amount: bigint;
  /** Had more decimals than a pico-USD, and was rounded half up. */
  readonly isRounded: boolean;
  /** Half of its last written digit, rounded up. */
  readonly tolerance: bigint;
}

const decimal = /^([+-]?)(\d{1,40})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** An integer of 10^-digits, never through a float. Undefined for other text and above 64 bits. */
export function readAmount(text: string, digits: number): Amount | undefined {
  const match = decimal.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const magnitude = BigInt(whole + fraction);
  const shift = digits + Number(exponent) - fraction.length;
  // Rejects an exponent larger than any amount needs, which would only cost memory.
  if (Math.abs(shift) > 120) return magnitude === 0n ? nothing : undefined;
  const { amount, isRounded } = shifted(sign === '-' ? -magnitude : magnitude, shift);
  if (amount > picoUsdMax || -amount > picoUsdMax) return undefined;
  const unit = shift > 0 ? 10n ** BigInt(shift) : 1n;
  return { amount, isRounded, tolerance: (unit + 1n) / 2n };
}

const nothing: Amount = { amount: 0n, isRounded: false, tolerance: 0n };

function shifted(value: bigint, shift: number): Pick<Amount, 'amount' | 'isRounded'> {
  if (shift >= 0) return { amount: value * 10n ** BigInt(shift), isRounded: false };
  const divisor = 10n ** BigInt(-shift);
  return {
    amount: floorDivide(2n * value + divisor, 2n * divisor),
    isRounded: value % divisor !== 0n,
  };
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value < 0n && value % divisor !== 0n ? quotient - 1n : quotient;
}
