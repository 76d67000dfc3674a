import { once } from 'node:events';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

/** A provider of company accounts: the implementation that its vendors certify. */
export interface RealProvider {
  readonly issuer: string;
  /** The claims about a person from now on. */
  person: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Logs everyone in at once, as `person`. The claims are in the ID token, or only at userinfo. */
export async function startRealProvider(options: {
  readonly callback: string;
  readonly areInToken: boolean;
}): Promise<RealProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const issuer = `http://127.0.0.1:${port}`;
  const known: RealProvider = { issuer, person: {}, close };
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: 'model-gateway', client_secret: 'oidc-s3cret' },
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [options.callback],
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['groups'] },
    conformIdTokenClaims: !options.areInToken,
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...known.person }),
    }),
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      const grant = new provider.Grant({
        ...(client === undefined ? {} : { clientId: client.clientId }),
        ...(session?.accountId === undefined ? {} : { accountId: session.accountId }),
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response);
    const login = { accountId: 'person-1' };
    void provider.interactionFinished(request, response, { login });
  });
  return known;

  async function close() {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
}
