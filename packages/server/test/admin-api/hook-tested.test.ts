import { expect, test } from 'vitest';
import { startReceiver } from '../notify/support/receiver.ts';
import { openStack } from '../support/stack.ts';
import { consoleOf } from './support/console-of.ts';

const secret = `whsec_${Buffer.from('a secret of a test, long enough to be one').toString('base64')}`;

test('a webhook receives a test, and its response is shown', async () => {
  let status = 204;
  const { received, url } = await startReceiver((response) => response.writeHead(status).end());
  const stack = await openStack({
    yaml: `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
notify: [{ name: ops, url: "${url}", secret: "${secret}", allowPrivate: true }]
`,
  });
  try {
    const ask = consoleOf(stack)('operator');
    const taken = await ask('POST /webhooks/ops/test', {});
    expect(taken).toMatchObject({
      status: 200,
      body: { hook: 'ops', isDelivered: true, status: 204, error: null },
    });
    expect(received).toHaveLength(1);
    expect(received[0]?.headers['webhook-id']).toBe(taken.body.id);
    status = 500;
    const refused = await ask('POST /webhooks/ops/test', {});
    expect(refused).toMatchObject({ status: 200, body: { isDelivered: false, status: 500 } });
    expect(refused.body.error).toEqual(expect.any(String));
  } finally {
    await stack.close();
  }
});
