import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyRing, type KeyRing } from '../../src/lib/key-ring.ts';
import type { Store } from '../../src/store/port/port.ts';
import { chatOf } from '../support/exchange.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { defaultYaml, openStack, type Stack } from '../support/stack.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const k1 = { id: 'k1', secret: 'the first secret of the operator' };
const k2 = { id: 'k2', secret: 'the second secret of the operator' };

describe.each([
  ['SQLite', async () => './gateway.db'],
  ['PostgreSQL', () => server.database()],
])('stored responses under a key ring on %s', (_, target) => {
  test('are replayed after a rotation, and count as not stored if the ring is lost', async () => {
    const ring = ringThatTurns(createKeyRing([k1]));
    await onStore(await target(), ring, async (stack) => {
      expect((await post(stack, 'a')).status).toBe(200);
      ring.turn(createKeyRing([k2, k1]));
      expect((await post(stack, 'a')).headers.get('idempotent-replayed')).toBe('true');
      ring.turn(createKeyRing([k2]));
      await isNotKept(stack, 'a');
      ring.turn(undefined);
      await isNotKept(stack, 'a');
      ring.turn(createKeyRing([k1, k2]));
      expect((await post(stack, 'a')).headers.get('idempotent-replayed')).toBe('true');
      expect(stack.simulator.bill().total.calls).toBe(1);
    });
  });

  test.each([
    ['changed', ["update result set body = replace(body, 'k1.', 'k1.AAAA')"]],
    ['cut off', ['update result set body = substr(body, 1, 30)']],
    ['emptied', ["update result set body = ''"]],
    [
      'swapped',
      [
        'create table swapped as select call_id, body from result',
        `update result set body =
           (select swapped.body from swapped where swapped.call_id <> result.call_id)`,
      ],
    ],
  ])('count as not stored when they were %s, and repeat no call', async (_how, change) => {
    const ring = ringThatTurns(createKeyRing([k1]));
    await onStore(await target(), ring, async (stack) => {
      expect((await post(stack, 'a')).status).toBe(200);
      expect((await post(stack, 'b')).status).toBe(200);
      for (const sql of change) await stack.store.write([{ sql, values: [] }]);
      await isNotKept(stack, 'a');
      await isNotKept(stack, 'b');
      expect(stack.simulator.bill().total.calls).toBe(2);
    });
  });

  test('are read as the previous version stored them', async () => {
    const ring = ringThatTurns(undefined);
    await onStore(await target(), ring, async (stack) => {
      const first = await post(stack, 'a');
      ring.turn(createKeyRing([k1]));
      const again = await post(stack, 'a');
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(await again.text()).toBe(await first.text());
    });
  });
});

/** A store whose key ring a test can replace after it has sealed. */
function ringThatTurns(first: KeyRing | undefined) {
  let ring = first;
  let own: KeyRing | undefined;
  return {
    wrap(store: Store): Store {
      own = store.ring;
      return {
        ...store,
        get ring() {
          return ring;
        },
      };
    },
    turn(next: KeyRing | undefined) {
      ring = next;
    },
    /**
     * Lines of the audit log are chained under the store's own ring, whatever a test has replaced.
     */
    turnBack() {
      ring = own;
    },
  };
}

async function onStore(
  target: string,
  ring: ReturnType<typeof ringThatTurns>,
  run: (stack: Stack) => Promise<void>,
) {
  const url = target.startsWith('postgres') ? target : `sqlite:${target}`;
  const yaml = defaultYaml.replace('sqlite:./gateway.db', url);
  const stack = await openStack({ yaml, wrapStore: ring.wrap });
  try {
    await run(stack);
    ring.turnBack();
    expect(await stack.audit()).toMatchObject({ clean: true });
  } finally {
    await stack.close();
  }
}

function post(stack: Stack, key: string): Promise<Response> {
  const headers = { 'idempotency-key': key };
  return stack.post('search', '/v1/chat', chatOf('sim-echo'), { headers });
}

async function isNotKept(stack: Stack, key: string) {
  const answer = await post(stack, key);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    error: { code: 'INVALID', message: expect.stringContaining('its response is not stored') },
  });
}
