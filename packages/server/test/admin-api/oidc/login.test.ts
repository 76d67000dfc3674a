import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listLines } from '../../../src/operations/audit-log/audit-log.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { storeKinds } from '../../support/shared-stack.ts';
import { callback, followHome, openBrowser } from './browser.ts';
import { type RealProvider, startRealProvider } from './real-provider.ts';

const login = '/admin/v1/login/oidc';
const ann = { email: 'ann@acme.example', email_verified: true };

const yamlOn = (store: string, issuer: string) => `
company: acme
store: "${store}"
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search }, { name: tutor }, { name: other }]
console:
  oidc:
    issuer: ${issuer}
    clientId: model-gateway
    timeoutMs: 60000
    clientSecret: oidc-s3cret
    roles: { platform: operator, controlling: finance, search-team: team, tutor-team: team }
    teams: { search-team: [search], tutor-team: [tutor] }
`;

describe.each(storeKinds)('a company login, on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let provider: RealProvider;
  let server: TestServer;
  let other: TestServer | undefined;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    provider = await startRealProvider({ callback, areInToken: kind === 'sqlite' });
    const yaml = yamlOn((await postgres?.database()) ?? 'sqlite:./gateway.db', provider.issuer);
    server = await startServer({ yaml });
    if (kind === 'postgres') other = await startServer({ yaml });
  });
  afterAll(async () => {
    await other?.close();
    await server.close();
    await provider.close();
    await postgres?.close();
  });
  beforeEach(() => {
    provider.person = { ...ann, groups: ['platform'] };
  });

  async function logIn(browser = openBrowser(server), back = '/console/calls?app=search') {
    const begun = await browser.ask(`${login}?back=${encodeURIComponent(back)}`);
    expect(begun.status).toBe(303);
    const home = await followHome(String(begun.headers.location));
    const path = home.pathname + home.search;
    const ended = await browser.ask(path, { 'sec-fetch-site': 'cross-site' });
    return { browser, path, ended, page: String(ended.body) };
  }

  async function session({ ask }: ReturnType<typeof openBrowser>) {
    const { status, body } = await ask('/admin/v1/session');
    return { status, ...JSON.parse(String(body)) };
  }

  test('leads through the provider to the requested page', async () => {
    const { browser, ended, page } = await logIn();
    expect(ended.status).toBe(200);
    expect(page).toContain('content="0;url=/console/calls?app=search#secret=');
    expect(await session(browser)).toMatchObject({
      ...{ status: 200, name: 'ann@acme.example', role: 'operator', apps: null, via: 'session' },
    });
    const search = { subject: undefined, actor: 'console:ann@acme.example', since: 0, limit: 1 };
    expect(await listLines(server.service.admin, search)).toMatchObject([
      { action: 'console.login', after: 'operator' },
    ]);
  });

  test('gets the first role of the table, and a team gets the apps of all its groups', async () => {
    provider.person = { ...ann, groups: ['tutor-team', 'unknown', 'search-team'] };
    const team = await session((await logIn()).browser);
    expect(team).toMatchObject({ role: 'team', apps: ['search', 'tutor'] });
    provider.person = { ...ann, groups: ['search-team', 'controlling'] };
    expect(await session((await logIn()).browser)).toMatchObject({ role: 'finance', apps: null });
    provider.person = { ...ann, groups: 'controlling' };
    expect(await session((await logIn()).browser)).toMatchObject({ role: 'finance' });
  });

  test('with a new role ends the sessions of the old one', async () => {
    const before = (await logIn()).browser;
    provider.person = { ...ann, groups: ['controlling'] };
    const after = (await logIn()).browser;
    expect((await session(before)).status).toBe(401);
    expect(await session(after)).toMatchObject({ role: 'finance' });
    provider.person = { ...ann, groups: ['none'] };
    const { ended, browser } = await logIn();
    expect(ended.status).toBe(403);
    expect((await session(browser)).status).toBe(401);
  });

  test.each([
    [{ ...ann, groups: [] }, 'None of your groups maps to a console role'],
    [{ ...ann }, 'None of your groups maps to a console role'],
    [{ ...ann, groups: { platform: true } }, 'None of your groups maps to a console role'],
    [{ groups: ['platform'] }, 'The provider did not send your email'],
    [{ ...ann, email: 'a b', groups: ['platform'] }, 'is not a valid name'],
    [{ ...ann, email_verified: false, groups: ['platform'] }, 'has not verified your email'],
  ])('of %j is rejected with a page that names the reason', async (person, why) => {
    provider.person = person;
    const { browser, ended, page } = await logIn();
    expect(ended.status).toBe(403);
    expect(page).toContain(why);
    expect((await session(browser)).status).toBe(401);
  });

  test('is valid once: neither its address nor its cookie opens another session', async () => {
    const browser = openBrowser(server);
    const begun = await browser.ask(login);
    const state = new Map(browser.cookies);
    const home = await followHome(String(begun.headers.location));
    const path = home.pathname + home.search;
    expect((await browser.ask(path)).status).toBe(200);
    expect((await browser.ask(path)).status).toBe(401);
    const thief = openBrowser(server);
    for (const [name, value] of state) thief.cookies.set(name, value);
    expect((await thief.ask(path)).status).toBe(401);
    expect((await session(thief)).status).toBe(401);
  });

  test('ignores a cookie of its name that another port has set', async () => {
    for (const planted of [
      'mg-login_8788=x',
      `mg-login_8788=${btoa('["s","n","v","/console/"]')}`,
    ]) {
      const browser = openBrowser(server);
      const begun = await browser.ask(login);
      const home = await followHome(String(begun.headers.location));
      const own = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
      const headers = { cookie: `${planted}; ${own}` };
      expect((await browser.ask(home.pathname + home.search, headers)).status).toBe(200);
      expect((await session(browser)).status).toBe(200);
    }
  });

  test('belongs to the browser that began it', async () => {
    const victim = openBrowser(server);
    const begun = await openBrowser(server).ask(login);
    const home = await followHome(String(begun.headers.location));
    // A link that is sent to another person does not log that person in.
    expect((await victim.ask(home.pathname + home.search)).status).toBe(401);
    await victim.ask(login);
    expect((await victim.ask(home.pathname + home.search)).status).toBe(401);
    expect((await session(victim)).status).toBe(401);
  });

  test('gets a new session id for the browser', async () => {
    const { browser } = await logIn();
    const [[name = '', before = ''] = []] = [...browser.cookies];
    const secret = browser.storage.get('secret') ?? '';
    await logIn(browser);
    expect(browser.cookies.get(name)).not.toBe(before);
    const old = openBrowser(server);
    old.cookies.set(name, before);
    old.storage.set('secret', secret);
    expect((await session(old)).status).toBe(401);
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/console//evil.example',
    '/console/../admin/v1/session',
    '/console/"><script>',
    'javascript:alert(1)',
    '/consolex',
    '',
  ])('does not lead to %j', async (back) => {
    const { page } = await logIn(openBrowser(server), back);
    const [, url = ''] = /content="0;url=([^"#]*)/.exec(page) ?? [];
    expect(url).toBe('/console/');
    expect(page).not.toContain('evil');
  });

  test('leaves no token, code or secret in the log or a page', async () => {
    const from = server.logLines.length;
    const { path, page } = await logIn();
    const [, code = ''] = /code=([^&]+)/.exec(path) ?? [];
    expect(code).not.toBe('');
    await openBrowser(server).ask(path);
    const texts = JSON.stringify([server.logLines.slice(from), page]);
    for (const secret of [code, 'oidc-s3cret', 'eyJ']) expect(texts).not.toContain(secret);
  });

  test('that began at one replica can end at another', async () => {
    const browser = openBrowser(server);
    const begun = await browser.ask(login);
    const home = await followHome(String(begun.headers.location));
    const second = openBrowser(other ?? server);
    for (const [name, value] of browser.cookies) second.cookies.set(name, value);
    expect((await second.ask(home.pathname + home.search)).status).toBe(200);
    for (const [name, value] of second.cookies) browser.cookies.set(name, value);
    browser.storage.set('secret', second.storage.get('secret') ?? '');
    expect((await session(browser)).status).toBe(200);
  });
});
