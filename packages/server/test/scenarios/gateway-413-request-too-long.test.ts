import { expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { chatOf, meetChat, send, sendBody } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

test(
  'a body above the limit is rejected, whatever it is',
  onStack(async (stack) => {
    const limit = 4_194_304;
    const long = 'a'.repeat(5_000_000);
    const refused = await meetChat(stack, 'search', 'sim-echo', {
      messages: [{ role: 'user', content: long }],
    });
    expectGateway(refused, 'REQUEST_TOO_LONG');
    expect(refused.error?.code).toBe('REQUEST_TOO_LONG');
    expectGateway(await sendBody(stack, 'search', ' '.repeat(limit + 1)), 'REQUEST_TOO_LONG');
    expect((await sendBody(stack, 'search', ' '.repeat(limit))).status).toBe(400);
    const headers = { 'x-api-key': await stack.key('search'), 'content-length': '99999999999' };
    const announced = await send(stack, '/v1/chat', { method: 'POST', headers });
    expectGateway(announced, 'REQUEST_TOO_LONG');
    const unknown = { method: 'POST', headers: { 'x-api-key': 'nobody' }, body: long };
    expectGateway(await send(stack, '/v1/chat', unknown), 'FORBIDDEN');
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  }),
);

test(
  'the limit counts bytes, and is the configured one',
  onStack(
    async (stack) => {
      const body = JSON.stringify(chatOf('sim-echo', { userId: 'Ünïcøde' }));
      expect(Buffer.byteLength(body)).toBe(115);
      expect((await sendBody(stack, 'search', body)).status).toBe(200);
      expectGateway(await sendBody(stack, 'search', `${body} `), 'REQUEST_TOO_LONG');
    },
    {
      yaml: `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
limits: { bodyBytes: 115 }
apps: [{ name: search }]
`,
    },
  ),
);
