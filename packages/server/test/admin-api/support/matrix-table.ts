import { describe, expect, test } from 'vitest';
import type { AnyRoute } from '../../../src/admin-api/routes/route.ts';
import { loadRoutes } from '../../../src/admin-api/routes.ts';
import { type Role, roles } from '../../../src/domain/role.ts';
import { issueToken } from '../../../src/operations/access/tokens.ts';
import { rightsOf } from '../../../src/operations/context/session.ts';
import { askConsole, openConsole, statusOf } from '../../support/console.ts';
import type { Choose } from '../../support/pairs.ts';
import { type StoreKind, sharedOn, storeKinds } from '../../support/shared-stack.ts';
import { defaultYaml, openStack, type Stack } from '../../support/stack.ts';
import { answerOf, appAxis, axisYaml, type Case } from './app-axis.ts';
import {
  factsOf,
  type OfApp,
  renamed,
  reportOf,
  type SendAs,
  stateOf,
  unknown,
} from './app-facts.ts';

const routes = await loadRoutes();

export const titleOf = ({ method, path }: AnyRoute) => `${method} ${path}`;

/** Roles that a login limited to apps can have. */
const limited = roles.filter((role) => role !== 'operator');
const openTo = (role: Role) => {
  const rights: readonly string[] = rightsOf(role, { teamWallets: true });
  return ({ action }: AnyRoute) =>
    action === 'anyone' || action === 'signed-in' || rights.includes(action);
};
/** The routes that a login limited to apps can use. */
export const limitedRoutes = routes.filter((route) => limited.some((role) => openTo(role)(route)));

interface Rule {
  readonly isFor: (route: AnyRoute) => boolean;
  readonly check: (stack: Stack, route: AnyRoute) => Promise<void>;
}

/** Rules that each route obeys on one stack. */
const rules: Readonly<Record<string, Rule>> = {
  'each role, by its rights': { isFor: () => true, check: expectRights },
  'only who is known': { isFor: () => true, check: expectLogin },
  'from the console alone': { isFor: ({ isTop }) => isTop !== true, check: expectConsole },
};
const ofApps = 'own, foreign and all apps';

interface Row {
  readonly kind: StoreKind;
  readonly rule: string;
  readonly route: AnyRoute;
}

const table: readonly Row[] = storeKinds.flatMap((kind) => [
  ...Object.entries(rules).flatMap(([rule, { isFor }]) =>
    routes.filter(isFor).map((route) => ({ kind, rule, route })),
  ),
  ...limitedRoutes.map((route) => ({ kind, rule: ofApps, route })),
]);

/** The rules for every route of the console. */
export function describeRoutes(choose: Choose) {
  const chosen = choose(table);
  const routesOf = (kind: StoreKind, rule: string) =>
    chosen
      .filter((row) => row.kind === kind && row.rule === rule)
      .map(({ route }) => [titleOf(route), route] as const);

  describe.each(storeKinds)('every route, on %s', (kind) => {
    const shared = sharedOn(kind, async (store) => ({
      stack: await openStack({ yaml: defaultYaml.replace('sqlite:./gateway.db', store) }),
    }));

    for (const [rule, { check }] of Object.entries(rules)) {
      test.each(routesOf(kind, rule))(`%s: ${rule}`, (_, route) => check(shared().stack, route));
    }
  });

  describe.each(storeKinds)(`${ofApps}, on %s`, (kind) => {
    const scene = sharedOn(kind, openScene);

    test.each(routesOf(kind, ofApps))('%s', (_, route) => expectOfApps(scene(), route));
  });
}

const pathOf = ({ path }: AnyRoute) => path.replaceAll(/:\w+/g, 'none');

/** A request as a page sends it. A body without fields is invalid for every route with a body. */
function requestOf({ method }: AnyRoute, headers: Record<string, string | undefined> = {}) {
  return { method, body: {}, headers };
}

async function expectRights(stack: Stack, route: AnyRoute) {
  for (const role of roles) {
    const { login } = await openConsole(stack, { role });
    const status = await statusOf(stack, pathOf(route), requestOf(route, { ...login }));
    const { action } = route;
    const rights: readonly string[] = rightsOf(role, stack.config.console);
    const isAllowed = action === 'anyone' || action === 'signed-in' || rights.includes(action);
    const outcome = status === 403 ? 'forbidden' : status;
    if (!isAllowed) expect([role, outcome]).toEqual([role, 'forbidden']);
    else expect([200, 201, 202, 303, 400, 404, 409, 412, 501]).toContain(outcome);
  }
}

async function expectLogin(stack: Stack, route: AnyRoute) {
  const status = await statusOf(stack, pathOf(route), requestOf(route));
  if (route.action === 'anyone') expect(status).not.toBe(403);
  else expect(status).toBe(401);
}

async function expectConsole(stack: Stack, route: AnyRoute) {
  const { login } = await openConsole(stack, { role: 'operator' });
  const path = pathOf(route);
  const ask = (headers: Record<string, string | undefined>) =>
    statusOf(stack, path, requestOf(route, { ...login, ...headers }));
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
}

type Scene = Awaited<ReturnType<typeof openScene>>;

async function openScene(store: string) {
  const stack = await openStack({ yaml: axisYaml(store), hasConsole: true });
  const { ask: operator } = await openConsole(stack, { role: 'operator' });
  const own = await factsOf(stack, operator, { app: 'search', user: 'ann.own' });
  const foreign = await factsOf(stack, operator, { app: 'search-team', user: 'ada.lovelace' });
  const logins = new Map(await Promise.all(limited.map((role) => logInAs(stack, role))));
  return { stack, operator, own, foreign, logins, before: await stateOf(operator, foreign) };
}

async function expectOfApps(scene: Scene, route: AnyRoute) {
  const { stack, operator, foreign, logins, before } = scene;
  for (const role of limited.filter((one) => openTo(one)(route))) {
    for (const ask of logins.get(role) ?? []) {
      for (const one of appAxis[titleOf(route)] ?? []) {
        await expectCase(scene, { ask, route, one });
      }
    }
  }
  if (route.method === 'GET') return;
  expect(await stateOf(operator, foreign)).toEqual(before);
  expect((await stack.clock.run(stack.audit())).clean).toBe(true);
}

async function expectCase(
  scene: Scene,
  { ask, route, one }: { readonly ask: SendAs; readonly route: AnyRoute; readonly one: Case },
) {
  if (one.apps === 'none') return;
  const { stack, operator } = scene;
  const withReport = async (of: OfApp, asker: SendAs): Promise<OfApp> =>
    one.id === 'report' ? { ...of, report: await reportOf(stack, asker) } : of;
  const own = await withReport(scene.own, ask);
  const foreign = await withReport(scene.foreign, operator);
  const mine = await answerOf(ask, route, one, { ...own, dryRun: true });
  const theirs = await answerOf(ask, route, one, foreign);
  const planned = await answerOf(ask, route, one, { ...foreign, dryRun: true });
  if (one.apps === 'all') {
    for (const { status, body } of [mine, theirs, planned]) {
      expect([status, body.error]).toMatchObject([403, { code: 'FORBIDDEN' }]);
      expect(body.error.message).toContain('use a login for all apps');
    }
    return;
  }
  // A day that is not closed cannot be reopened.
  expect([200, 201, 202, 409], mine.text).toContain(mine.status);
  if (one.apps === 'one') {
    expect([theirs.status, planned.status]).toEqual([404, 404]);
    const none = await answerOf(ask, route, one, unknown);
    expect(renamed(theirs.text, foreign)).toBe(renamed(none.text, unknown));
    return;
  }
  expect(theirs.status).toBe(200);
  expect(Object.values(own).some((value) => mine.text.includes(value))).toBe(true);
  for (const value of Object.values(foreign)) expect(mine.text + theirs.text).not.toContain(value);
}

/** A session and a token of a role, limited to one app. */
async function logInAs(stack: Stack, role: Role) {
  const access = { name: `${role}-of-search`, role, apps: ['search'] };
  const { ask } = await openConsole(stack, access);
  const { token } = await stack.clock.run(issueToken(stack.admin, { ...access, days: 1 }));
  const headers = { authorization: `Bearer ${token}` };
  const sendByToken: SendAs = (path, options) => askConsole(stack)(path, { ...options, headers });
  return [role, [ask, sendByToken]] as const;
}
