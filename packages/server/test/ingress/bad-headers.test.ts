import { describe, expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { chatOf, meet, send, sendBody } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { sharedStack } from '../support/shared-stack.ts';

const shared = sharedStack();

describe('a content type that is not JSON is rejected', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json5',
    'application/vnd.api+json',
    'json',
    '',
  ])('%j', async (type) => {
    const { stack } = shared();
    const answer = await sendBody(stack, 'search', chatOf('sim-echo'), { 'content-type': type });
    const says = ['content-type must be application/json', `it is ${JSON.stringify(type)}`];
    expectError(answer, { status: 400, code: 'INVALID', says });
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  });

  test('a missing one', async () => {
    const { stack } = shared();
    const answer = await send(stack, '/v1/chat', {
      method: 'POST',
      headers: { 'x-api-key': await stack.key('search') },
      body: Buffer.from(JSON.stringify(chatOf('sim-echo'))),
    });
    const says = ['content-type must be application/json; it is missing'];
    expectError(answer, { status: 400, code: 'INVALID', says });
  });
});

test.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json ; charset=utf-8',
])('%s is JSON', async (type) => {
  const { stack, newApp } = shared();
  const app = await newApp();
  const answer = await sendBody(stack, app, chatOf('sim-echo'), { 'content-type': type });
  expect(answer.status).toBe(200);
});

test('a POST without a body has an empty one', async () => {
  const { stack } = shared();
  const answer = await send(stack, '/v1/chat', {
    method: 'POST',
    headers: { 'x-api-key': await stack.key('search'), 'content-type': 'application/json' },
  });
  expectError(answer, { status: 400, code: 'INVALID', says: ['The body is empty'] });
});

describe('a malformed idempotency-key is rejected', () => {
  test.each(['', 'a'.repeat(256), 'tab\there', 'ümlaut'])('%j', async (key) => {
    const { stack } = shared();
    const headers = { 'idempotency-key': key };
    const answer = await sendBody(stack, 'search', chatOf('sim-echo'), headers);
    const says = ['idempotency-key must be 1–255 printable ASCII characters'];
    expectError(answer, { status: 400, code: 'INVALID', says });
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  });

  test('but not on a GET, where it has no meaning', async () => {
    const { stack } = shared();
    const headers = { 'x-api-key': await stack.key('search'), 'idempotency-key': 'ümlaut' };
    expect((await send(stack, '/v1/usage', { headers })).status).toBe(200);
  });
});

test('a query changes nothing', async () => {
  const { stack, newApp } = shared();
  const app = await newApp();
  const headers = { 'x-api-key': await stack.key(app), 'content-type': 'application/json' };
  const body = JSON.stringify(chatOf('sim-echo'));
  for (const query of ['?', '?a=1', '?maxTokens=1&model=sim-down', '?/v1/usage', '?%00']) {
    const answer = await send(stack, `/v1/chat${query}`, { method: 'POST', headers, body });
    expect(answer.status, query).toBe(200);
  }
  const own = await meet(stack, app, (client) => client.usage());
  expect(own.body).toMatchObject({ totals: { calls: 5, errors: 0 } });
});
