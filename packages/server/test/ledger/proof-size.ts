import process from 'node:process';
import fc from 'fast-check';

/** `PROVE=long` makes every property run so many times as often. */
const longFactor = 50;

const factor = process.env.PROVE === 'long' ? longFactor : 1;

/** The size of the runs of the core by itself, in which every planted bug must be found. */
export const coreProof = { runs: 2_500, steps: 24 } as const;

/** The time that a test of a property may take: many times what it needs. */
export const proofTimeoutMs = 90_000 * factor;

/** Then it ends by itself, and tells its seed and the shortest run that it knows to fail. */
const shrinkTimeoutMs = 80_000 * factor;

/** How often a property is tried, and from which seed: `PROVE_SEED` repeats a run. */
export function proofOf(runs: number) {
  const seed = process.env.PROVE_SEED ?? '';
  return {
    numRuns: runs * factor,
    plugins: [fc.interruptAfterTimeLimit(shrinkTimeoutMs, { failOnInterrupt: true })],
    ...(seed === '' ? {} : { seed: Number(seed) }),
  };
}
