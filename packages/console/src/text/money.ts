// Money is the ledger's exact decimal text: nothing here is a float.

/** Cut to cents, never rounded: `$1,234.56`, `<$0.01`, `-$0.50`. */
export function cutUsd(text: string): string {
  const { sign, whole, fraction } = partsOf(text);
  const cents = fraction.slice(0, 2).padEnd(2, '0');
  const isNone = /^0*$/.test(whole) && cents === '00';
  if (isNone && /[1-9]/.test(fraction)) return `${sign === '-' ? '-' : ''}<$0.01`;
  return `${sign}$${grouped(whole)}.${cents}`;
}

/** `$1,234.567891` */
export function exactUsd(text: string): string {
  const { sign, whole, fraction } = partsOf(text);
  return `${sign}$${grouped(whole)}${fraction === '' ? '' : `.${fraction}`}`;
}

export function differenceUsd(one: string, other: string): string {
  return textOf(unitsOf(one) - unitsOf(other));
}

/** In percent, cut; `–` of nothing. */
export function shareOf(part: string, whole: string): string {
  const all = unitsOf(whole);
  if (all === 0n) return '–';
  const percent = (unitsOf(part) * 100n) / all;
  return percent === 0n && unitsOf(part) > 0n ? '<1 %' : `${percent} %`;
}

const places = 12;

function unitsOf(text: string): bigint {
  const { sign, whole, fraction } = partsOf(text);
  const units = BigInt(`${whole}${fraction.slice(0, places).padEnd(places, '0')}`);
  return sign === '-' ? -units : units;
}

function textOf(units: bigint): string {
  const size = units < 0n ? -units : units;
  const digits = size.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/(?<!0)0+$/, '');
  const text = `${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`;
  return units < 0n ? `-${text}` : text;
}

function partsOf(text: string) {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return { sign, whole, fraction };
}

function grouped(whole: string): string {
  return BigInt(whole).toLocaleString('en-US');
}
