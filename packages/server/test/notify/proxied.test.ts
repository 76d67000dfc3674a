import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { type Proxies, parseProxy } from '../../src/lib/proxy-address.ts';
import { createSend } from '../../src/notify/send.ts';
import { startProxy } from '../support/proxy.ts';
import { startReceiver } from './support/receiver.ts';
import { webhookTo } from './support/webhooks.ts';

const message = { id: 'evt_1', body: '{"type":"test"}' };

/** Sends a webhook through a proxy, from a machine that resolves its name to these addresses. */
async function sendTo(target: string, addresses: readonly string[]) {
  const { received, url } = await startReceiver((response) => response.end());
  const targets = new Map([['hooks.test:80', Number(new URL(url).port)]]);
  const proxy = await startProxy({ targets });
  onTestFinished(() => proxy.close());
  const http = parseProxy(proxy.url, 'HTTP_PROXY');
  if ('problem' in http) throw new Error(http.problem);
  const proxies: Proxies = { http, noProxy: '' };
  const resolve = async () => {
    if (addresses.length === 0) throw new Error('ENOTFOUND');
    return addresses.map((address) => ({ address, family: 4 }));
  };
  const send = createSend({ clock: systemClock, resolve, version: '1.2.3' });
  const sent = await send(webhookTo(target, { allowPrivate: false, proxies }), message);
  return { sent, received, asked: proxy.connectRequests };
}

test.each([[[]], [['93.184.216.34']]])(
  'a webhook goes through the proxy, resolved as %j',
  async (known) => {
    const { sent, received, asked } = await sendTo('http://hooks.test/a', known);
    expect(sent).toMatchObject({ kind: 'answered', status: 200 });
    expect(received).toMatchObject([{ path: '/a', body: message.body }]);
    expect(asked).toMatchObject([{ target: 'hooks.test:80' }]);
  },
);

test.each([
  ['http://hooks.test/a', ['10.0.0.1']],
  ['http://10.0.0.1/a', []],
  ['http://169.254.169.254/a', []],
])('a private address is rejected before the proxy: %s', async (target, known) => {
  const { sent, asked } = await sendTo(target, known);
  expect(sent).toMatchObject({ kind: 'failed', reason: expect.stringContaining('not public') });
  expect(asked).toEqual([]);
});
