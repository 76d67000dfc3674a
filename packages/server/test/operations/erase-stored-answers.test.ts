import { expect, test } from 'vitest';
import { eraseUser } from '../../src/operations/users/erase-user.ts';
import { askRuns, makeRun } from '../runs/run-stack.ts';
import { chatOf, send } from '../support/exchange.ts';
import { startPostgres } from '../support/postgres.ts';
import { storeKinds } from '../support/shared-stack.ts';
import { openStack, type Stack } from '../support/stack.ts';
import { tablesWith } from './support/user-months.ts';

const dayMs = 86_400_000;
const ada = 'ada-lovelace';
const yaml = (store: string) => `
company: acme
store: "${store}"
limits: { idempotencyMs: ${10 * dayMs} }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

test.each(storeKinds)(
  'runs and stored answers of an erased user lose the name, on %s',
  async (kind) => {
    const server = kind === 'postgres' ? await startPostgres() : undefined;
    const stack = await openStack({
      yaml: yaml((await server?.database()) ?? 'sqlite:./gateway.db'),
      environment: { MODEL_GATEWAY_KEYS: 'k1:the-first-secret-of-the-operator-here' },
    });
    const body = chatOf('sim-echo', { userId: ada });
    const chat = (key: string, more: object = body) =>
      stack.post('search', '/v1/chat', more, { headers: { 'idempotency-key': key } });
    const first = await chat('k1');
    expect(first.status).toBe(200);
    expect((await chat('k1')).headers.get('idempotent-replayed')).toBe('true');
    expect((await chat('k2', chatOf('sim-echo', { userId: 'bob' }))).status).toBe(200);
    const over = await makeRun(stack, 'search', { userId: ada });
    const headers = { 'x-api-key': over.key, 'content-type': 'application/json' };
    const inRun = { method: 'POST', headers, body: JSON.stringify(chatOf('sim-echo')) } as const;
    expect((await send(stack, '/v1/chat', inRun)).status).toBe(200);
    const spent = (await askRuns(stack, 'search', { id: over.runId })).body;
    stack.clock.set(stack.clock.now() + 2 * dayMs);
    const open = await makeRun(stack, 'search', { userId: ada, expiresInMs: dayMs });

    const owner = { app: 'search', userId: ada };
    const erased = await stack.clock.run(eraseUser(stack.admin, owner));
    expect(erased).toMatchObject({ calls: 2 });
    // The running run needs the name until its end.
    expect(await tablesWith(stack.store, ada)).toEqual(['run', 'user_erasure']);
    expect(await userOfRun(stack, over.runId)).toBe(erased.pseudonym);
    expect((await askRuns(stack, 'search', { id: over.runId })).body).toEqual({
      ...Object(spent),
      userId: erased.pseudonym,
    });
    const again = await chat('k1');
    expect(again.status).toBe(400);
    expect(await again.text()).toContain('"code":"INVALID"');
    expect((await chat('k2', chatOf('sim-echo', { userId: 'bob' }))).status).toBe(200);
    expect(stack.simulator.bill().total.calls).toBe(3);

    stack.clock.set(stack.clock.now() + 2 * dayMs);
    expect(await stack.clock.run(eraseUser(stack.admin, owner))).toMatchObject({
      namedUntil: null,
    });
    expect(await userOfRun(stack, open.runId)).toBe(erased.pseudonym);
    expect(await tablesWith(stack.store, ada)).toEqual([]);
    expect(JSON.stringify(stack.logLines)).not.toContain(ada);
    expect(await stack.audit()).toMatchObject({ clean: true });
    await stack.close();
    await server?.close();
  },
);

function userOfRun({ store }: Stack, id: string): Promise<unknown> {
  return store.read({
    sql: 'select user_id from run where id = $1',
    values: [id],
    map: ([row]) => row?.user_id,
  });
}
