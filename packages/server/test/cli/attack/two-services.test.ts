import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { runBin } from '../support/bin.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

test('two services on one store keep every cap', { timeout: 300_000 }, async () => {
  const store = await postgres.database();
  const commandLine = ['attack', '--json', '--seed', '7', '--store', store];
  const { code, out, errors } = await runBin(commandLine, { timeoutMs: 290_000 });
  expect(errors).toContain('Attacking 2 services on postgres');
  const found = JSON.parse(out);
  expect(found).toMatchObject({
    ...{ overspendUsd: '0', falseRefusals: 0, lost: 0, doubled: 0, heldUsd: '0', broken: [] },
    ...{ isClean: true, isConclusive: true, store: 'postgres', services: 2 },
  });
  expect(found.stages).toContainEqual(
    expect.objectContaining({ name: 'crowd', admitted: 37, fits: 37 }),
  );
  expect(code).toBe(0);
});
