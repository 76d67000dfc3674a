import { describe, expect, test } from 'vitest';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { openCapped } from '../budgets/support/caps.ts';
import { chatOf, send } from '../support/exchange.ts';
import { expectError, expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { storeKinds } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';
import { askRuns, makeRun, minute } from './run-stack.ts';

const terms = { ...minute, models: ['sim-echo'], userId: 'ada', label: 'nightly' };

function ask(stack: Stack, app: string, key: string, body: object = terms) {
  const headers = { 'idempotency-key': key };
  return askRuns(stack, app, { method: 'POST', body, headers });
}

async function countRuns({ store }: Stack, app: string): Promise<unknown> {
  return store.read({
    sql: 'select count(*) as runs from run where app = $1',
    values: [app],
    map: ([row]) => Number(row?.runs),
  });
}

describe.each(storeKinds)('on %s', (kind) => {
  const shared = openCapped(kind);

  test('a run requested again under its key is the same run, in its current state', async () => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const first = await ask(stack, app, 'job-7');
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const { runId, key } = Object(first.body);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const body = JSON.stringify(chatOf('sim-echo'));
    const called = await send(stack, '/v1/chat', { method: 'POST', headers, body });
    expect(called.status).toBe(200);

    const again = await ask(stack, app, 'job-7');
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const spentUsd = Object(called.body).cost.usd;
    const { remainingUsd } = Object(again.body);
    expect(remainingUsd).not.toBe('1');
    expect(again.body).toEqual({ ...Object(first.body), spentUsd, remainingUsd });

    await askRuns(stack, app, { method: 'DELETE', id: runId });
    const late = await ask(stack, app, 'job-7');
    expect(late.body).toMatchObject({ runId, key, endedAt: expect.stringMatching(/^\d{4}-/) });
    expect(await countRuns(stack, app)).toBe(1);
  });

  test('under another key, or in another app, it is another run', async () => {
    const { stack, newApp } = shared();
    const [app, other] = [await newApp(), await newApp()];
    const made = [
      await ask(stack, app, 'job-7'),
      await ask(stack, app, 'job-8'),
      await ask(stack, other, 'job-7'),
      await askRuns(stack, app, { method: 'POST', body: terms }),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const keys = made.flatMap(({ body }) => [Object(body).runId, Object(body).key]);
    expect(new Set(keys).size).toBe(8);
  });

  test('requested at once it is created once', async () => {
    const { stack, newApp } = shared();
    const app = await newApp();
    await stack.key(app);
    const all = await Promise.all(Array.from({ length: 8 }, () => ask(stack, app, 'at once')));
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(all.map(({ body }) => Object(body).key)).size).toBe(1);
    const replayed = all.map(({ headers }) => headers.get('idempotent-replayed'));
    expect(replayed.filter((value) => value === 'true')).toHaveLength(7);
    expect(await countRuns(stack, app)).toBe(1);
  });

  test('another body under its key is INVALID, and so is another of the app’s keys', async () => {
    const { stack, newApp } = shared();
    const app = await newApp();
    await ask(stack, app, 'job-7');
    const others = [
      { ...terms, maxCostUsd: '1.000000000001' },
      { ...terms, expiresInMs: 60_001 },
      { ...terms, models: ['sim-echo', 'sim-embed'] },
      { ...terms, userId: 'eve' },
      { ...terms, label: 'weekly' },
      minute,
    ];
    for (const body of others) {
      const refused = await ask(stack, app, 'job-7', body);
      expectError(refused, { status: 400, code: 'INVALID', says: ['used for another run'] });
    }
    const { key } = await issueKey(stack.admin, { app, email: 'team@acme.example' });
    await stack.clock.advance(1_000);
    const headers = { 'x-api-key': key, 'idempotency-key': 'job-7' };
    const withOther = await askRuns(stack, app, { method: 'POST', body: terms, headers });
    expectError(withOther, { status: 400, code: 'INVALID', says: ['another API key'] });
    expect(await ask(stack, app, 'job-7', { ...terms, maxCostUsd: '1.0' })).toMatchObject({
      status: 201,
    });
    expect(await countRuns(stack, app)).toBe(1);
  });
});

test(
  'the store gives nobody the key of a run, and a later run with its name has another',
  onStack(async (stack) => {
    const first = await ask(stack, 'search', 'job-7');
    const { key } = Object(first.body);
    const rows = await stack.store.read({
      sql: 'select * from run',
      values: [],
      map: ([row]) => Object.values(row ?? {}).join(' '),
    });
    expect(rows).toContain('nightly');
    expect(rows).not.toContain(key.slice(17));
    // As if it had been pruned.
    await stack.store.write([{ sql: 'delete from run', values: [] }]);
    await stack.clock.advance(1_000);
    const second = await ask(stack, 'search', 'job-7');
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(Object(second.body).key).not.toBe(key);
    const late = await askRuns(stack, 'search', { id: 'any', headers: { 'x-api-key': key } });
    expectGateway(late, 'FORBIDDEN');
  }),
);

test(
  'an existing run is returned even if no other is possible, but not to a run’s key',
  onStack(async (stack) => {
    const first = await ask(stack, 'search', 'job-7');
    const { key } = await makeRun(stack, 'search');
    const headers = { 'x-api-key': key, 'idempotency-key': 'job-7' };
    const refused = await askRuns(stack, 'search', { method: 'POST', body: terms, headers });
    expectGateway(refused, 'FORBIDDEN');
    expect(await ask(stack, 'search', 'job-7')).toMatchObject({ status: 201, body: first.body });
  }),
);
