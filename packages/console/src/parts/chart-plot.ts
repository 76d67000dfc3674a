import { once } from '../text/once.ts';
export type Plot = ReturnType<typeof layPlot>;

/** Space above the highest tick for its text. */
const top = 9;
const roundSteps = [1, 2, 2.5, 3, 5, 10];

/** `ticks` are round values of the axis, from zero. */
export function layPlot(columns: number, greatest: number, height: number) {
  const ticks = roundValues(greatest, height < 120 ? 1 : 3);
  const bottom = height - 1;
  const perUnit = (bottom - top) / (ticks.at(-1) ?? 1);
  const step = 100 / Math.max(1, columns);
  return { ticks, step, columns, height, y: (value: number) => bottom - value * perUnit };
}

/** At most `parts` steps from zero to a value at or above `greatest`. */
export function roundValues(greatest: number, parts = 3): readonly number[] {
  if (!(greatest > 0)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(greatest / parts));
  const step = power * (roundSteps.find((one) => one * power * parts >= greatest) ?? 10);
  const count = Math.ceil(greatest / step) + 1;
  // Rounded to twelve digits: 3 × 0.1 is 0.3.
  return Array.from({ length: count }, (_, index) => Number((index * step).toPrecision(12)));
}

/** `$18k`, `$1.4k`, `$0.002`: the text of a tick. */
export function usdTick(value: number): string {
  if (value < 1) return `$${fine().format(value)}`;
  return `$${compact().format(value).toLowerCase()}`;
}

export function countTick(value: number): string {
  return compact().format(value).toLowerCase();
}

const fine = once(() => new Intl.NumberFormat('en', { maximumSignificantDigits: 2 }));
const compact = once(
  () => new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }),
);
