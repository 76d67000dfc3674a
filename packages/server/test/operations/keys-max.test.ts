import { beforeEach, describe, expect, test } from 'vitest';
import { createApp, updateApp } from '../../src/operations/apps/apps.ts';
import { previewChange } from '../../src/operations/context/audited-change.ts';
import {
  disableKey,
  enableKey,
  importKey,
  issueKey,
  rotateKey,
} from '../../src/operations/keys/keys.ts';
import { selectKeys } from '../../src/store/queries/registry.ts';
import { consoleOf } from '../admin-api/support/console-of.ts';
import { type SharedStack, sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { defaultYaml, openStack } from '../support/stack.ts';

const email = 'team@acme.example';

describe.each(storeKinds)('the keys of an app on %s', (kind) => {
  const shared = sharedOn(kind, async (store) =>
    withApps(
      await openStack({
        yaml: defaultYaml.replace('store: sqlite:./gateway.db', `store: ${store}`),
      }),
    ),
  );
  let of: SharedStack;
  let app: string;
  beforeEach(async () => {
    of = shared();
    app = await of.newApp({ keysMax: 2 });
  });

  const issue = () => of.stack.clock.run(issueKey(of.stack.admin, { app, email }));
  const full = () => `the app ${app} has reached keysMax, its limit of working keys (2)`;

  /** Its keys in the store, and how many of them work. */
  async function count() {
    const { store, clock } = of.stack;
    const keys = (await store.read(selectKeys)).filter(({ customerId }) => customerId === app);
    const now = clock.now();
    const works = keys.filter(({ isEnabled, expiresAt = now + 1 }) => isEnabled && expiresAt > now);
    return [keys.length, works.length];
  }

  test('are at most keysMax, however many are issued at once', async () => {
    const { admin, clock } = of.stack;
    const issues = Array.from({ length: 6 }, () => issueKey(admin, { app, email }));
    const settled = await clock.run(Promise.allSettled(issues));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await count()).toEqual([2, 2]);
    await expect(issue()).rejects.toThrow(full());
    await expect(issue()).rejects.toThrow('"keys disable ID"');
    await expect(issue()).rejects.toThrow(`apps update ${app} --keys-max`);
    const name = `llm::user::${app}::${email}`;
    const imported = importKey(admin, { name, customerId: app, key: undefined });
    await expect(clock.run(imported)).rejects.toThrow(full());
    const shown = previewChange(admin, (context) => issueKey(context, { app, email }));
    await expect(clock.run(shown)).rejects.toThrow(full());
  });

  test('are at most keysMax for a team, and another app has its own', async () => {
    const other = await of.newApp({ keysMax: 1 });
    const request = consoleOf(of.stack)('team', { apps: [app, other] });
    const body = { email, reason: 'a new program' };
    expect((await request(`POST /apps/${app}/keys`, body)).status).toBe(201);
    expect((await request(`POST /apps/${app}/keys`, body)).status).toBe(201);
    const refused = await request(`POST /apps/${app}/keys`, body);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect(refused.body.error.message).toContain(full());
    expect((await request(`POST /apps/${other}/keys`, body)).status).toBe(201);
  });

  test('leave room once one is disabled or has ended, or keysMax is raised', async () => {
    const { admin, clock } = of.stack;
    const first = await issue();
    const limits = { expiresAt: clock.now() + 1_000 };
    await clock.run(issueKey(admin, { app, email, limits }));
    await expect(issue()).rejects.toThrow(full());
    await clock.advance(1_000);
    const third = await issue();
    await clock.run(disableKey(admin, first.id));
    await issue();
    await expect(clock.run(enableKey(admin, first.id))).rejects.toThrow(full());
    expect((await clock.run(disableKey(admin, third.id))).enabled).toBe(false);
    expect((await clock.run(enableKey(admin, first.id))).enabled).toBe(true);
    await clock.run(updateApp(admin, app, { keysMax: 3 }));
    await issue();
    await expect(issue()).rejects.toThrow('limit of working keys (3)');
    expect(await count()).toEqual([5, 3]);
  });

  test('are rotated at the limit with a grace period, twice as many at most', async () => {
    const { admin, clock } = of.stack;
    const [one, two] = [await issue(), await issue()];
    const rotate = (id: string, graceMs?: number) => clock.run(rotateKey(admin, id, { graceMs }));
    await expect(rotate(one.id)).rejects.toThrow('rotate a key with a grace period');
    const rotated = await rotate(one.id, 60_000);
    await rotate(two.id, 60_000);
    expect(await count()).toEqual([4, 4]);
    await expect(rotate(rotated.id, 60_000)).rejects.toThrow('twice its keysMax of 2');
    await expect(issue()).rejects.toThrow(full());
    await clock.advance(60_000);
    expect(await count()).toEqual([4, 2]);
    await rotate(rotated.id, 0);
    expect(await count()).toEqual([5, 2]);
  });

  test('are not rotated after their end overtook the request', async () => {
    const { admin, clock } = of.stack;
    const { id } = await issue();
    // The key ends between its look-up and the rotation's transaction.
    const write: typeof admin.store.write = async (statements) => {
      await disableKey(admin, id);
      return admin.store.write(statements);
    };
    const overtaken = { ...admin, store: { ...admin.store, write } };
    const rotating = rotateKey(overtaken, id, { graceMs: 1_000 });
    await expect(clock.run(rotating)).rejects.toThrow(`the key ${id} is disabled`);
    expect(await count()).toEqual([1, 0]);
  });

  test('are a thousand at most by default, and in rows of a version before', async () => {
    const { admin, clock, store } = of.stack;
    const made = await clock.run(createApp(admin, `${app}-plain`, {}));
    expect([made.keysMax, made.ratePerSecond]).toEqual([1_000, null]);
    const sql = 'update app set keys_max = null where name = $1';
    await store.write([{ sql, values: [`${app}-plain`] }]);
    app = `${app}-plain`;
    await issue();
    const other = 'update app set keys_max = 1 where name = $1';
    await store.write([{ sql: other, values: [app] }]);
    await expect(issue()).rejects.toThrow('limit of working keys (1)');
  });
});
