import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { secret } from '../notify/support/hooks.ts';
import { startReceiver } from '../notify/support/receiver.ts';
import { type Desk, deskYaml, openDesk } from './support/desk.ts';

async function deskWith(hooks: string): Promise<Desk> {
  const desk = await openDesk({ yaml: `${deskYaml}notify: ${hooks}\n` });
  onTestFinished(() => desk.close());
  return desk;
}

const hookAt = (url: string, more = '') =>
  `[{ name: ops, url: "${url}/hush", secret: ${secret}, allowPrivate: true${more} }]`;

test('a hook is tested, and what it answers is said', async () => {
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
  expect(refused.out.join('\n')).toMatch(/result +answered 400\nit said +no such channel/);
  expect(refused.errors).toEqual(['the hook ops did not take the test']);
  expect([...refused.out, ...refused.errors].join('\n')).not.toMatch(/hush|whsec/);
});

test('hooks are listed with their hosts, and no more of their URLs', async () => {
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

test('a hook that the file does not have is a wrong value', async () => {
  const desk = await deskWith(hookAt('https://hooks.acme.example'));
  const { code, errors } = await desk.run(['notify', 'test', 'money', '--config', desk.file]);
  expect(code).toBe(2);
  expect(errors).toEqual(['the file has no hook money; it has ops']);
});
