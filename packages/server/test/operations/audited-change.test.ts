import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { settingsTag } from '../../src/operations/apps/app-document.ts';
import { createApp, findApp, updateApp } from '../../src/operations/apps/apps.ts';
import { capToday } from '../../src/operations/apps/operations.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { removeBudget, setBudget } from '../../src/operations/budgets/budgets.ts';
import { previewChange, runAudited } from '../../src/operations/context/audited-change.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import { disableKey, issueKey, rotateKey } from '../../src/operations/keys/keys.ts';
import { selectRevision } from '../../src/store/queries/registry.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn, openReplica } from '../store/support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const dollar = 10n ** 12n;
const everyLine = { subject: undefined, actor: undefined, since: undefined, limit: 1_000 };

describe.each(['sqlite', 'postgres'] as const)('changes on %s', (kind) => {
  async function open() {
    const store =
      kind === 'sqlite' ? openDirectStore(':memory:') : await openReplica(await server.database());
    onTestFinished(() => store.close());
    const admin: AdminContext = adminOn(store);
    await createApp(admin, 'web', { dailyBudgetPicoUsd: dollar });
    return admin;
  }

  /** Everything that a change could leave behind. */
  async function traces({ store, ...context }: AdminContext) {
    const tables = ['app', 'api_key', 'budget_definition', 'budget_day', 'budget_revision'];
    const rows = tables.map((table) =>
      store.read({ sql: `select * from ${table} order by 1, 2`, values: [], map: (all) => all }),
    );
    const lines = await listLines({ store, ...context }, everyLine);
    return { rows: await Promise.all(rows), lines, revision: await store.read(selectRevision) };
  }

  test('a dry run returns what the change then returns, and leaves nothing behind', async () => {
    const admin = await open();
    const { id } = await issueKey(admin, { app: 'web', email: 'team@acme.example' });
    await setBudget(admin, 'all-of-us', { apps: 'all', dailyPicoUsd: dollar }, []);
    const works: ((context: AdminContext) => Promise<unknown>)[] = [
      (context) => createApp(context, 'shop', {}),
      (context) => updateApp(context, 'web', { dailyBudgetPicoUsd: 2n * dollar }),
      (context) => updateApp(context, 'web', { monthlyBudgetPicoUsd: 9n * dollar }),
      (context) => capToday(context, 'web', 5n * dollar),
      (context) => disableKey(context, id),
      (context) => setBudget(context, 'all-of-us', { monthlyPicoUsd: 7n * dollar }, []),
      (context) => removeBudget(context, 'all-of-us'),
      // Neither differs in any part.
      (context) => updateApp(context, 'web', { enabled: true }),
    ];
    for (const [index, work] of works.entries()) {
      const before = await traces(admin);
      const foreseen = await previewChange(admin, work);
      expect(await traces(admin)).toEqual(before);
      const { lines } = await runAudited(admin, work);
      expect(lines).toEqual(foreseen);
      expect(lines.length > 0).toBe(index < works.length - 1);
      const written = (await listLines(admin, everyLine)).length - before.lines.length;
      expect(written).toBe(lines.length);
    }
  });

  test('a dry run is rejected as the change would be', async () => {
    const admin = await open();
    await createApp(admin, 'shop', { project: 'ours' });
    const taken = (context: AdminContext) => createApp(context, 'web', {});
    await expect(previewChange(admin, taken)).rejects.toThrow('already exists');
    const shared = (context: AdminContext) => updateApp(context, 'web', { project: 'ours' });
    await expect(previewChange(admin, shared)).rejects.toThrow(
      'is already the project of the app shop',
    );
    const unknown = (context: AdminContext) => disableKey(context, 'key_none');
    await expect(previewChange(admin, unknown)).rejects.toMatchObject({ isUnknown: true });
  });

  test('no secret is in the output of a dry run or a change', async () => {
    const admin = await open();
    const issue = (context: AdminContext) =>
      issueKey(context, { app: 'web', email: 'team@acme.example' });
    const { result, lines } = await runAudited(admin, issue);
    const rotated = await runAudited(admin, (context) => rotateKey(context, result.id, {}));
    const texts = JSON.stringify([lines, rotated.lines, await listLines(admin, everyLine)]);
    expect(texts).not.toContain(result.key);
    expect(texts).not.toContain(rotated.result.key);
    expect(rotated.lines.map(({ action }) => action)).toEqual(['key.rotate']);
  });

  test('of two changes of one state one is made, the other gets the current state', async () => {
    const admin = await open();
    const tag = settingsTag(await findApp(admin, 'web'));
    const changes = await Promise.allSettled([
      updateApp(admin, 'web', { dailyBudgetPicoUsd: 2n * dollar }, tag),
      updateApp(admin, 'web', { dailyBudgetPicoUsd: 3n * dollar }, tag),
    ]);
    expect(changes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const now = await findApp(admin, 'web');
    const refused = changes.find((change) => change.status === 'rejected');
    expect(refused?.reason).toMatchObject({ name: 'AdminError', now });
    // A change of another object does not block it.
    const next = settingsTag(now);
    await Promise.all([
      updateApp(admin, 'web', { streaming: false }, next),
      issueKey(admin, { app: 'web', email: 'team@acme.example' }),
    ]);
    await expect(capToday(admin, 'web', dollar, next)).rejects.toMatchObject({ now: {} });
  });

  test('an actor is found with and without the suffix of its name', async () => {
    const admin = await open();
    const actor = 'console:ada (finance, s_1)';
    await updateApp({ ...admin, actor }, 'web', { streaming: false });
    await updateApp({ ...admin, actor: 'console:adam' }, 'web', { streaming: true });
    for (const actorName of ['console:ada', actor]) {
      const entries = await listLines(admin, { ...everyLine, actor: actorName });
      expect(entries.map((line) => line.actor)).toEqual([actor]);
    }
  });
});
