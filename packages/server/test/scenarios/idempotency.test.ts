import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await openStack();
});
afterEach(() => stack.close());

const body = { model: 'sim-echo', maxTokens: 50, messages: [{ role: 'user', content: 'Hello' }] };
const path = '/v1/chat';

function post(text: unknown, key: string, app = 'search') {
  return stack.post(app, path, text, { headers: { 'idempotency-key': key } });
}

function billedCalls(): number {
  return stack.simulator.bill().total.calls;
}

async function usedCalls(): Promise<number> {
  const client = await stack.client('search');
  return (await stack.clock.run(client.usage())).totals.calls;
}

describe('a request with a key', () => {
  test('is replayed to the byte and charged once', async () => {
    const first = await post(body, 'k1');
    const again = await post(body, 'k1');
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.status).toBe(200);
    expect(await again.text()).toBe(await first.text());
    expect(billedCalls()).toBe(1);
    expect(await usedCalls()).toBe(1);
    expect(await stack.audit()).toMatchObject({ clean: true });
  });

  test('attaches to the same running request, however many there are', async () => {
    const slow = { ...body, model: 'sim-slow' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(slow, 'k1')));
    const texts = new Set(await Promise.all(answers.map((answer) => answer.text())));
    expect(texts.size).toBe(1);
    const replayed = answers.filter((answer) => answer.headers.has('idempotent-replayed'));
    expect(replayed).toHaveLength(19);
    expect(billedCalls()).toBe(1);
  });

  test('is rejected under the key of another request', async () => {
    await post(body, 'k1');
    const other = await post({ ...body, maxTokens: 51 }, 'k1');
    expect(other.status).toBe(400);
    expect(await other.json()).toMatchObject({ error: { code: 'INVALID' } });
    expect(billedCalls()).toBe(1);
  });

  test('belongs to its app: the same key of another app is another key', async () => {
    await post(body, 'k1');
    const other = await post({ ...body, userId: 'u1' }, 'k1', 'tutor');
    expect(other.status).toBe(200);
    expect(other.headers.has('idempotent-replayed')).toBe(false);
    expect(billedCalls()).toBe(2);
  });

  test.each([
    ['forward', 2 * 3_600_000],
    ['back', -2 * 3_600_000],
  ])('lives for as long when the clock is set %s', async (_, stepMs) => {
    await post(body, 'k1');
    stack.clock.set(stack.clock.now() + stepMs);
    await post(body, 'k2');
    // Old keys are pruned during this time.
    await stack.clock.advance(60_000);
    for (const key of ['k1', 'k2']) {
      expect((await post(body, key)).headers.get('idempotent-replayed')).toBe('true');
    }
    expect(billedCalls()).toBe(2);
    await stack.clock.sleep(stack.config.limits.idempotencyMs);
    for (const key of ['k1', 'k2']) {
      expect((await post(body, key)).headers.has('idempotent-replayed')).toBe(false);
    }
    expect(billedCalls()).toBe(4);
    expect(await stack.audit()).toMatchObject({ clean: true });
  });

  test('collects after a 504 the platform’s late response, and pays once', async () => {
    const late = { ...body, model: 'sim-timeout', userId: 'u1' };
    const first = await post(late, 'k1', 'tutor');
    expect(first.status).toBe(504);
    const collected = await post(late, 'k1', 'tutor');
    expect(collected.status).toBe(200);
    expect(collected.headers.get('idempotent-replayed')).toBe('true');
    expect(await collected.json()).toMatchObject({ text: 'Hello', cost: { estimated: false } });
    expect(billedCalls()).toBe(1);
    const bill = stack.simulator.bill().total.costPicoUsd;
    const client = await stack.client('tutor');
    // A collected response was received, so the wallet pays for it: 0.01 USD is one credit.
    const { spent } = await stack.clock.run(client.credits('u1'));
    expect(Number(spent) * 1e10).toBeCloseTo(Number(bill), 0);
    expect(await stack.audit()).toMatchObject({ clean: true });
  });

  test('runs again after a failure of the platform', async () => {
    const failing = { ...body, model: 'sim-down' };
    expect((await post(failing, 'k1')).status).toBe(502);
    const again = await post(failing, 'k1');
    expect(again.status).toBe(502);
    expect(again.headers.has('idempotent-replayed')).toBe(false);
    expect(await usedCalls()).toBe(2);
  });

  test('runs again after its hour', async () => {
    await post(body, 'k1');
    await stack.clock.sleep(stack.config.limits.idempotencyMs + 1);
    const again = await post(body, 'k1');
    expect(again.status).toBe(200);
    expect(again.headers.has('idempotent-replayed')).toBe(false);
    expect(billedCalls()).toBe(2);
  });

  test('replays a truncated answer, which was billed', async () => {
    const short = { ...body, model: 'sim-truncated' };
    const first = await post(short, 'k1');
    const again = await post(short, 'k1');
    expect([first.status, again.status]).toEqual([422, 422]);
    expect(again.headers.get('x-should-retry')).toBe('false');
    expect(await again.text()).toBe(await first.text());
    expect(billedCalls()).toBe(1);
  });

  test('is removed after a rejection by the platform, so it may be corrected', async () => {
    expect((await post({ ...body, model: 'sim-rejects' }, 'k1')).status).toBe(400);
    expect((await post(body, 'k1')).status).toBe(200);
  });

  test.each(['', 'a'.repeat(256), 'tab\there', 'ümlaut'])(
    'that is malformed is INVALID: %j',
    async (key) => {
      const answer = await post(body, key);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { code: 'INVALID' } });
      expect(billedCalls()).toBe(0);
    },
  );
});

test('an app without stored responses rejects a later duplicate, and pays once', async () => {
  const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5", storeAnswers: false }]
`;
  await stack.close();
  stack = await openStack({ yaml });
  const slow = { ...body, model: 'sim-slow' };
  const [first, attached] = await Promise.all([post(slow, 'k1'), post(slow, 'k1')]);
  expect(await attached.text()).toBe(await first.text());
  const later = await post(slow, 'k1');
  expect(later.status).toBe(400);
  expect(billedCalls()).toBe(1);
});

test('stored responses cannot be read without the key', async () => {
  await post(body, 'a key nobody guesses');
  const rows = await stack.store.read({
    sql: 'select body, key_hash from result',
    values: [],
    map: (found) => found.map((row) => `${row.body} ${row.key_hash}`),
  });
  expect(rows).toHaveLength(1);
  expect(rows.join()).not.toContain('Hello');
  expect(rows.join()).not.toContain('a key nobody guesses');
});

test('keys and responses whose hour is over leave the store', async () => {
  for (let index = 0; index < 5; index++)
    await post({ ...body, maxTokens: 50 + index }, `k${index}`);
  await post({ ...body, model: 'sim-down' }, 'failed');
  const counts = () =>
    Promise.all(
      ['select 1 from answer', 'select 1 from result', 'select 1 from idempotency'].map((sql) =>
        stack.store.read({ sql, values: [], map: (rows) => rows.length }),
      ),
    );
  expect(await counts()).toEqual([1, 5, 6]);
  await stack.clock.sleep(stack.config.limits.idempotencyMs);
  await stack.clock.advance(200_000);
  expect(await counts()).toEqual([0, 0, 0]);
  expect(await stack.audit()).toMatchObject({ clean: true });
});
