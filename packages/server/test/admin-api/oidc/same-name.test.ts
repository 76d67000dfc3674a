import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listLines } from '../../../src/operations/audit-log/audit-log.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { storeKinds } from '../../support/shared-stack.ts';
import { openBrowser } from './browser.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider.ts';

const login = '/admin/v1/login/oidc';

describe.each(storeKinds)('two people with the same name, on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let provider: FakeProvider;
  let server: TestServer;
  let nonce = '';
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    provider = await startFakeProvider(() => nonce);
    server = await startServer({
      yaml: `
company: acme
store: "${(await postgres?.database()) ?? 'sqlite:./gateway.db'}"
platforms: { sandbox: { kind: simulator } }
console:
  oidc:
    issuer: ${provider.issuer}
    clientId: model-gateway
    timeoutMs: 60000
    nameClaim: preferred_username
    roles: { platform: operator, staff: viewer }
`,
    });
  });
  afterAll(async () => {
    await server?.close();
    await provider?.close();
    await postgres?.close();
  });

  async function logIn(sub: string, group: string, cookies = new Map<string, string>()) {
    provider.claims = { sub, preferred_username: 'ann', groups: [group] };
    const browser = openBrowser(server);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    const begun = await browser.ask(login);
    const { searchParams } = new URL(String(begun.headers.location));
    nonce = searchParams.get('nonce') ?? '';
    const query = new URLSearchParams({ code: 'c0de', state: searchParams.get('state') ?? '' });
    expect((await browser.ask(`${login}/callback?${query}`)).status).toBe(200);
    return browser;
  }

  async function statusOf({ ask }: Awaited<ReturnType<typeof logIn>>): Promise<number> {
    return (await ask('/admin/v1/session')).status;
  }

  test('have separate sessions, and a new role ends those of its person', async () => {
    const operator = await logIn('subject-1', 'platform');
    const viewer = await logIn('subject-2', 'staff');
    expect([await statusOf(operator), await statusOf(viewer)]).toEqual([200, 200]);
    const demoted = await logIn('subject-1', 'staff');
    expect([await statusOf(operator), await statusOf(demoted)]).toEqual([401, 200]);
    expect(await statusOf(viewer)).toBe(200);
    const search = { subject: undefined, actor: undefined, since: 0, action: 'console.logout' };
    const lines = await listLines(server.service.admin, { ...search, limit: 9 });
    expect(lines).toMatchObject([{ before: 'ann', via: expect.stringMatching(/^viewer session/) }]);
  });

  test('are not ended by a callback whose cookie has only an id', async () => {
    const operator = await logIn('subject-1', 'platform');
    const [[name = '', value = ''] = []] = operator.cookies;
    const forged = new Map([[name, `${value.slice(0, 17)}x`]]);
    await logIn('subject-2', 'staff', forged);
    expect(await statusOf(operator)).toBe(200);
  });
});
