import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPossibleKey, makeKey } from '../../src/registry/key-format.ts';
import type { Store } from '../../src/store/port/port.ts';
import { chatOf } from '../support/exchange.ts';
import { openStack, type Stack } from '../support/stack.ts';

/** The keys that the store was queried for. */
const asked: string[] = [];

function counted(store: Store): Store {
  return {
    ...store,
    commit(batch) {
      asked.push(`commit of ${batch.map(({ kind }) => kind)}`);
      return store.commit(batch);
    },
    read(query) {
      asked.push(query.sql);
      return store.read(query);
    },
    write(statements) {
      asked.push(...statements.map(({ sql }) => sql));
      return store.write(statements);
    },
  };
}

let stack: Stack;
beforeAll(async () => {
  stack = await openStack({ wrapStore: counted });
});
afterAll(() => stack.close());

async function statusOf(key: string): Promise<number> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(chatOf('sim-echo')) };
  // No time passes during the request, so no periodic work of the service runs.
  const answer = await stack.fetch('http://gateway.test/v1/chat', init);
  return answer.status;
}

/** The id within a key. */
function idOf(key: string): string {
  return key.slice('mgk_'.length, 'mgk_'.length + 12);
}

test('a well-formed unknown key does not query the store', async () => {
  const known = await stack.key('search');
  expect(asked.length).toBeGreaterThan(0);
  asked.length = 0;
  const { ids } = stack.admin;
  const alike = {
    ...ids,
    secret: (length: number) => (length === 12 ? idOf(known) : ids.secret(length)),
  };
  const many = Array.from({ length: 500 });
  const strangers = [
    ...many.map(() => makeKey(ids).key),
    ...many.map(() => makeKey(alike).key),
    // In the form of keys from elsewhere.
    ...many.map(() => `sk-${ids.secret(40)}`),
  ];
  expect(strangers.every(isPossibleKey)).toBe(true);
  for (const key of strangers) expect(await statusOf(key)).toBe(403);
  await stack.clock.settle();
  expect(asked).toEqual([]);
  const body = JSON.stringify(chatOf('sim-echo'));
  expect((await stack.post('search', '/v1/chat', body)).status).toBe(200);
  expect(asked.length).toBeGreaterThan(0);
});
