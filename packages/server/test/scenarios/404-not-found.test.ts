import { expect, test } from 'vitest';
import { expectBooks, unbilled } from '../support/books.ts';
import { meetChat, send } from '../support/exchange.ts';
import { expectError, expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { openStack } from '../support/stack.ts';

const routes = [
  ['GET', '/nowhere'],
  ['GET', '/v1'],
  ['GET', '/v1/'],
  ['GET', '/v2/usage'],
  ['POST', '/'],
  ['POST', '/health'],
  ['GET', '/health/'],
  ['HEAD', '/v1/models'],
  ['HEAD', '/v1/usage'],
  ['OPTIONS', '/v1/chat'],
  ['GET', '/v1/chat'],
  ['PUT', '/v1/chat'],
  ['DELETE', '/v1/chat'],
  ['PATCH', '/v1/chat'],
  ['post', '/v1/chat/'],
  ['POST', '/v1/chat/x'],
  ['POST', '/V1/chat'],
  ['POST', '/v1/Chat'],
  ['POST', '//v1/chat'],
  ['POST', '/v1//chat'],
  ['POST', '/v1/ch%61t'],
  ['POST', '/v1%2Fchat'],
  ['POST', '/v1/chat;v=1'],
  ['POST', '/v1/usage'],
  ['POST', '/v1/models'],
  ['GET', '/v1/credits'],
  ['GET', '/v1/credits/'],
  ['GET', '/v1/credits/ada/more'],
  ['POST', '/v1/credits/ada'],
  ['GET', '/v1/chat/streams'],
  ['GET', '/metrics'],
  ['GET', '/ready'],
  ['GET', '/openapi.json'],
  ['GET', '/__proto__'],
] as const;

test('no other route or method exists, and none without a key', async () => {
  const stack = await openStack();
  const headers = { 'x-api-key': await stack.key('search') };
  for (const [method, path] of routes) {
    expectError(await send(stack, path, { method, headers }), {
      status: 404,
      code: 'NOT_FOUND',
      says: [
        `The route ${method.toUpperCase()} ${path} does not exist`,
        'the routes are GET /v1/usage',
      ],
    });
    expectGateway(await send(stack, path, { method }), 'FORBIDDEN');
  }
  await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  await stack.close();
});

test(
  'a path that is too long to be repeated is shortened in the response',
  onStack(async (stack) => {
    const headers = { 'x-api-key': await stack.key('search') };
    const { status, text } = await send(stack, `/${'a'.repeat(10_000)}`, { headers });
    expect(status).toBe(404);
    expect(text.length).toBeLessThan(400);
  }),
);

const models = [
  { model: 'sim-missing', why: 'is listed and gone' },
  { model: 'nobody-knows-it', why: 'was never there' },
  { model: 'sim-echo ', why: 'is nearly there' },
  { model: '../../v1/organization/projects', why: 'looks like a path' },
] as const;

test.each(models)(
  'the model "$model", which $why, is not found on the platform, and nothing is paid',
  onStack(async (stack, { model }: (typeof models)[number]) => {
    expectError(await meetChat(stack, 'search', model), {
      status: 404,
      code: 'NOT_FOUND',
      says: [`The model ${model} does not exist`, 'GET /v1/models lists the known models'],
      model,
      isReached: true,
    });
    await expectBooks(stack, 'search', { calls: [unbilled('NOT_FOUND')], billedUsd: '0' });
  }),
);
