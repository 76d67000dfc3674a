import { beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '../../src/domain/role.ts';
import type { IssuedKey } from '../../src/operations/documents/keys.ts';
import { listKeys } from '../../src/operations/keys/key-document.ts';
import { disableKey, enableKey, issueKey } from '../../src/operations/keys/keys.ts';
import { type SharedStack, sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { defaultYaml, openStack } from '../support/stack.ts';
import { consoleOf } from './support/console-of.ts';

const reason = 'incident 7';
const email = 'team@acme.example';

describe.each(storeKinds)('a disabled key on %s', (kind) => {
  const shared = sharedOn(kind, async (store) =>
    withApps(
      await openStack({
        yaml: defaultYaml.replace('store: sqlite:./gateway.db', `store: ${store}`),
      }),
    ),
  );
  let of: SharedStack;
  let app: string;
  let key: IssuedKey;
  beforeEach(async () => {
    of = shared();
    app = await of.newApp();
    const { admin, clock } = of.stack;
    key = await clock.run(issueKey(admin, { app, email }));
  });

  const as = (role: Role, name: string) => {
    const ask = consoleOf(of.stack)(role, { name, ...(role === 'team' && { apps: [app] }) });
    return (verb: string, more: object = {}) =>
      ask(`POST /keys/${key.id}/${verb}`, { reason, ...more });
  };
  const isKnown = async () => {
    await of.stack.clock.run(of.stack.service.registry.refresh());
    return of.stack.service.registry.key(key.key) !== undefined;
  };

  test('can be enabled by a team only if a team disabled it', async () => {
    const [team, mate, operator] = [as('team', 'tom'), as('team', 'mia'), as('operator', 'ada')];
    const mine = await team('disable');
    expect(mine.body.result).toMatchObject({
      ...{ enabled: false, disabledBy: 'console:tom', disabledRole: 'team' },
    });
    const again = await mate('enable');
    expect(again).toMatchObject({ status: 200, body: { result: { enabled: true } } });
    expect(again.body.result.disabledBy).toBeUndefined();
    const theirs = await operator('disable');
    expect(theirs.body.result).toMatchObject({
      ...{ disabledBy: 'console:ada', disabledRole: 'operator' },
    });
    for (const [verb, more] of [
      ['enable', {}],
      ['enable', { dryRun: true }],
    ] as const) {
      const refused = await team(verb, more);
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
      expect(refused.body.error.message).toBe(
        `only an operator can enable the key ${key.id}, which console:ada disabled. Ask an operator, or issue another key`,
      );
    }
    expect(await isKnown()).toBe(false);
    // A change by a team does not take the key over from the operator.
    expect((await team('disable')).body).toMatchObject({
      changes: [],
      result: { disabledRole: 'operator' },
    });
    expect((await team('rotate', { graceMinutes: 5 })).status).toBe(409);
    expect((await team('enable')).status).toBe(403);
    expect(await isKnown()).toBe(false);
    expect((await operator('enable')).body.changes).toMatchObject([{ action: 'key.enable' }]);
    expect(await isKnown()).toBe(true);
  });

  test('of a team becomes an operator’s if an operator also disables it', async () => {
    const [team, operator] = [as('team', 'tom'), as('operator', 'ada')];
    await team('disable');
    expect((await operator('disable')).body).toMatchObject({
      changes: [{ action: 'key.disable' }],
      result: { disabledBy: 'console:ada', disabledRole: 'operator' },
    });
    expect((await operator('disable')).body.changes).toEqual([]);
    expect((await team('enable')).status).toBe(403);
  });

  test('of the command line or an older version is for operators', async () => {
    const { admin, clock, store } = of.stack;
    const [team, operator] = [as('team', 'tom'), as('operator', 'ada')];
    await clock.run(disableKey(admin, key.id));
    const [shown] = await clock.run(listKeys(admin, app));
    expect(shown).toMatchObject({ disabledBy: 'test', disabledRole: 'operator' });
    expect((await team('enable')).status).toBe(403);
    await clock.run(enableKey(admin, key.id));
    // As an older version writes it: without the role.
    const write = (enabled: 0 | 1) =>
      store.write([
        { sql: `update api_key set enabled = ${enabled} where id = $1`, values: [key.id] },
      ]);
    await team('disable');
    await write(1);
    await write(0);
    const refused = await team('enable');
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toContain('which an unknown actor disabled');
    const [unknown] = await clock.run(listKeys(admin, app));
    expect(unknown?.disabledBy).toBeUndefined();
    expect((await operator('enable')).status).toBe(200);
    expect(await isKnown()).toBe(true);
  });

  test('is not enabled by a team if an operator disables it first', async () => {
    const [team, operator] = [as('team', 'tom'), as('operator', 'ada')];
    await team('disable');
    const replies = await Promise.all([operator('disable'), team('enable')]);
    const { status } = replies[1];
    // In either order, the operator's change prevails.
    expect([200, 403]).toContain(status);
    expect(await isKnown()).toBe(false);
  });
});
