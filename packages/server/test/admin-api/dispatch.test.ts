import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Console, createConsole } from '../../src/admin-api/console.ts';
import { jsonResponse } from '../../src/admin-api/http/http.ts';
import { loadRoutes } from '../../src/admin-api/routes.ts';
import { roles } from '../../src/domain/role.ts';
import { rightNames, rightsOf, type Session } from '../../src/operations/context/session.ts';
import { noParts } from '../support/console.ts';
import { consolePartsOf } from '../support/console-parts.ts';
import { openStack, type Stack } from '../support/stack.ts';

const routes = await loadRoutes();

const ann: Session = {
  ...{ name: 'ann', role: 'viewer', apps: undefined, via: 'session', id: 'ses_1' },
  ...{
    expiresAt: Date.parse('2026-11-22T12:00:00Z'),
    permissions: rightsOf('viewer', { teamWallets: false }),
  },
};

let stack: Stack;
let shown: Console;
beforeAll(async () => {
  stack = await openStack();
  const { admin } = stack;
  shown = createConsole({
    ...{ admin, routes, parts: consolePartsOf(stack) },
    identify: async ({ headers }) => (headers.authorization === 'Bearer ann' ? ann : undefined),
    assets: () => jsonResponse(200, { page: true }),
  });
});
afterAll(() => stack.close());

async function askRaw(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const known = { host: '127.0.0.1:8788', authorization: 'Bearer ann', ...headers };
  return shown.handle({
    ...{ method, url, headers: known, address: '127.0.0.1' },
    ...{
      body: async () => new Uint8Array(),
      chunks: noParts,
      disconnected: new AbortController().signal,
    },
  });
}

async function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await askRaw(url, headers, method);
  return { ...response, body: JSON.parse(String(response.body)) };
}

test('the response names who is logged in', async () => {
  const { status, body, headers } = await ask('/admin/v1/session');
  expect(status).toBe(200);
  expect(body).toEqual({
    ...{ name: 'ann', role: 'viewer', apps: null, may: ['look', 'spend'], via: 'session' },
    ...{ expiresAt: '2026-11-22T12:00:00.000Z', version: '1.2.3', company: 'acme' },
  });
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
});

test.each([
  ['stranger', '/admin/v1/session', { authorization: '' }, 401, 'UNAUTHENTICATED'],
  ['another host', '/admin/v1/session', { host: 'evil.example' }, 421, 'MISDIRECTED'],
  ['another site', '/admin/v1/session', { 'sec-fetch-site': 'cross-site' }, 403, 'CROSS_SITE'],
  ['another port', '/admin/v1/session', { 'sec-fetch-site': 'same-site' }, 403, 'CROSS_SITE'],
  ['no route', '/admin/v1/nothing', {}, 404, 'NOT_FOUND'],
  ['a long path', `/admin/v1/session?${'a'.repeat(2_048)}`, {}, 414, 'TOO_LONG'],
] as const)('%s is rejected', async (_, url, headers, status, code) => {
  expect(await ask(url, headers)).toMatchObject({ status, body: { error: { code } } });
});

test('an unauthenticated client learns how to authenticate', async () => {
  const { headers } = await ask('/admin/v1/session', { authorization: '' });
  expect(headers['www-authenticate']).toBe('Bearer realm="model-gateway"');
});

test.each([
  ['/admin/openapi.json', 200],
  ['/admin/v1/session', 405],
  ['/admin/v1/nothing', 404],
])('HEAD %s: %d', async (url, status) => {
  const headers = { authorization: '' };
  expect((await ask(url, headers, 'HEAD')).status).toBe(status);
  const get = (await ask(url, headers)).headers['content-type'];
  expect((await ask(url, headers, 'HEAD')).headers['content-type']).toBe(get);
});

test('another method gets the allowed methods', async () => {
  expect((await ask('/admin/v1/session', {}, 'PUT')).body).toEqual({
    error: { code: 'NOT_ALLOWED_METHOD', message: 'This route allows only DELETE, GET, POST' },
  });
});

test('the pages need no login', async () => {
  expect(await ask('/console/calls', { authorization: '' })).toMatchObject({ status: 200 });
});

test.each(['GET', 'HEAD'])('%s of the root redirects to the pages', async (method) => {
  expect(shown.takes('/')).toBe(true);
  const { status, headers } = await askRaw('/', { authorization: '' }, method);
  expect({ status, to: headers.location }).toEqual({ status: 303, to: '/console/' });
});

test('the root reads nothing and accepts no foreign host name', async () => {
  expect(await ask('/', {}, 'POST')).toMatchObject({ status: 404 });
  expect(await ask('/', { host: 'evil.example' })).toMatchObject({ status: 421 });
});

test.each([true, false])('the table of roles has the rights in force: teams %s', async (teams) => {
  const before = stack.config.console.teamWallets;
  onTestFinished(() => void Object.assign(stack.config.console, { teamWallets: before }));
  Object.assign(stack.config.console, { teamWallets: teams });
  const { items } = (await ask('/admin/v1/roles')).body;
  expect(items.map(({ right }: { right: string }) => right)).toEqual(rightNames);
  for (const role of roles) {
    const may = items.filter((item: { roles: string[] }) => item.roles.includes(role));
    const names = may.map(({ right }: { right: string }) => right);
    expect(names).toEqual(rightsOf(role, { teamWallets: teams }));
  }
});
