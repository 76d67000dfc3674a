import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer } from '../../support/server.ts';
import { openBrowser } from './browser.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider.ts';

const login = '/admin/v1/login/oidc';
let provider: FakeProvider;
let nonce = '';

beforeAll(async () => {
  provider = await startFakeProvider(() => nonce);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.claims = {};
  provider.userInfo = undefined;
});

/** The role of the session that a login opens, or the rejection with its reason in the log. */
async function logIn(keys: string) {
  const yaml = `
company: acme
platforms: { sandbox: { kind: simulator } }
console: { oidc: { issuer: "${provider.issuer}", clientId: model-gateway, timeoutMs: 60000, ${keys} } }
`;
  const server = await startServer({ yaml });
  try {
    const browser = openBrowser(server);
    const begun = await browser.ask(login);
    const { searchParams } = new URL(String(begun.headers.location));
    nonce = searchParams.get('nonce') ?? '';
    const query = new URLSearchParams({ code: 'c0de', state: searchParams.get('state') ?? '' });
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const { status } = await browser.ask(`${login}/callback?${query}`, foreign);
    const line = server.logLines.find(({ message }) => message === 'console login failed');
    if (status !== 200) return { status, why: line?.fields.why };
    return { status, role: JSON.parse(String((await browser.ask('/admin/v1/session')).body)).role };
  } finally {
    await server.close();
  }
}

const byName = 'roles: { platform: viewer }';
const byRole = 'nameClaim: sub, roleClaim: email, roles: { ann@acme.example: operator }';
const byNeither = 'nameClaim: sub, roles: { platform: viewer }';
const asks = [
  ['the name', byName],
  ['the role', byRole],
] as const;
const notVerified = 'The provider has not verified your email address.';

describe.each(asks)('an address that grants %s', (_, keys) => {
  const words = [false, 'false', 0, 1, null, '', 'True', 'yes', [true], {}];
  test.each(words)('is rejected with email_verified %j', async (word) => {
    provider.claims = { email_verified: word };
    const refused = { status: 403, why: notVerified };
    expect(await logIn(keys)).toEqual(refused);
    expect(await logIn(`${keys}, emailVerified: assumed`)).toEqual(refused);
  });

  test.each([true, 'true'])('counts with email_verified %j', async (word) => {
    provider.claims = { email_verified: word };
    expect(await logIn(keys)).toMatchObject({ status: 200 });
  });

  test('counts without the claim where the file assumes it', async () => {
    provider.claims = { email_verified: undefined };
    const { status, why } = await logIn(keys);
    expect([status, why]).toEqual([403, expect.stringContaining('console.oidc.emailVerified')]);
    expect(await logIn(`${keys}, emailVerified: required`)).toEqual({ status, why });
    expect(await logIn(`${keys}, emailVerified: assumed`)).toMatchObject({ status: 200 });
  });

  const none = { email: undefined, email_verified: undefined };
  const ann = { email: 'ann@acme.example' };
  test.each([
    ['both from userinfo', none, { ...ann, email_verified: 'true' }, 200],
    ['userinfo, where it is not verified', none, { ...ann, email_verified: false }, 403],
    ['userinfo, with the word of the token', { email: undefined }, ann, 403],
    [
      'the token, with the word of userinfo',
      { email_verified: undefined },
      { email_verified: true },
      403,
    ],
    [
      'userinfo alone has the word',
      { email_verified: undefined },
      { ...ann, email_verified: true },
      200,
    ],
    ['the token, not userinfo', {}, { ...ann, email_verified: false }, 200],
    [
      'the word is of another address',
      { email_verified: undefined },
      { email: 'eve@acme.example', email_verified: false },
      403,
    ],
  ])(
    'and its email_verified come from one document: %s',
    async (_case, claims, userInfo, status) => {
      provider.claims = claims;
      provider.userInfo = userInfo;
      expect(await logIn(keys)).toMatchObject({ status });
    },
  );

  test.each([
    ['userinfo', { email_verified: undefined }, { email_verified: false }],
    ['the token', { email: undefined, email_verified: false }, ann],
  ])('is rejected where it is assumed and %s denies it', async (_document, claims, userInfo) => {
    provider.claims = claims;
    provider.userInfo = userInfo;
    const keysAssumed = `${keys}, emailVerified: assumed`;
    expect(await logIn(keysAssumed)).toEqual({ status: 403, why: notVerified });
  });
});

test('an address that grants neither name nor role is not checked', async () => {
  provider.claims = { email_verified: false };
  expect(await logIn(byNeither)).toEqual({ status: 200, role: 'viewer' });
});
