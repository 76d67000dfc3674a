import process from 'node:process';
import fc from 'fast-check';

/** `PROVE=long` makes every property run so many times as often. */
const longFactor = 50;

const factor = process.env.PROVE === 'long' ? longFactor : 1;

/** The size of the runs of the core by itself, in which every planted bug must be found. */
export const coreProof = { runs: 2_500, steps: 24 } as const;

/**
 * The time that a test of a property may take. Its runs are counted, not timed: a slow machine
 * makes as many as a fast one, so this is far above what any needs.
 */
export const proofTimeoutMs = 1_800_000 * factor;

/** How long a run that fails is made shorter; then the shortest that was found is told. */
const shrinkMs = 60_000;

/** How often a property is tried, and from which seed: `PROVE_SEED` repeats a run. */
export function proofOf(runs: number) {
  const seed = process.env.PROVE_SEED ?? '';
  return { numRuns: runs * factor, ...(seed === '' ? {} : { seed: Number(seed) }) };
}

/** Tries a property so often; throws with the shortest run that fails, and with its seed. */
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
