import { expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { send } from '../support/exchange.ts';
import { expectError, expectGateway } from '../support/expect-answer.ts';
import { openStack } from '../support/stack.ts';

const paths = ['/v1/chat/stream', '/v1/objects/stream', '/v1/agents/stream'] as const;
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const;

test('streaming exists for every method, and returns that it is not available', async () => {
  const stack = await openStack();
  const headers = { 'x-api-key': await stack.key('search') };
  for (const path of paths) {
    for (const method of methods) {
      const answer = await send(stack, path, { method, headers });
      expect(answer.status, `${method} ${path}`).toBe(501);
      expectError(answer, {
        status: 501,
        code: 'NOT_IMPLEMENTED',
        says: [
          'Streaming is off for this app',
          'use /v1/',
          'ask the operator for `streaming: true`',
        ],
      });
    }
    expectGateway(await send(stack, path, { method: 'POST' }), 'FORBIDDEN');
  }
  const chat = await send(stack, '/v1/chat/stream', { method: 'POST', headers, body: 'no JSON' });
  expect(chat.status).toBe(501);
  await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  await stack.close();
});
