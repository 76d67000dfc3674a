const scale = 12;

/** No amount of the ledger has more than twelve decimals. */
function picoOf(text: string): bigint {
  const isNegative = text.startsWith('-');
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const pico = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  return isNegative ? -pico : pico;
}

function textOf(pico: bigint): string {
  const digits = (pico < 0n ? -pico : pico).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/(?<!0)0+$/, '');
  const text = digits.slice(0, -scale) + (fraction === '' ? '' : `.${fraction}`);
  return pico < 0n ? `-${text}` : text;
}

export function differenceUsd(a: string, b: string): string {
  return textOf(picoOf(a) - picoOf(b));
}

export function sumUsd(amounts: readonly string[]): string {
  let sum = 0n;
  for (const amount of amounts) sum += picoOf(amount);
  return textOf(sum);
}

/** In percent, cut to a decimal; `–` where the whole is zero. */
export function shareOf(part: string, whole: string): string {
  const denominator = picoOf(whole);
  if (denominator === 0n) return '–';
  const permille = (picoOf(part) * 1000n) / denominator;
  const text = `${permille < 0n ? -permille : permille}`.padStart(2, '0');
  return `${permille < 0n ? '-' : ''}${text.slice(0, -1)}.${text.slice(-1)} %`;
}
