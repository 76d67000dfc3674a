// Money is the ledger's exact decimal text: nothing here is a float.

const places = 12;
const cent = 10n ** 10n;
const dollar = 10n ** 12n;

/** Pico-USD. No amount of the ledger has more than twelve decimals. */
export function picoOf(text: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const pico = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
  return sign === '-' ? -pico : pico;
}

export function textOf(pico: bigint): string {
  const digits = absolute(pico)
    .toString()
    .padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  const text = digits.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`);
  return pico < 0n ? `-${text}` : text;
}

export function differenceUsd(a: string, b: string): string {
  return textOf(picoOf(a) - picoOf(b));
}

export function sumUsd(amounts: readonly string[]): string {
  return textOf(amounts.reduce((sum, amount) => sum + picoOf(amount), 0n));
}

/** The last shown digit of an amount: cents from $1, below it the fourth significant digit. */
export function unitOf(pico: bigint): bigint {
  const size = absolute(pico);
  if (size === 0n || size >= dollar) return cent;
  const leading = 10n ** BigInt(size.toString().length - 1);
  return leading < 1_000n ? 1n : leading / 1_000n;
}

/** Truncated, never rounded: `$1,234.56`, `$0.02416`, `-$0.50`. At least cents. */
export function shortUsd(text: string): string {
  const pico = picoOf(text);
  return usdIn(pico, unitOf(pico));
}

/** Truncated to a unit. Ends at the cents, or at the last nonzero digit. */
export function usdIn(pico: bigint, unit: bigint): string {
  return dollarsOf(textOf(pico - (pico % unit)));
}

/** `$1,234.567891` */
export function exactUsd(text: string): string {
  return dollarsOf(textOf(picoOf(text)));
}

function dollarsOf(text: string): string {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return `${sign}$${grouped(whole)}.${fraction.padEnd(2, '0')}`;
}

/** `1234567` becomes `1,234,567`, much faster than with `toLocaleString`. */
function grouped(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) {
    groups.unshift(digits.slice(Math.max(0, end - 3), end));
  }
  return groups.join(',');
}

/** Truncated to a percent, or below 10 to a tenth; `–` where the whole is zero. */
export function shareOf(part: string, whole: string): string {
  const all = picoOf(whole);
  if (all === 0n) return '–';
  const permille = (picoOf(part) * 1000n) / all;
  if (permille === 0n && picoOf(part) !== 0n) return '<0.1%';
  const size = absolute(permille);
  const tenths = size < 100n ? `.${size % 10n}` : '';
  return `${permille < 0n ? '-' : ''}${size / 10n}${tenths}%`;
}

export interface NamedAmount {
  readonly name: string;
  readonly usd: string;
}

/**
 * The shown amounts of a total's parts. Their sum, truncated to the total's last digit, is the
 * shown total. Each part is within one of its last digits of the exact amount. Largest remainder,
 * ties by name; the order of the parts changes nothing.
 */
export function shownParts(parts: readonly NamedAmount[], total: string): readonly string[] {
  const whole = picoOf(total);
  const wholeUnit = unitOf(whole);
  const cuts = parts.map(({ name, usd }, index) => {
    const pico = picoOf(usd);
    const own = unitOf(pico);
    const unit = own < wholeUnit ? own : wholeUnit;
    const rest = ((pico % unit) + unit) % unit;
    return { name, place: index, unit, rest, shown: pico - rest };
  });
  let left = whole - (((whole % wholeUnit) + wholeUnit) % wholeUnit);
  for (const { shown } of cuts) left -= shown;
  for (const cut of cuts.toSorted(byRemainder)) {
    if (left <= 0n) break;
    cut.shown += cut.unit;
    left -= cut.unit;
  }
  return cuts.map(({ shown, unit }) => usdIn(shown, unit));
}

interface Cut {
  readonly name: string;
  readonly unit: bigint;
  readonly rest: bigint;
}

/** The larger units first, then the larger remainders. */
function byRemainder(a: Cut, b: Cut): number {
  if (a.unit !== b.unit) return a.unit > b.unit ? -1 : 1;
  if (a.rest !== b.rest) return a.rest > b.rest ? -1 : 1;
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

function absolute(pico: bigint): bigint {
  return pico < 0n ? -pico : pico;
}
