import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { createDisabledWebhooks } from '../../src/notify/disabled-webhooks.ts';
import { createOutbox } from '../../src/notify/outbox.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { event } from '../notify/support/process.ts';
import { startReceiver } from '../notify/support/receiver.ts';
import { secret, webhookTo } from '../notify/support/webhooks.ts';
import { type Desk, deskYaml, openDesk } from './support/desk.ts';

async function deskWith(hooks: string): Promise<Desk> {
  const desk = await openDesk({ yaml: `${deskYaml}notify: ${hooks}\n` });
  onTestFinished(() => desk.close());
  return desk;
}

const hookAt = (url: string, more = '') =>
  `[{ name: ops, url: "${url}/hush", secret: ${secret}, allowPrivate: true${more} }]`;

test('a webhook is tested, and its response is shown', async () => {
  const answers = [204, 400];
  const { received, url } = await startReceiver((response) =>
    response.writeHead(answers.shift() ?? 500).end('no such channel'),
  );
  const desk = await deskWith(hookAt(url));
  const tested = await desk.record(['notify', 'test', 'ops']);
  expect(tested).toEqual({
    ...{ hook: 'ops', id: expect.stringMatching(/^evt_/), isDelivered: true },
    ...{ status: 204, words: '', error: null },
  });
  const [got] = received;
  const headers = Object.fromEntries(
    Object.entries(got?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  expect(headers['webhook-id']).toBe(tested.id);
  expect(new Webhook(secret).verify(got?.body ?? '', headers)).toEqual({
    ...{ type: 'test', timestamp: expect.stringMatching(/Z$/), data: { hook: 'ops' } },
  });

  const refused = await desk.run(['notify', 'test', 'ops', '--config', desk.file]);
  expect(refused.code).toBe(1);
  expect(refused.out.join('\n')).toMatch(/result +answered 400\nresponse +no such channel/);
  expect(refused.errors).toEqual(['the webhook ops did not accept the test']);
  expect([...refused.out, ...refused.errors].join('\n')).not.toMatch(/hush|whsec/);
});

test('webhooks are listed with their hosts, without the rest of their URLs', async () => {
  const desk = await deskWith(hookAt('https://hooks.acme.example', ', events: [wallet], at: [90]'));
  expect(await desk.records(['notify', 'list'])).toEqual([
    {
      ...{ name: 'ops', state: 'on', origin: 'https://hooks.acme.example', format: 'standard' },
      ...{ events: ['wallet.low'], at: [90], apps: null },
      ...{ delivered: 0, waiting: 0, dead: 0, lastError: null },
    },
  ]);
  const { out } = await desk.run(['notify', 'list', '--config', desk.file]);
  expect(out.join('\n')).toMatch(/ops +https:\/\/hooks\.acme\.example +standard +on +0 +0 +0 +-/);
  expect(out.join('\n')).not.toMatch(/hush|whsec/);
  const none = await deskWith('[]');
  expect(await none.records(['notify', 'list'])).toEqual([]);
});

test('a webhook that is not in the file is a wrong value', async () => {
  const desk = await deskWith(hookAt('https://hooks.acme.example'));
  const { code, errors } = await desk.run(['notify', 'test', 'money', '--config', desk.file]);
  expect(code).toBe(2);
  expect(errors).toEqual(['unknown webhook money; configured: ops']);
});

test('a comparison with the file lists webhooks that are new, off or left', async () => {
  const { url } = await startReceiver((response) => response.end());
  const desk = await deskWith(hookAt(url));
  const ofHooks = async () => (await desk.record(['config', 'diff'])).hooks;
  expect(await ofHooks()).toEqual([{ hook: 'ops', atStart: 'tell', waiting: 0 }]);
  const store = openDirectStore(join(desk.folder, 'gateway.db'));
  const outbox = createOutbox({ store, ids: createIds(systemClock) });
  const hooks = [webhookTo(`${url}/hush`), webhookTo(url, { name: 'old' })];
  await outbox.raise([event('a', { atMs: Date.now() })], hooks);
  const left = { hook: 'old', atStart: 'end', waiting: 1 };
  expect(await ofHooks()).toEqual([{ hook: 'ops', atStart: 'leave', waiting: 1 }, left]);
  await createDisabledWebhooks(store).add(webhookTo(`${url}/hush`), Date.now());
  expect(await ofHooks()).toEqual([{ hook: 'ops', atStart: 'off', waiting: 0 }, left]);
  const { out } = await desk.run(['config', 'diff', '--config', desk.file]);
  expect(out.join('\n')).toMatch(/webhook ops +off: it answered 410/);
  expect(out.join('\n')).toMatch(/webhook old +removed from the file: receives no more events/);
  // A successful test enables the webhook again.
  await desk.record(['notify', 'test', 'ops']);
  expect(await ofHooks()).toEqual([{ hook: 'ops', atStart: 'leave', waiting: 0 }, left]);
  await store.close();
});
