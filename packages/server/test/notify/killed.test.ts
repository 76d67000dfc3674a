import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultHookEvents } from '../../src/domain/notify.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { createOutbox } from '../../src/notify/outbox.ts';
import { openEngineStore } from '../conformance/engine-store.ts';
import { startServed } from '../support/process.ts';
import { until } from '../support/until.ts';
import { hookTo, secret } from './support/hooks.ts';
import { event } from './support/process.ts';
import { startReceiver } from './support/receiver.ts';

const yamlAt = (url: string) => `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
notify: [{ name: ops, url: "${url}", secret: ${secret}, allowPrivate: true }]
`;

test('after a kill -9 amid a delivery it is sent again, under the same id', async () => {
  // The first attempt gets no answer, so that the process is killed before it could note one.
  const { received, url } = await startReceiver((response) => {
    if (received.length > 1) response.writeHead(204).end();
  });
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-killed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'gateway.yaml'), yamlAt(url));
  const command = ['serve', '--config', join(folder, 'gateway.yaml')];
  const first = await startServed(command, { cwd: folder });
  const store = openEngineStore(join(folder, 'gateway.db'));
  const outbox = createOutbox({ store, ids: createIds(systemClock) });
  const atMs = Date.now();
  await outbox.raise([event('a', { atMs })], [hookTo(url, { events: defaultHookEvents })]);
  await until(() => received.length === 1);
  expect(await first.end('SIGKILL')).toBe('SIGKILL');

  const second = await startServed(command, { cwd: folder });
  await until(() => received.length === 2);
  await until(async () => (await outbox.waiting()).length === 0);
  expect(await second.end('SIGTERM')).toBe(0);
  expect(second.log()).not.toMatch(/whsec|"level":"error"/);
  const [one, other] = received.map(({ headers, body }) => [headers['webhook-id'], body]);
  expect(other).toEqual(one);
  await store.close();
});
