const powerMax = 400;

/** Rounded up to pico-USD, from the number's digits. Undefined when invalid. */
export function costOf(value: unknown, power: number): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const match = /^(\d{1,400})(?:\.(\d{1,400}))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if (match === null) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent) + power;
  if (Math.abs(point) > powerMax) return undefined;
  if (point >= digits.length) return BigInt(digits.padEnd(point, '0'));
  const isMore = /[1-9]/.test(digits.slice(Math.max(point, 0)));
  return BigInt(digits.slice(0, Math.max(point, 0))) + (isMore ? 1n : 0n);
}
