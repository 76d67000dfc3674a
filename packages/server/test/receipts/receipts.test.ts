import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type StoreKind, storeKinds } from '../support/shared-stack.ts';
import { createJudge } from './judge.ts';
import { type House, openReceiptHouse, play } from './player.ts';
import { linesOf, scripts } from './script.ts';

/** More runs, and another seed, for a long run. */
const { RECEIPTS_RUNS, RECEIPTS_SEED } = process.env;
const runs: Record<StoreKind, number> = { sqlite: 30, postgres: 8 };

describe.each(storeKinds)('receipts on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let house: House;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    house = await openReceiptHouse((await postgres?.database()) ?? 'sqlite:./gateway.db');
  });
  afterAll(async () => {
    await house.stack.close();
    await postgres?.close();
  });

  test('a wallet pays for received responses, once per key, at most its reservation', async () => {
    const property = fc.asyncProperty(scripts, async (script) => {
      await play(house, script, createJudge(script)).catch((cause: unknown) => {
        const words = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`${linesOf(script)}\n${words}`, { cause });
      });
    });
    await fc.assert(property, {
      numRuns: Number(RECEIPTS_RUNS ?? runs[kind]),
      seed: Number(RECEIPTS_SEED ?? 20_261_127),
    });
  });
});
