import type { Sample } from './sample.ts';

/** The growth of one figure, and its limit. */
export interface Growth {
  readonly name: string;
  /** By the straight line that fits the samples best, from the first sample to the last. */
  readonly grown: number;
  readonly most: number;
  readonly isWithin: boolean;
}

type Figure = Exclude<keyof Sample, 'atMs'>;

/** Figures that must not grow, and the maximum noise of a straight line through each. */
const bounds: readonly { readonly figure: Figure; readonly name: string; readonly most: number }[] =
  [
    { figure: 'residentMebibytes', name: 'resident memory, MiB', most: 32 },
    { figure: 'heapMebibytes', name: 'heap, MiB', most: 32 },
    { figure: 'descriptors', name: 'descriptors', most: 16 },
    { figure: 'threads', name: 'threads', most: 2 },
    { figure: 'openHolds', name: 'open holds', most: 16 },
    { figure: 'drains', name: 'drains', most: 16 },
    { figure: 'inFlight', name: 'requests in flight', most: 16 },
  ];

/** The growth of these figures, over samples after the settling time. */
export function growthOf(samples: readonly Sample[]): readonly Growth[] {
  return bounds.map(({ figure, name, most }) => {
    const grown = slopeOf(samples, figure) * (lastMs(samples) - firstMs(samples));
    return { name, grown, most, isWithin: grown <= most };
  });
}

/** Least squares: the growth of a figure in a millisecond. */
function slopeOf(samples: readonly Sample[], figure: Figure): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const middleMs = mean(({ atMs }) => atMs);
  const middle = mean((sample) => sample[figure]);
  let covariance = 0;
  let variance = 0;
  for (const sample of samples) {
    covariance += (sample.atMs - middleMs) * (sample[figure] - middle);
    variance += (sample.atMs - middleMs) ** 2;
  }
  return variance === 0 ? 0 : covariance / variance;
}

function firstMs(samples: readonly Sample[]): number {
  return samples[0]?.atMs ?? 0;
}

function lastMs(samples: readonly Sample[]): number {
  return samples.at(-1)?.atMs ?? 0;
}
