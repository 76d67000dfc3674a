import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rightsOf } from '../../src/console/roles.ts';
import type { AnyRoute } from '../../src/console/route.ts';
import { routes } from '../../src/console/routes.ts';
import { roles } from '../../src/domain/role.ts';
import { openConsole, statusOf } from '../support/console.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { defaultYaml, openStack, type Stack } from '../support/stack.ts';

const title = ({ method, path }: AnyRoute) => `${method} ${path}`;
const table = routes.map((route) => [title(route), route] as const);
const pathOf = ({ path }: AnyRoute) => path.replaceAll(/:\w+/g, 'none');

/** What a page sends; a body without a field is wrong for every route that takes one. */
function asking({ method }: AnyRoute, headers: Record<string, string | undefined> = {}) {
  return { method, body: {}, headers };
}

describe.each(['sqlite', 'postgres'])('every route, on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let stack: Stack;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    const store = (await postgres?.database()) ?? 'sqlite:./gateway.db';
    stack = await openStack({ yaml: defaultYaml.replace('sqlite:./gateway.db', store) });
  });
  afterAll(async () => {
    await stack?.close();
    await postgres?.close();
  });

  test.each(table)('%s: each role, by its rights', async (_, route) => {
    for (const role of roles) {
      const { cookie } = await openConsole(stack, { role });
      const status = await statusOf(stack, pathOf(route), asking(route, { cookie }));
      const { action } = route;
      const rights: readonly string[] = rightsOf(role, stack.config.console);
      const mayAsk = action === 'anyone' || action === 'signed-in' || rights.includes(action);
      const seen = status === 403 ? 'forbidden' : status;
      if (!mayAsk) expect([role, seen]).toEqual([role, 'forbidden']);
      else expect([200, 201, 202, 303, 400, 404, 409, 412, 501]).toContain(seen);
    }
  });

  test.each(table)('%s: only who is known', async (_, route) => {
    const status = await statusOf(stack, pathOf(route), asking(route));
    if (route.action === 'anyone') expect(status).not.toBe(403);
    else expect(status).toBe(401);
  });

  test.each(table.filter(([, { isTop }]) => isTop !== true))(
    '%s: from the console alone',
    async (_, route) => {
      const { cookie } = await openConsole(stack, { role: 'operator' });
      const path = pathOf(route);
      const ask = (headers: Record<string, string | undefined>) =>
        statusOf(stack, path, asking(route, { cookie, ...headers }));
      expect(await ask({ 'sec-fetch-site': 'cross-site' })).toBe(403);
      expect(await ask({ 'sec-fetch-site': 'same-site' })).toBe(403);
      expect(await ask({ host: 'evil.example' })).toBe(421);
      expect(await ask({ host: 'evil.example:8788' })).toBe(421);
      expect(await ask({ host: undefined })).toBe(421);
      if (route.method === 'GET') return;
      expect(await ask({ 'sec-fetch-site': 'none' })).toBe(403);
      expect(await ask({ 'x-requested-with': undefined })).toBe(403);
      expect(await ask({ 'content-type': 'text/plain' })).toBe(403);
      const old = { 'sec-fetch-site': undefined };
      expect(await ask({ ...old, origin: undefined })).toBe(403);
      expect(await ask({ ...old, origin: 'http://127.0.0.1:3000' })).toBe(403);
      expect(await ask({ ...old, origin: 'http://127.0.0.1:8788' })).not.toBe(403);
    },
  );
});

test('no route is there twice', () => {
  expect(new Set(routes.map(title)).size).toBe(routes.length);
});
