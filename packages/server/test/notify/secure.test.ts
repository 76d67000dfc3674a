import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../../../harness/process.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createResolve } from '../../src/notify/resolve.ts';
import { createSend } from '../../src/notify/send.ts';
import { createSelfSigned } from '../support/self-signed.ts';
import { startReceiver } from './support/receiver.ts';
import { secret, webhookTo } from './support/webhooks.ts';

const own = createSelfSigned('localhost');
const parts = { clock: systemClock, resolve: createResolve(), version: '1.2.3' };
const message = { id: 'evt_1', body: '{"type":"test"}' };

/** A receiver over TLS, with the name in its certificate. */
async function startSecure() {
  const { received, url } = await startReceiver((response) => response.end(), own);
  return { received, url: url.replace('127.0.0.1', 'localhost'), byAddress: url };
}

test('a webhook over TLS is sent to the name in its certificate', async () => {
  const { received, url } = await startSecure();
  const send = createSend({ ...parts, ca: own.cert });
  expect(await send(webhookTo(`${url}/a`), message)).toMatchObject({
    kind: 'answered',
    status: 200,
  });
  expect(received).toMatchObject([{ path: '/a', body: message.body }]);
});

test('nothing is sent if the certificate is not trusted, or has another name', async () => {
  const { received, url, byAddress } = await startSecure();
  const untrusted = await createSend(parts)(webhookTo(url), message);
  expect(untrusted).toEqual({
    kind: 'failed',
    reason: 'not sent: its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
  });
  const other = await createSend({ ...parts, ca: own.cert })(webhookTo(byAddress), message);
  expect(other).toEqual({
    kind: 'failed',
    reason: 'not sent: its certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)',
  });
  expect(received).toEqual([]);
});

const launcher = fileURLToPath(new URL('../../bin/model-gateway.js', import.meta.url));
const yamlAt = (url: string) => `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
notify: [{ name: ops, url: "${url}", secret: ${secret}, allowPrivate: true }]
`;

test('an operator’s own authority is trusted by NODE_EXTRA_CA_CERTS', async () => {
  const { received, url } = await startSecure();
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-secure-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'gateway.yaml'), yamlAt(url));
  await writeFile(join(folder, 'ca.pem'), own.cert);
  const command = [launcher, 'notify', 'test', 'ops', '--config', join(folder, 'gateway.yaml')];
  const notify = (environment: NodeJS.ProcessEnv) =>
    run(process.execPath, command, { environment });
  await expect(notify({})).rejects.toMatchObject({
    stdout: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
  });
  expect(received).toEqual([]);
  await notify({ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });
  expect(received).toHaveLength(1);
});
