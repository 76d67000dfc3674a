import { expect, test } from 'vitest';
import { simulate } from './simulation.ts';
import { plantedBugs } from './troubled-store.ts';

// PROVE=long runs for long; SIMULATION_SEED repeats a failed run.
const runs = process.env.PROVE === 'long' ? 300 : 6;
const given = process.env.SIMULATION_SEED;
const first = given === undefined ? Date.now() % 1_000_000 : Number(given);
const seeds = Array.from({ length: given === undefined ? runs : 1 }, (_, index) => first + index);

test.each(seeds)('an auditor with its own ledger finds nothing: seed %i', async (seed) => {
  const { found, answered } = await simulate(seed);
  expect(found, `repeat with SIMULATION_SEED=${seed}`).toEqual([]);
  expect(answered).toBeGreaterThan(10);
});

test.each(Object.entries(plantedBugs))('the auditor finds that %s', async (_, plant) => {
  const found: string[] = [];
  for (let seed = 1; seed <= 8 && found.length === 0; seed++) {
    found.push(...(await simulate(seed, { plant })).found);
  }
  expect(found.length).toBeGreaterThan(0);
});
