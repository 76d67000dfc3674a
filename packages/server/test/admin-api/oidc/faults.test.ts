import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../../../harness/until.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { openBrowser } from './browser.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider.ts';

const login = '/admin/v1/login/oidc';
let provider: FakeProvider;
let server: TestServer;
let nonce = '';

// The verdicts do not depend on the speed of the machine.
const patientMs = 60_000;
const yaml = (more = '', timeoutMs = patientMs) => `
company: acme
platforms: { sandbox: { kind: simulator } }
console:
  oidc:
    issuer: ${provider.issuer}
    clientId: model-gateway
    timeoutMs: ${timeoutMs}
    roles: { platform: operator }
${more}`;

beforeAll(async () => {
  provider = await startFakeProvider(() => nonce);
});
afterAll(() => provider.close());

beforeEach(async () => {
  provider.claims = {};
  provider.instead.clear();
  provider.requestedPaths.length = 0;
  server = await startServer({ yaml: yaml() });
  return () => server.close();
});

/** Like a browser that the provider has sent back with a code. */
async function logIn(browser = openBrowser(server), change = (_: URLSearchParams) => {}) {
  const begun = await browser.ask(login);
  if (begun.status !== 303) return begun;
  const { searchParams } = new URL(String(begun.headers.location));
  nonce = searchParams.get('nonce') ?? '';
  const query = new URLSearchParams({ code: 'c0de', state: searchParams.get('state') ?? '' });
  change(query);
  return browser.ask(`${login}/callback?${query}`, { 'sec-fetch-site': 'cross-site' });
}

const hour = 3_600;
const now = () => Math.floor(Date.now() / 1_000);

describe('a token of the provider', () => {
  test('that is valid opens a session, without earlier requests', async () => {
    expect(provider.requestedPaths).toEqual([]);
    expect((await logIn()).status).toBe(200);
  });

  test.each([
    ['another issuer', () => ({ iss: 'https://evil.example' })],
    ['another audience', () => ({ aud: 'another' })],
    ['another nonce', () => ({ nonce: 'x' })],
    ['no nonce', () => ({ nonce: undefined })],
    ['no subject', () => ({ sub: undefined })],
    ['an end that is over', () => ({ iat: now() - 2 * hour, exp: now() - hour })],
    ['no end', () => ({ exp: undefined })],
    ['a begin to come', () => ({ nbf: now() + hour })],
    [
      'several audiences, authorized for another',
      () => ({ aud: ['model-gateway', 'x'], azp: 'x' }),
    ],
  ])('with %s is rejected', async (_, claims) => {
    provider.claims = claims();
    const answer = await logIn();
    expect(answer.status).toBe(401);
    expect(String(answer.body)).toContain('The login is invalid');
    const { fields } = server.logLines.find(({ message }) => message.includes('login')) ?? {};
    expect(JSON.stringify(fields)).not.toMatch(/eyJ|c0de|acc3ss/);
  });

  test('of another key is rejected', async () => {
    provider.instead.set('/jwks', (response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"keys":[]}');
    });
    expect((await logIn()).status).toBe(401);
  });
});

describe('a callback', () => {
  const changes: readonly (readonly [string, (query: URLSearchParams) => void])[] = [
    ['another state', (query) => query.set('state', 'x')],
    ['no state', (query) => query.delete('state')],
    ['no code', (query) => query.delete('code')],
    ['two codes', (query) => query.append('code', 'second')],
    ['another issuer', (query) => query.set('iss', 'https://x.example')],
    ['a refusal', (query) => query.set('error', 'access_denied')],
  ];

  test.each(changes)('with %s is rejected', async (_, change) => {
    const { status } = await logIn(openBrowser(server), change);
    expect([400, 401]).toContain(status);
  });

  test.each(['', 'x', Buffer.from('[]').toString('base64url'), '%00', 'e30'])(
    'with the cookie %j is rejected',
    async (value) => {
      const browser = openBrowser(server);
      browser.cookies.set('mg-login_8788', value);
      expect((await browser.ask(`${login}/callback?code=c&state=s`)).status).toBe(401);
    },
  );

  test('may come from another site, but the start of a login may not', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site' };
    expect((await openBrowser(server).ask(login, foreign)).status).toBe(403);
    expect((await openBrowser(server).ask('/admin/v1/session', foreign)).status).toBe(403);
    expect((await openBrowser(server).ask(login, { 'sec-fetch-site': 'none' })).status).toBe(303);
  });

  test('that fails too often must wait', async () => {
    const bad = () => openBrowser(server).ask(`${login}/callback?code=c&state=s`);
    for (let n = 0; n < 10; n++) expect((await bad()).status).toBe(401);
    expect((await bad()).status).toBe(429);
    // A valid login still succeeds.
    expect((await logIn()).status).toBe(200);
  });

  test('sets its cookie for 10 minutes, only for logins, and not for scripts', async () => {
    const browser = openBrowser(server);
    await browser.ask(login);
    expect(browser.set).toEqual([
      expect.stringMatching(
        /^mg-login_8788=[\w-]+; Path=\/admin\/v1\/login\/oidc; HttpOnly; SameSite=Lax; Max/,
      ),
    ]);
  });

  test('uses the name of console.url behind a proxy with TLS', async () => {
    const own = await startServer({ yaml: yaml('  url: https://gateway-admin.acme.example\n') });
    try {
      const browser = openBrowser(own);
      const begun = await browser.ask(login, { host: 'gateway-admin.acme.example' });
      const { searchParams } = new URL(String(begun.headers.location));
      expect(searchParams.get('redirect_uri')).toBe(
        'https://gateway-admin.acme.example/admin/v1/login/oidc/callback',
      );
      expect(browser.set[0]).toMatch(
        /^__Host-mg-login=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
      );
    } finally {
      await own.close();
    }
  });
});

/** Continues as long as the client reads. */
function trickle(response: ServerResponse) {
  response.setHeader('content-type', 'application/json');
  const timer = setInterval(() => response.write(' '), 1_000);
  response.on('close', () => clearInterval(timer));
}

describe('a provider', () => {
  const configuration = '/.well-known/openid-configuration';
  const elsewhere = { location: 'http://127.0.0.1:1/' };
  const json = ['content-type', 'application/json'] as const;
  const anotherIssuer = '{"issuer":"https://evil.example"}';

  const faults: readonly (readonly [string, (response: ServerResponse) => void])[] = [
    ['is down', (response) => response.destroy()],
    ['answers 500', (response) => response.writeHead(500).end()],
    ['answers with a page', (response) => response.end('<html>')],
    ['answers with two megabytes', (response) => response.end(`"${'x'.repeat(2_000_000)}"`)],
    ['sends elsewhere', (response) => response.writeHead(302, elsewhere).end()],
    ['is another one', (response) => response.setHeader(...json).end(anotherIssuer)],
  ];

  test.each(faults)('that %s fails only its logins, until it recovers', async (_, answer) => {
    provider.instead.set(configuration, answer);
    const refused = await logIn();
    expect(refused.status).toBe(502);
    expect(String(refused.body)).toContain('is not responding');
    provider.instead.clear();
    expect((await logIn()).status).toBe(200);
  });

  const silent: typeof faults = [
    ['says nothing', () => {}],
    ['says a byte a second', trickle],
  ];

  test.each(silent)('that %s is awaited at most timeoutMs', async (_, answer) => {
    const hasty = await startServer({ yaml: yaml('', 1_000) });
    try {
      provider.instead.set(configuration, answer);
      expect((await logIn(openBrowser(hasty))).status).toBe(502);
      provider.instead.clear();
      await until(async () => (await logIn(openBrowser(hasty))).status === 200);
    } finally {
      await hasty.close();
    }
  });

  test('that is unavailable when a code is redeemed is not the user’s fault', async () => {
    provider.instead.set('/token', (response) => void response.destroy());
    expect((await logIn()).status).toBe(502);
  });
});

test('without a provider there is no such login', async () => {
  const own = await startServer();
  try {
    expect((await openBrowser(own).ask(login)).status).toBe(404);
    expect((await openBrowser(own).ask(`${login}/callback?code=c&state=s`)).status).toBe(404);
    const { body } = await openBrowser(own).ask('/admin/v1/session');
    expect(JSON.parse(String(body)).error.now).toEqual({ oidc: false });
  } finally {
    await own.close();
  }
});

test('a page without a login learns that the provider’s login exists', async () => {
  const { body } = await openBrowser(server).ask('/admin/v1/session');
  expect(JSON.parse(String(body)).error.now).toEqual({ oidc: true });
});
