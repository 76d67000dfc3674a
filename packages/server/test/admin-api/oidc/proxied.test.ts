import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { discover } from '../../../src/admin-api/auth/oidc-client.ts';
import { parseProxy } from '../../../src/lib/proxy-address.ts';
import { portOf, startProxy } from '../../support/proxy.ts';

const issuer = 'http://login.test';

test('the provider is called through the proxy of the environment', async () => {
  const provider = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize` }));
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const proxy = await startProxy({ targets: new Map([['login.test:80', portOf(provider)]]) });
  onTestFinished(async () => {
    await proxy.close();
    provider.close();
  });
  const http = parseProxy(proxy.url, 'HTTP_PROXY');
  if ('problem' in http) throw new Error(http.problem);
  const found = await discover({
    ...{ issuer, clientId: 'model-gateway', scopes: ['openid'], nameClaim: 'email' },
    ...{ roleClaim: 'groups', roles: new Map(), teams: new Map() },
    proxies: { http, noProxy: '' },
  });
  expect(found.serverMetadata()).toMatchObject({ issuer });
  expect(proxy.connectRequests).toMatchObject([{ target: 'login.test:80' }]);
});
