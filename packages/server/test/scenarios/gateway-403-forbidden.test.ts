import { expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { chatOf, send } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { openStack } from '../support/stack.ts';

test('a missing, malformed or foreign key gets the same answer, and no call', async () => {
  const stack = await openStack();
  const key = await stack.key('search');
  const last = key.at(-1) === 'a' ? 'b' : 'a';
  const rows = {
    missing: undefined,
    empty: '',
    'a space': ' ',
    'no key at all': 'Bearer of nothing',
    'of a wrong checksum': key.slice(0, -1) + last,
    'cut short': key.slice(0, -1),
    'too long': `${key}a`,
    'in capitals': key.toUpperCase(),
    'without its prefix': key.slice(4),
    'of another form': `sk-${'a'.repeat(40)}`,
    'of 10 kB': 'k'.repeat(10_000),
    'of 10 kB and our prefix': `mgk_${'k'.repeat(10_000)}`,
    'the prefix alone': 'mgk_',
    'with a tab in it': `${key.slice(0, 10)}\t${key.slice(10)}`,
    'not of ASCII': 'schlüssel-mit-zwanzig-zeichen',
    'two keys in one': `${key}, ${key}`,
    "an object's": '__proto__',
  } as const;
  for (const [what, text] of Object.entries(rows)) {
    const headers = text === undefined ? {} : { 'x-api-key': text };
    const body = JSON.stringify(chatOf('sim-echo'));
    const answer = await send(stack, '/v1/chat', { method: 'POST', headers, body });
    expect(answer.status, what).toBe(403);
    expectGateway(answer, 'FORBIDDEN');
  }
  await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  await stack.close();
});

test('GET / and GET /health need no key, and ignore one', async () => {
  const stack = await openStack();
  for (const headers of [{}, { 'x-api-key': 'nobody' }] as const) {
    const root = await send(stack, '/', { headers });
    expect(root.status).toBe(200);
    expect(root.body).toEqual({ name: 'model-gateway', version: '0.0.0-test' });
    const health = await send(stack, '/health?deep=1', { headers });
    expect(health.status).toBe(200);
    expect(health.body).toEqual({ status: 'ok' });
  }
  stack.service.ingress.drain();
  const draining = await send(stack, '/health');
  expect(draining.status).toBe(503);
  expect(draining.body).toEqual({ status: 'draining' });
  await stack.close();
});
