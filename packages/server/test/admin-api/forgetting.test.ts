import { describe, expect, test } from 'vitest';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { selectCallRecord } from '../../src/store/queries/ledger.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';
import { consoleOf } from './support/console-of.ts';

const reason = 'asked for by the user';
const ring = 'one:7d3f0b2a9c4e6185f0a7b9c2d4e6f8017d3f0b2a9c4e6185f0a7b9c2d4e6f801';

describe.each(storeKinds)('erasing and pruning on %s', (kind) => {
  const shared = sharedOn(kind, async (store) =>
    withApps(
      await openStack({
        yaml: `
company: acme
store: ${store}
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
        environment: { MODEL_GATEWAY_KEYS: ring },
        startMs: Date.parse('2026-09-10T12:00:00Z'),
      }),
    ),
  );
  const lines = async () => {
    const all = { subject: undefined, actor: undefined, since: undefined, limit: 1_000 };
    return listLines(shared().stack.admin, all);
  };

  async function callOf(userId: string): Promise<string> {
    const { stack } = shared();
    await stack.clock.run(stack.service.registry.refresh());
    const messages = [{ role: 'user', content: 'hello' }];
    const request = { model: 'sim-echo', messages, maxTokens: 9, userId };
    const response = await stack.post('search', '/v1/chat', request);
    return response.headers.get('x-call-id') ?? '';
  }

  test('a user is erased once the name is typed, and the audit line omits it', async () => {
    const { stack } = shared();
    const ask = consoleOf(stack)('operator');
    const callId = await callOf('user-7');
    const body = { app: 'search', userId: 'user-7', reason };
    const before = await lines();
    const planned = await ask('POST /users/erase', { ...body, dryRun: true });
    expect(planned.body).toMatchObject({
      ...{ dryRun: true, changes: [{ action: 'user.erase' }], result: { calls: null } },
    });
    expect(await ask('POST /users/erase', body)).toMatchObject({
      status: 400,
      body: { error: { field: 'confirm' } },
    });
    expect(await lines()).toEqual(before);
    const made = await ask('POST /users/erase', { ...body, confirm: 'user-7' });
    expect(made).toMatchObject({ status: 200, body: { changes: [{ action: 'user.erase' }] } });
    expect(made.body.result.pseudonym).toBe(planned.body.result.pseudonym);
    const [line] = await lines();
    expect(line).toMatchObject({ action: 'user.erase', reason });
    expect(line?.actor).toContain('console:ada');
    expect(JSON.stringify(line)).not.toContain('user-7');
    // Rows of the current month keep the name until the month ends.
    const call = await stack.clock.run(stack.store.read(selectCallRecord(callId)));
    expect(call?.userId).toBe('user-7');
  });

  test('a rejected erasure names the field', async () => {
    const ask = consoleOf(shared().stack)('operator');
    const request = { userId: 'u', reason, confirm: 'u' };
    expect((await ask('POST /users/erase', { ...request, app: 'none' })).status).toBe(404);
    expect((await ask('POST /users/erase', { ...request, app: 'search', userId: '' })).status).toBe(
      400,
    );
  });

  test('records of past months are pruned, never records of this month', async () => {
    const { stack } = shared();
    const ask = consoleOf(stack)('operator');
    const callId = await callOf('user-8');
    const early = { before: '2026-10-01', reason, confirm: '2026-10-01' };
    expect((await ask('POST /days/prune', early)).status).toBe(409);
    await stack.clock.sleep(40 * 86_400_000);
    const planned = await ask('POST /days/prune', { ...early, dryRun: true });
    expect(planned.body.result).toMatchObject({
      prunedBefore: '2026-10-01',
      retainedBecause: null,
    });
    expect(planned.body.result.calls).toBeGreaterThan(0);
    const wrong = await ask('POST /days/prune', { ...early, confirm: 'yes' });
    expect(wrong.body.error.field).toBe('confirm');
    const made = await ask('POST /days/prune', early);
    expect(made.body).toMatchObject({
      changes: [{ action: 'day.prune', after: '2026-10-01' }],
      result: { calls: planned.body.result.calls },
    });
    expect(await stack.clock.run(stack.store.read(selectCallRecord(callId)))).toBeUndefined();
    const again = await ask('POST /days/prune', early);
    expect(again.body).toMatchObject({ changes: [], result: { calls: 0 } });
    const noDay = await ask('POST /days/prune', { ...early, before: '2026-02-30' });
    expect(noDay.body.error.field).toBe('before');
  });
});

test.each(['viewer', 'team', 'finance'] as const)('a %s can erase nothing', async (role) => {
  const stack = await openStack();
  try {
    const ask = consoleOf(stack)(role, role === 'team' ? { apps: ['search'] } : {});
    const body = { app: 'search', userId: 'u', reason, confirm: 'u', dryRun: true };
    expect((await ask('POST /users/erase', body)).status).toBe(403);
    const prune = { before: '2026-01-01', reason, dryRun: true };
    expect((await ask('POST /days/prune', prune)).status).toBe(403);
  } finally {
    await stack.close();
  }
});
