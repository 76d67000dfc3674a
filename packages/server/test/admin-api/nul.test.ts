import { describe, expect, test } from 'vitest';
import type { AnyRoute } from '../../src/admin-api/routes/route.ts';
import { loadRoutes } from '../../src/admin-api/routes.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';
import { consoleOf } from './support/console-of.ts';
import { titleOf } from './support/matrix-table.ts';

const routes = await loadRoutes();

const table = routes
  .filter(({ path }) => path.startsWith('/admin/v1/'))
  .map((route) => ({ title: titleOf(route), route }));
const nulls = ['%00', 'a%00b'];

function fieldsOf(schema: unknown): readonly string[] {
  return Object.keys(Object(Object(schema).properties));
}

function pathOf({ path }: AnyRoute): string {
  return path.replace('/admin/v1', '').replace(/:\w+/g, 'x');
}

/** Every path of a route with U+0000 in one part, or in one field of its query. */
function nullPaths(route: AnyRoute): readonly string[] {
  const names = route.path.match(/:\w+/g) ?? [];
  const parts = names.flatMap((name) =>
    nulls.map((nul) => pathOf({ ...route, path: route.path.replace(name, nul) })),
  );
  const fields = [...fieldsOf(route.query), 'a%00b', 'other'];
  const queries = fields.flatMap((name) => nulls.map((nul) => `${pathOf(route)}?${name}=${nul}`));
  return [...parts, ...queries];
}

describe.each(storeKinds)('U+0000 in a request of the console on %s', (kind) => {
  const shared = sharedOn(kind, async (store) => {
    const yaml = `
company: acme
store: ${store}
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search }]
`;
    return withApps(await openStack({ yaml, hasConsole: true }));
  });

  test.each(table)('$title rejects it in each part and field', async ({ route }) => {
    const ask = consoleOf(shared().stack)('operator');
    for (const path of nullPaths(route)) {
      const { status, body } = await ask(`${route.method} ${path}`);
      const message = expect.stringMatching(/^The (?:path|query) contains the character U\+0000/);
      expect([path, status, body.error]).toMatchObject([path, 400, { code: 'INVALID', message }]);
    }
  });

  test('a body text with it never causes a store failure', async () => {
    const ask = consoleOf(shared().stack)('operator');
    const failed: string[] = [];
    for (const route of routes.filter((each) => each.body !== undefined)) {
      for (const name of fieldsOf(route.body)) {
        const body = { reason: 'a test', app: 'search', [name]: 'a\0b' };
        const { status } = await ask(`${route.method} ${pathOf(route)}`, body);
        if (status < 400 || status >= 500) failed.push(`${titleOf(route)} ${name}: ${status}`);
      }
    }
    expect(failed).toEqual([]);
  });

  test('the store rejects a text with it, even if a route accepted it', async () => {
    const { stack } = shared();
    const query = { sql: 'select name from app where name = $1', map: () => 'read' };
    const refused = { message: 'a value contains the character U+0000; remove it' };
    const works: readonly (() => Promise<unknown>)[] = [
      () => stack.store.read({ ...query, values: ['a\0b'] }),
      () => stack.store.readForOperator({ ...query, values: ['a\0b'] }),
      () => stack.store.write([{ sql: 'delete from app where name = $1', values: ['a\0b'] }]),
    ];
    for (const work of works) {
      await expect(stack.clock.run(work())).rejects.toMatchObject(refused);
    }
    expect(await stack.clock.run(stack.store.read({ ...query, values: ['ab'] }))).toBe('read');
  });
});
