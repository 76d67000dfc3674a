import process from 'node:process';
import fc from 'fast-check';

/** `PROVE=long` multiplies the runs of every property by this. */
const longFactor = 50;

const factor = process.env.PROVE === 'long' ? longFactor : 1;

/** The size of the core's runs, in which every planted bug must be found. */
export const coreProof = { runs: 2_500, steps: 24 } as const;

/**
 * The time limit for a test of a property. Its runs are counted, not timed: a slow machine makes as
 * many as a fast one, so this is far above the need of any.
 */
export const proofTimeoutMs = 1_800_000 * factor;

/** The time to shrink a failing run. Afterwards the shortest one found is reported. */
const shrinkMs = 60_000;

/** The number of runs of a property, and its seed: `PROVE_SEED` repeats a run. */
export function proofOf(runs: number) {
  const seed = process.env.PROVE_SEED ?? '';
  return { numRuns: runs * factor, ...(seed === '' ? {} : { seed: Number(seed) }) };
}

/** Runs a property this often. Throws with the shortest failing run and its seed. */
export async function prove<Values>(property: fc.IAsyncProperty<Values>, runs: number) {
  const result = await fc.check(property, { ...proofOf(runs), endOnFailure: true });
  if (!result.failed) return;
  const { seed, counterexamplePath } = result;
  await fc.assert(property, {
    seed,
    ...(counterexamplePath === null ? {} : { path: counterexamplePath }),
    plugins: [fc.interruptAfterTimeLimit(shrinkMs, { failOnInterrupt: true })],
  });
}
