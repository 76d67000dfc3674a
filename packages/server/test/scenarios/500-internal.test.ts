import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/port/port.ts';
import { expectBooks, paid } from '../support/books.ts';
import { createBrokenStore } from '../support/broken-store.ts';
import { chatOf, meet, meetChat, sendBody } from '../support/exchange.ts';
import { expectError, expectGateway } from '../support/expect-answer.ts';
import { openStack, type Stack } from '../support/stack.ts';

const away = {
  status: 500,
  code: 'INTERNAL',
  says: ['try again in a moment'],
  retryAfter: '1',
} as const;

async function withBrokenStore(
  run: (stack: Stack, broken: ReturnType<typeof createBrokenStore>) => Promise<void>,
) {
  const broken = createBrokenStore();
  const stack = await openStack({ wrapStore: broken.wrap });
  await stack.key('search');
  await run(stack, broken);
  await stack.close();
}

describe('a store that is unreachable', () => {
  test('rejects every call before anything is sent, and serves again when it is back', () =>
    withBrokenStore(async (stack, broken) => {
      broken.disappear();
      for (let call = 0; call < 3; call++) {
        const says = [
          'was not sent because its reservation could not be stored',
          'try again in a moment',
        ];
        expectError(await meetChat(stack, 'search', 'sim-echo'), { ...away, says });
        await stack.clock.advance(5_000);
      }
      expect(stack.simulator.bill().total.calls).toBe(0);
      broken.mend();
      expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
      const booked = { calls: [paid('0.000006')], billedUsd: '0.000006' };
      await expectBooks(stack, 'search', booked);
    }));

  test('rejects reads from it too', () =>
    withBrokenStore(async (stack, broken) => {
      await stack.key('tutor');
      broken.disappear();
      expectError(await meet(stack, 'search', (client) => client.usage()), away);
      expectError(await meet(stack, 'tutor', (client) => client.credits('ada')), away);
      const models = await meet(stack, 'search', (client) => client.models());
      expect(models.status).toBe(200);
      broken.mend();
    }));

  test('reports its failure only in the log', () =>
    withBrokenStore(async (stack, broken) => {
      broken.fail(['reserve']);
      const { text } = await meetChat(stack, 'search', 'sim-echo');
      expect(text).not.toMatch(/disk|var|gateway\.db|StoreError/);
      const line = stack.logLines.find(({ message }) => message === 'answered');
      expect(line?.level).toBe('error');
      expect(line?.fields).toMatchObject({ status: 500, code: 'INTERNAL' });
      expect(String(line?.fields.cause)).toContain('disk I/O error');
      broken.mend();
    }));

  test('that fails after a reservation keeps it until a sweep ends it', () =>
    withBrokenStore(async (stack, broken) => {
      broken.failAfter(['reserve']);
      expectError(await meetChat(stack, 'search', 'sim-echo'), away);
      expect(stack.simulator.bill().total.calls).toBe(0);
      broken.mend();
      await stack.clock.advance(10_000);
      const { body } = await meet(stack, 'search', (client) => client.usage());
      expect(body).toMatchObject({ budget: { heldUsd: '0' }, totals: { calls: 1, errors: 1 } });
      expect(await stack.audit()).toMatchObject({ clean: true });
    }));
});

describe('a settlement that does not go through', () => {
  test('at first is retried, and the response still arrives, once', () =>
    withBrokenStore(async (stack, broken) => {
      broken.fail(['settle']);
      const answer = stack.post('search', '/v1/chat', chatOf('sim-echo'));
      stack.clock.after(3_000, broken.mend);
      expect((await answer).status).toBe(200);
      expect(broken.failures()).toBeGreaterThan(2);
      expect(stack.clock.monotonic()).toBeGreaterThanOrEqual(3_000);
      await expectBooks(stack, 'search', { calls: [paid('0.000006')], billedUsd: '0.000006' });
    }));

  test('that reports a failure after the commit is repeated, and books once', () =>
    withBrokenStore(async (stack, broken) => {
      broken.failAfter(['settle']);
      const answer = stack.post('search', '/v1/chat', chatOf('sim-echo'));
      stack.clock.after(3_000, broken.mend);
      expect((await answer).status).toBe(200);
      await expectBooks(stack, 'search', { calls: [paid('0.000006')], billedUsd: '0.000006' });
    }));

  test('until the gateway gives up is booked later, and its response can be collected', () =>
    withBrokenStore(async (stack, broken) => {
      const key = { 'idempotency-key': 'k-1' };
      broken.fail(['settle']);
      expectGateway(await sendBody(stack, 'search', chatOf('sim-echo'), key), 'GATEWAY_TIMEOUT');
      expect(stack.clock.monotonic()).toBe(29_000);
      broken.mend();
      await stack.clock.advance(5_000);
      const collected = await sendBody(stack, 'search', chatOf('sim-echo'), key);
      expect(collected.status).toBe(200);
      expect(collected.headers.get('idempotent-replayed')).toBe('true');
      await expectBooks(stack, 'search', { calls: [paid('0.000006')], billedUsd: '0.000006' });
    }));

  test('when the service stops is waited for', () =>
    withBrokenStore(async (stack, broken) => {
      broken.fail(['settle']);
      expectGateway(await sendBody(stack, 'search', chatOf('sim-echo')), 'GATEWAY_TIMEOUT');
      stack.clock.after(4_000, broken.mend);
      await stack.clock.run(stack.service.stop());
      await expectBooks(stack, 'search', { calls: [paid('0.000006')], billedUsd: '0.000006' });
    }));
});

describe('an app without its own project is rejected, and billed nowhere', () => {
  /** A store with exactly these bindings, whatever is written. */
  const withBindings = (of: Readonly<Record<string, string>>) => (store: Store) => {
    const rows = Object.entries(of).map(([app, id]) => ({
      app,
      platform: 'sandbox',
      project_id: id,
    }));
    const readBy =
      (read: Store['read']): Store['read'] =>
      async (query) => {
        if (!query.sql.includes('project_binding')) return read(query);
        // Pages continue until one is empty.
        const isNextPage = query.values.some((value) => value !== '');
        return query.map(isNextPage && query.sql.includes(' limit ') ? [] : rows);
      };
    return { ...store, read: readBy(store.read), readForOperator: readBy(store.readForOperator) };
  };

  test.each([
    ['none at all', {}, 'run "model-gateway projects apply"', 0],
    [
      'one that another app has',
      { search: 'proj_1', tutor: 'proj_1' },
      'app search is bound to proj_1 on sandbox, which is also the project of tutor; its calls are rejected until it has its own project: "model-gateway projects bind search sandbox ID"',
      2,
    ],
    [
      'that of everybody',
      { search: 'Default' },
      "app search is bound to Default on sandbox, which is the platform's default",
      1,
    ],
  ])('%s', async (_, bindings, cause, told) => {
    const stack = await openStack({ wrapStore: withBindings(bindings) });
    const errors = () => stack.logLines.filter(({ level }) => level === 'error');
    // Startup logs it, and serves.
    const atStart = errors().filter(({ message }) => message.includes('is bound to'));
    expect(atStart).toHaveLength(told);
    expectError(await meetChat(stack, 'search', 'sim-echo'), {
      ...{ status: 500, code: 'INTERNAL', isFinal: true },
      says: [
        'The app search does not have its own billing project on sandbox',
        'ask the operator to run "model-gateway projects bind search sandbox ID"',
      ],
    });
    const line = errors().at(-1);
    expect(line?.fields).toMatchObject({ app: 'search', model: 'sim-echo', code: 'INTERNAL' });
    expect(line?.fields.cause).toContain(cause);
    expect(stack.simulator.bill().total.calls).toBe(0);
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
    await stack.close();
  });
});

test('a bug of the gateway is answered without a detail of it', async () => {
  const outcome = {
    get kind(): never {
      throw new Error('the secret of call_1 is in /srv/model-gateway/src/lib/id.ts');
    },
  };
  const wrapStore = (store: Store): Store => ({
    ...store,
    commit: async (batch) =>
      batch[0]?.kind === 'reserve'
        ? batch.map(() => ({ ok: true, outcome }))
        : await store.commit(batch),
  });
  const stack = await openStack({ wrapStore });
  const answer = await meetChat(stack, 'search', 'sim-echo');
  expectError(answer, {
    status: 500,
    code: 'INTERNAL',
    says: ['The gateway had an internal error; try again in a moment'],
  });
  expect(answer.text).not.toMatch(/secret|srv|id\.ts/);
  const line = stack.logLines.find(({ message }) => message === 'answered');
  expect([line?.level, line?.fields.cause]).toEqual(['error', expect.stringContaining('call_1')]);
  await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  await stack.close();
});
