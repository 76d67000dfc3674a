const decimal = /^(\d{1,40})(?:\.(\d{1,40}))?$/;

/** Whether a value is a decimal text, such as `"0.000183"`. */
export function isUsd(value: unknown): value is string {
  return typeof value === 'string' && decimal.test(value);
}

/**
 * The exact sum of amounts in the gateway's format: `addUsd('0.1', '0.2')` is `"0.3"`.
 * @throws TypeError for any value but decimal text, such as a number.
 */
export function addUsd(...amounts: readonly string[]): string {
  const scale = Math.max(0, ...amounts.map(scaleOf));
  const sum = amounts.reduce((total, usd) => total + unitsOf(usd, scale), 0n);
  return write(sum, scale);
}

/** The exact difference of two decimal texts; one below 0 has a `-` somewhere and no meaning. */
export function subtractUsd(one: string, other: string): string {
  const scale = Math.max(scaleOf(one), scaleOf(other));
  return write(unitsOf(one, scale) - unitsOf(other, scale), scale);
}

function write(sum: bigint, scale: number): string {
  const digits = `${sum}`.padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Whether the first of two decimal texts is larger than or equal to the second. */
export function reachesUsd(one: string, other: string): boolean {
  return !subtractUsd(one, other).includes('-');
}

function scaleOf(text: string): number {
  return decimal.exec(text)?.[2]?.length ?? 0;
}

/** A decimal text as a whole number of units with `scale` decimals. */
function unitsOf(text: string, scale: number): bigint {
  const [, whole = '', fraction = ''] = (isUsd(text) && decimal.exec(text)) || [];
  if (whole === '') throw new TypeError(`addUsd: ${text} must be a decimal string, such as "0.05"`);
  return BigInt(whole + fraction.padEnd(scale, '0'));
}
