import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { defaultWebhookEvents } from '../../src/domain/notify.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createOutbox } from '../../src/notify/outbox.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { event } from '../../test/notify/support/process.ts';
import { startReceiver } from '../../test/notify/support/receiver.ts';
import { secret, webhookTo } from '../../test/notify/support/webhooks.ts';
import { startOwnPostgres } from '../../test/support/postgres-own.ts';
import { openPostgresStore } from '../../test/support/postgres-store.ts';
import { startServed } from '../../test/support/process.ts';

const yamlAt = (url: string, store: string) => `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: "${store}"
platforms: { sandbox: { kind: simulator } }
notify: [{ name: ops, url: "${url}", secret: ${secret}, allowPrivate: true }]
`;

/** A service with a webhook at `url`, and its store. */
async function openCommand(url: string, target: string) {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-killed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'gateway.yaml'), yamlAt(url, target));
  const command = ['serve', '--config', join(folder, 'gateway.yaml')];
  const serve = async () => {
    const served = await startServed(command, { cwd: folder });
    onTestFinished(() => void served.process.kill('SIGKILL'));
    return served;
  };
  return { folder, serve };
}

async function raise(store: Store, url: string) {
  const outbox = createOutbox({ store, ids: createIds(systemClock) });
  const hooks = [webhookTo(url, { events: defaultWebhookEvents })];
  await outbox.raise([event('a', { atMs: Date.now() })], hooks);
  return outbox;
}

test('after a kill -9 during a delivery it is sent again, under the same id', async () => {
  // The first attempt gets no response, so the process is killed before it could record one.
  const { received, url } = await startReceiver((response) => {
    if (received.length > 1) response.writeHead(204).end();
  });
  const { folder, serve } = await openCommand(url, 'sqlite:./gateway.db');
  const first = await serve();
  const store = openDirectStore(join(folder, 'gateway.db'));
  const outbox = await raise(store, url);
  await until(() => received.length === 1);
  expect(await first.end('SIGKILL')).toBe('SIGKILL');

  const second = await serve();
  await until(() => received.length === 2);
  await until(async () => (await outbox.waiting()).length === 0);
  expect(await second.end('SIGTERM')).toBe(0);
  expect(second.log()).not.toMatch(/whsec|"level":"error"/);
  const [one, other] = received.map(({ headers, body }) => [headers['webhook-id'], body]);
  expect(other).toEqual(one);
  await store.close();
});

test('a replica takes over a delivery that a killed one had begun', async () => {
  const server = await startOwnPostgres();
  onTestFinished(() => server.close());
  const { received, url } = await startReceiver((response) => {
    if (received.length > 1) response.writeHead(204).end();
  });
  const target = await server.database();
  const { serve } = await openCommand(url, target);
  const first = await serve();
  const store = await openPostgresStore({ url: target, log: silentLog });
  onTestFinished(() => store.close());
  const outbox = await raise(store, url);
  await until(() => received.length === 1);
  const second = await serve();
  expect(await first.end('SIGKILL')).toBe('SIGKILL');

  await until(() => received.length === 2);
  await until(async () => (await outbox.waiting()).length === 0);
  expect(await second.end('SIGTERM')).toBe(0);
  const [one, other, ...more] = received.map(({ headers, body }) => [headers['webhook-id'], body]);
  expect(other).toEqual(one);
  expect(more).toEqual([]);
  expect(second.log()).not.toMatch(/whsec|"level":"error"/);
});
