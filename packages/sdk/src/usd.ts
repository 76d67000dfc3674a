const decimal = /^(\d{1,40})(?:\.(\d{1,40}))?$/;

/** Whether a value is a decimal text, such as `"0.000183"`. */
export function isUsd(value: unknown): value is string {
  return typeof value === 'string' && decimal.test(value);
}

/** The exact sum of two decimal texts. */
export function addUsd(one: string, other: string): string {
  const scale = Math.max(scaleOf(one), scaleOf(other));
  const digits = `${unitsOf(one, scale) + unitsOf(other, scale)}`.padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Whether the first of two decimal texts is the larger, or they are equal. */
export function reachesUsd(one: string, other: string): boolean {
  const scale = Math.max(scaleOf(one), scaleOf(other));
  return unitsOf(one, scale) >= unitsOf(other, scale);
}

function scaleOf(text: string): number {
  return decimal.exec(text)?.[2]?.length ?? 0;
}

/** A decimal text as a whole number of the unit that has `scale` decimals. */
function unitsOf(text: string, scale: number): bigint {
  const [, whole = '0', fraction = ''] = decimal.exec(text) ?? [];
  return BigInt(whole + fraction.padEnd(scale, '0'));
}
