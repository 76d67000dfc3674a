import { expect, test } from 'vitest';
import { createIdempotencyKey } from '../../src/calls/model/idempotency-key.ts';
import { chatOf } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';

const path = '/v1/chat';

test(
  'the key of an answered call is marked unstored, so the previous version repeats no call',
  onStack(async (stack) => {
    await post(stack, chatOf('sim-echo'));
    const states = await stack.store.read({
      sql: 'select state from idempotency',
      values: [],
      map: (rows) => rows.map(({ state }) => state),
    });
    expect(states).toEqual(['unstored']);
  }),
);

test.each([
  ['an answer', chatOf('sim-echo'), 200],
  ['an output that was cut off', chatOf('sim-echo', { maxTokens: 1 }), 422],
])('stored responses of the previous version are replayed byte for byte: %s', (_, body, status) =>
  onStack(async (stack) => {
    const first = await post(stack, body);
    const text = await first.text();
    expect(first.status).toBe(status);
    await keepAsBefore(stack, { body: JSON.stringify(body), status, text });
    const again = await post(stack, body);
    expect([again.status, await again.text()]).toEqual([status, text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    for (const name of ['x-call-id', 'x-cost-usd', 'x-should-retry']) {
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    }
    expect(stack.simulator.bill().total.calls).toBe(1);
    expect(await stack.audit()).toMatchObject({ clean: true });
  })(),
);

function post(stack: Stack, body: object): Promise<Response> {
  return stack.post('search', path, body, { headers: { 'idempotency-key': 'k1' } });
}

/** Stores under the key the rendered response, like the previous version. */
async function keepAsBefore(
  stack: Stack,
  kept: { readonly body: string; readonly status: number; readonly text: string },
) {
  const body = Buffer.from(kept.body);
  const key = createIdempotencyKey({ key: 'k1', method: 'POST', path, body });
  const [callId = ''] = await stack.store.read({
    sql: 'select call_id from idempotency',
    values: [],
    map: (rows) => rows.map((row) => String(row.call_id)),
  });
  const sealed = key.seal({ ring: undefined, app: 'search', callId }, kept.text);
  await stack.store.write([
    { sql: 'delete from result', values: [] },
    { sql: "update idempotency set state = 'answered'", values: [] },
    {
      sql: `insert into answer (call_id, app, key_hash, status, body, at)
            values ($1, 'search', $2, $3, $4, 0)`,
      values: [callId, key.keyHash, kept.status, sealed],
    },
  ]);
}
