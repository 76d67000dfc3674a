/** The median of some values, and its interval at a confidence of 95 %. */
export interface Interval {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

export type Verdict = 'holds' | 'missed' | 'not shown';

const tailMost = 0.025;

/**
 * The interval of a median from its order statistics, for any distribution. Fewer than six values
 * give their minimum and maximum.
 */
export function intervalOf(values: readonly number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  // The chance that so few of `count` values are below the median.
  let chance = 0.5 ** count;
  let sum = chance;
  let skipped = 0;
  for (let below = 0; sum <= tailMost; below++) {
    skipped = below;
    chance *= (count - below) / (below + 1);
    sum += chance;
  }
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const median = (at((count - 1) >> 1) + at(count >> 1)) / 2;
  return { low: at(skipped), median, high: at(count - 1 - skipped) };
}

/** Whether an interval is too wide to show a difference of so many percent. */
export function isTooWide({ low, median, high }: Interval, percent: number): boolean {
  return (high - low) / 2 > (median * percent) / 100;
}

/**
 * Judges "at most so many percent more expensive". The second process of the old version shows the
 * noise.
 */
export function verdictOf(
  { ofNew, ofOld }: { readonly ofNew: Interval; readonly ofOld: Interval },
  percent: number,
): Verdict {
  if (isTooWide(ofNew, percent) || isTooWide(ofOld, percent)) return 'not shown';
  return ofNew.high <= ofOld.high * (1 + percent / 100) ? 'holds' : 'missed';
}
