export type Plot = ReturnType<typeof layPlot>;

export const [height, bottom] = [200, 180];
const top = 16;
const roundSteps = [1, 2, 2.5, 5, 10];

/** `ticks` are round values of the axis. */
export function layPlot(columns: number, greatest: number) {
  const ticks = roundValues(greatest);
  const perUnit = (bottom - top) / (ticks.at(-1) ?? 1);
  const step = 100 / Math.max(1, columns);
  return { ticks, step, columns, y: (value: number) => bottom - value * perUnit };
}

export function roundValues(greatest: number): readonly number[] {
  if (!(greatest > 0)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(greatest / 3));
  const step = power * (roundSteps.find((one) => one * power * 4 >= greatest) ?? 10);
  const count = Math.ceil(greatest / step) + 1;
  // Of twelve digits: 3 × 0.1 is 0.3.
  return Array.from({ length: count }, (_, index) => Number((index * step).toPrecision(12)));
}
