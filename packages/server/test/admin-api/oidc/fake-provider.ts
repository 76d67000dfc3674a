import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** A provider whose responses a test chooses. */
export interface FakeProvider {
  readonly issuer: string;
  /** Changes to the valid claims of the ID token; undefined removes a claim. */
  claims: Readonly<Record<string, unknown>>;
  /** Fields of userinfo in addition to the subject; undefined for a provider without userinfo. */
  userInfo: Readonly<Record<string, unknown>> | undefined;
  /** Replacements for the response of a path. */
  readonly instead: Map<string, (response: ServerResponse) => void>;
  readonly requestedPaths: string[];
  close(): Promise<void>;
}

/** Accepts every code. The token has the nonce of the last login. */
export async function startFakeProvider(nonce: () => string): Promise<FakeProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const issuer = `http://127.0.0.1:${port}`;
  const known: FakeProvider = {
    issuer,
    claims: {},
    userInfo: undefined,
    instead: new Map(),
    requestedPaths: [],
    close,
  };
  server.on('request', async (request, response) => {
    request.resume();
    const path = (request.url ?? '').split('?')[0] ?? '';
    known.requestedPaths.push(path);
    const instead = known.instead.get(path);
    if (instead !== undefined) return instead(response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await answerTo(path)));
  });
  return known;

  async function answerTo(path: string): Promise<object> {
    if (path.endsWith('/openid-configuration')) {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        ...(known.userInfo === undefined ? {} : { userinfo_endpoint: `${issuer}/userinfo` }),
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      };
    }
    if (path === '/userinfo') return { sub: 'p', ...known.userInfo };
    if (path === '/jwks') return { keys: [jwk] };
    return { access_token: 'acc3ss', token_type: 'Bearer', id_token: await idToken() };
  }

  function idToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const right = {
      ...{ iss: issuer, aud: 'model-gateway', sub: 'p', iat: now, exp: now + 300 },
      ...{ nonce: nonce(), email: 'ann@acme.example', email_verified: true, groups: ['platform'] },
    };
    const claims = Object.entries({ ...right, ...known.claims }).filter(
      ([, value]) => value !== undefined,
    );
    const token = new SignJWT(Object.fromEntries(claims));
    return token.setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey);
  }

  async function close() {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
}
