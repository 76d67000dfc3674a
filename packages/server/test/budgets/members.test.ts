import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { checkInvariants } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { noonMs } from '../conformance/operations.ts';
import { adminOn, createStoreSubject } from '../conformance/subject.ts';
import { openReplica } from '../store/support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { apps, play, steps } from './support/member-model.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

describe.each([
  ['sqlite', 150],
  ['postgres', 40],
] as const)('members of budgets on %s', (kind, numRuns) => {
  let store: Store;
  beforeAll(async () => {
    store =
      kind === 'sqlite' ? openDirectStore(':memory:') : await openReplica(await server.database());
  });
  afterAll(() => store.close());

  test('each budget has the cost of its members, after any changes and corrections', async () => {
    const property = fc.asyncProperty(steps, async (taken) => {
      await createStoreSubject(store, apps);
      const admin = adminOn(store, noonMs);
      // Only the names of its users reach the budgets of other apps.
      await updateApp(admin, 'evil', { perUserDailyPicoUsd: 10n ** 15n });
      const { expected, actual } = await play(store, admin, taken);
      expect(actual).toEqual(expected);
      const failed = (await checkInvariants(store, 0)).filter((check) => !check.ok);
      expect(failed).toEqual([]);
    });
    await fc.assert(property, { numRuns, seed: 20_261_126 });
  });
});
