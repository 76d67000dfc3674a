import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueToken } from '../../src/admin/admin-tokens.ts';
import { rightsOf } from '../../src/console/roles.ts';
import type { AnyRoute } from '../../src/console/route.ts';
import { routes } from '../../src/console/routes.ts';
import { type Role, roles } from '../../src/domain/role.ts';
import { askConsole, openConsole, statusOf } from '../support/console.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { sharedOn, storeKinds } from '../support/shared-stack.ts';
import { defaultYaml, openStack, type Stack } from '../support/stack.ts';
import { answerOf, appAxis, axisYaml, type Case } from './support/app-axis.ts';
import {
  type AskAs,
  factsOf,
  type OfApp,
  renamed,
  reportOf,
  stateOf,
  unknown,
} from './support/app-facts.ts';

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

/** Roles that a login limited to apps can have. */
const limited = roles.filter((role) => role !== 'operator');
const openTo = (role: Role) => {
  const rights: readonly string[] = rightsOf(role, { teamWallets: true });
  return ({ action }: AnyRoute) =>
    action === 'anyone' || action === 'signed-in' || rights.includes(action);
};
const limitedTable = table.filter(([, route]) => limited.some((role) => openTo(role)(route)));

test('the table of apps has every route that a login limited to apps may ask', () => {
  expect(Object.keys(appAxis).toSorted()).toEqual(limitedTable.map(([name]) => name).toSorted());
});

describe.each(storeKinds)('own, foreign and all apps, on %s', (kind) => {
  const shared = sharedOn(kind, async (store) => {
    const stack = await openStack({ yaml: axisYaml(store), hasConsole: true });
    const { ask: operator } = await openConsole(stack, { role: 'operator' });
    const own = await factsOf(stack, operator, { app: 'search', user: 'ann.own' });
    const foreign = await factsOf(stack, operator, { app: 'search-team', user: 'ada.lovelace' });
    const logins = new Map(await Promise.all(limited.map((role) => logInAs(stack, role))));
    return { stack, operator, own, foreign, logins, before: await stateOf(operator, foreign) };
  });

  test.each(limitedTable)('%s', async (name, route) => {
    const { stack, operator, foreign, logins, before } = shared();
    for (const role of limited.filter((one) => openTo(one)(route))) {
      for (const ask of logins.get(role) ?? []) {
        for (const of of appAxis[name] ?? []) await check(ask, route, of);
      }
    }
    if (route.method === 'GET') return;
    expect(await stateOf(operator, foreign)).toEqual(before);
    expect((await stack.clock.run(stack.audit())).clean).toBe(true);
  });

  async function check(ask: AskAs, route: AnyRoute, one: Case): Promise<void> {
    if (one.apps === 'none') return;
    const { stack, operator } = shared();
    const withReport = async (of: OfApp, asker: AskAs): Promise<OfApp> =>
      one.id === 'report' ? { ...of, report: await reportOf(stack, asker) } : of;
    const own = await withReport(shared().own, ask);
    const foreign = await withReport(shared().foreign, operator);
    const mine = await answerOf(ask, route, one, { ...own, dryRun: true });
    const theirs = await answerOf(ask, route, one, foreign);
    const planned = await answerOf(ask, route, one, { ...foreign, dryRun: true });
    if (one.apps === 'all') {
      for (const { status, body } of [mine, theirs, planned]) {
        expect([status, body.error]).toMatchObject([403, { code: 'FORBIDDEN' }]);
        expect(body.error.message).toContain('use a login without a limit to apps');
      }
      return;
    }
    // A day that is not closed cannot be opened.
    expect([200, 201, 202, 409], mine.text).toContain(mine.status);
    if (one.apps === 'one') {
      expect([theirs.status, planned.status]).toEqual([404, 404]);
      const none = await answerOf(ask, route, one, unknown);
      expect(renamed(theirs.text, foreign)).toBe(renamed(none.text, unknown));
      return;
    }
    expect(theirs.status).toBe(200);
    expect(Object.values(own).some((value) => mine.text.includes(value))).toBe(true);
    for (const value of Object.values(foreign))
      expect(mine.text + theirs.text).not.toContain(value);
  }
});

/** A session and a token of a role, limited to one app. */
async function logInAs(stack: Stack, role: Role) {
  const access = { name: `${role}-of-search`, role, apps: ['search'] };
  const { ask } = await openConsole(stack, access);
  const { token } = await stack.clock.run(issueToken(stack.admin, { ...access, days: 1 }));
  const headers = { authorization: `Bearer ${token}` };
  const askByToken: AskAs = (path, asking) => askConsole(stack)(path, { ...asking, headers });
  return [role, [ask, askByToken]] as const;
}

test('no route is there twice', () => {
  expect(new Set(routes.map(title)).size).toBe(routes.length);
});
