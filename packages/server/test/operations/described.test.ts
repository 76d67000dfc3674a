import { expect, test } from 'vitest';
import { routesOf } from '../../src/admin-api/routes/as-route.ts';
import type { AnyRoute } from '../../src/admin-api/routes/route.ts';
import { loadRoutes } from '../../src/admin-api/routes.ts';
import { commands } from '../../src/cli/commands.ts';
import { allOperations, nouns } from '../../src/operations/nouns.ts';

const nameOf = ({ method, path }: AnyRoute) => `${method} ${path}`;

test('every command is described, but for programs', () => {
  const described = nouns.map(({ name }) => name);
  const others = commands.map(({ name }) => name).filter((name) => !described.includes(name));
  expect(others).toEqual(['init', 'serve', 'demo', 'attack', 'simulator', 'completion']);
});

test('every route is described, but for the protocol of the listener', async () => {
  const described = (await routesOf(await allOperations())).map(nameOf);
  const others = (await loadRoutes()).map(nameOf).filter((name) => !described.includes(name));
  expect(others.toSorted()).toEqual([
    'DELETE /admin/v1/session',
    'GET /admin/openapi.json',
    'GET /admin/v1/events',
    'GET /admin/v1/login/oidc',
    'GET /admin/v1/login/oidc/callback',
    'GET /admin/v1/session',
    'POST /admin/v1/session',
  ]);
});

test('no two operations have one name', async () => {
  const names = (await allOperations()).map(({ name }) => name);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});
