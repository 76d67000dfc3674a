import { embedded } from '@model-gateway/lab/simulator/embedded';
import { describe, expect, test } from 'vitest';
import { openService } from '../../src/compose/open-service.ts';
import { createIds } from '../../src/lib/id.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { Store } from '../../src/store/port/port.ts';
import { expectBooks, heldBy, paid, unbilled } from '../support/books.ts';
import { createBrokenStore } from '../support/broken-store.ts';
import { chatOf, meetChat, send, sendBody } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';
import { platformError } from '../support/platform-outcomes.ts';
import { openStack, type Stack } from '../support/stack.ts';

/** The defaults: the maximum duration of a shutdown, and the wait for the last settlements. */
const stopMs = 25_000;
const lastMs = 2_000;

/** A call that is running when the service is stopped. */
async function begin(stack: Stack, model: string, headers: Record<string, string> = {}) {
  await stack.key('search');
  const answer = sendBody(stack, 'search', chatOf(model), headers);
  await stack.clock.settle();
  return { answer };
}

function estimated(model: string, code: string) {
  const costUsd = usd(maximumCostPicoUsd(chatOf(model)));
  const cost = { costUsd, estimatedUsd: costUsd };
  return { code, basis: 'estimated', ...cost, attempts: ['SERVER'] } as const;
}

async function stopping(stack: Stack) {
  const beganMs = stack.clock.monotonic();
  const stopped = await stack.clock.run(stack.service.stop());
  return { ...stopped, tookMs: stack.clock.monotonic() - beganMs };
}

describe('a service that stops', () => {
  test(
    'reports it to load balancers, and keeps no connection',
    onStack(async (stack) => {
      const before = await send(stack, '/health');
      expect([before.status, before.body]).toEqual([200, { status: 'ok' }]);
      expect(before.headers.get('connection')).toBeNull();
      stack.service.ingress.drain();
      const { status, body, headers } = await send(stack, '/health');
      expect([status, body]).toEqual([503, { status: 'draining' }]);
      expect(headers.get('connection')).toBe('close');
      const call = await meetChat(stack, 'search', 'sim-echo');
      expect([call.status, call.headers.get('connection')]).toEqual([200, 'close']);
    }),
  );

  test(
    'answers the calls that run, and waits no longer than for them',
    onStack(async (stack) => {
      const { answer } = await begin(stack, 'sim-slow');
      expect(await stopping(stack)).toEqual({ unsettledCalls: 0, tookMs: 2_000 });
      expect((await answer).status).toBe(200);
      await expectBooks(stack, 'search', { calls: [paid('0.000006')], billedUsd: '0.000006' });
    }),
  );

  test(
    'settles detached calls at their cost',
    onStack(async (stack) => {
      expect((await meetChat(stack, 'search', 'sim-timeout')).status).toBe(504);
      expect(await stopping(stack)).toEqual({ unsettledCalls: 0, tookMs: 4_000 });
      const call = paid('0.000006', 'TIMEOUT');
      await expectBooks(stack, 'search', { calls: [call], billedUsd: '0.000006' });
    }),
  );

  test(
    'books detached calls after stopMs as estimated',
    onStack(async (stack) => {
      expect((await meetChat(stack, 'search', 'sim-stuck')).status).toBe(504);
      expect(await stopping(stack)).toEqual({ unsettledCalls: 0, tookMs: stopMs });
      const call = estimated('sim-stuck', 'TIMEOUT');
      await expectBooks(stack, 'search', { calls: [call], billedUsd: '0' });
    }),
  );

  test(
    'ends the calls that run after stopMs: the gateway has no more time for them',
    onStack(async (stack) => {
      const { answer } = await begin(stack, 'sim-stuck');
      expect(await stopping(stack)).toEqual({ unsettledCalls: 0, tookMs: stopMs });
      expectGateway(await answer, 'GATEWAY_TIMEOUT');
      const call = estimated('sim-stuck', 'ABORTED');
      await expectBooks(stack, 'search', { calls: [call], billedUsd: '0' });
    }),
  );

  test(
    'begins no other attempt of a call that waits for a retry',
    onStack(
      async (stack) => {
        const { answer } = await begin(stack, 'sim-echo');
        expect(await stopping(stack)).toEqual({ unsettledCalls: 0, tookMs: stopMs });
        expectGateway(await answer, 'GATEWAY_TIMEOUT');
        const call = { ...unbilled('ABORTED'), attempts: ['THROTTLED'] };
        await expectBooks(stack, 'search', { calls: [call], billedUsd: '0' });
      },
      {
        script: () => platformError(429, { 'retry-after': '25.5' }, 'rate_limit_exceeded'),
      },
    ),
  );

  test(
    'begins nothing after its end',
    onStack(async (stack) => {
      await stack.key('search');
      await stopping(stack);
      expectGateway(await meetChat(stack, 'search', 'sim-echo'), 'GATEWAY_TIMEOUT');
      await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
    }),
  );
});

/** The next start on the same store: its sweep ends the calls of the previous one. */
async function startAgain(stack: Stack) {
  const { config, store, clock, simulator } = stack;
  const ids = createIds(clock);
  const onDeath = (error: Error) => expect.unreachable(error.message);
  const parts = {
    store,
    clock,
    ids,
    log: silentLog,
    simulator: embedded(simulator),
    actor: 'test',
    onDeath,
  };
  const next = await clock.run(openService(config, parts));
  await clock.run(next.stop());
}

describe('a service that stops while its store is unreachable', () => {
  async function withBrokenStore(
    run: (stack: Stack, broken: ReturnType<typeof createBrokenStore>) => Promise<void>,
  ) {
    const broken = createBrokenStore();
    const stack = await openStack({ wrapStore: broken.wrap });
    await stack.key('search');
    await run(stack, broken);
    broken.mend();
    await stack.close();
  }

  test('settles when the store is back in time', () =>
    withBrokenStore(async (stack, broken) => {
      const { answer } = await begin(stack, 'sim-slow');
      broken.disappear();
      stack.clock.after(9_000, broken.mend);
      expect(await stopping(stack)).toMatchObject({ unsettledCalls: 0 });
      expect((await answer).status).toBe(200);
      await expectBooks(stack, 'search', { calls: [paid('0.000006')], billedUsd: '0.000006' });
    }));

  test('ends all the same, and the next start books the rest', () =>
    withBrokenStore(async (stack, broken) => {
      const { answer } = await begin(stack, 'sim-slow');
      broken.disappear();
      const tookMs = stopMs + lastMs;
      expect(await stopping(stack)).toEqual({ unsettledCalls: 1, tookMs });
      expectGateway(await answer, 'GATEWAY_TIMEOUT');
      broken.mend();
      expect(await heldBy(stack.store, 'search')).toBe(1);
      await startAgain(stack);
      const lost = { code: 'LOST', basis: 'expired', attempts: [] } as const;
      const call = { ...estimated('sim-slow', 'LOST'), ...lost };
      await expectBooks(stack, 'search', { calls: [call], billedUsd: '0.000006' });
    }));

  test('ends though a detached call was canceled while the store is unreachable', () =>
    withBrokenStore(async (stack, broken) => {
      expect((await meetChat(stack, 'search', 'sim-stuck')).status).toBe(504);
      broken.disappear();
      const tookMs = stopMs + lastMs;
      expect(await stopping(stack)).toEqual({ unsettledCalls: 1, tookMs });
      broken.mend();
      await startAgain(stack);
      expect(await heldBy(stack.store, 'search')).toBe(0);
      expect(await stack.audit()).toMatchObject({ clean: true });
    }));

  test('ends at once when it has nothing to settle', () =>
    withBrokenStore(async (stack, broken) => {
      broken.disappear();
      expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(500);
      expect(await stopping(stack)).toEqual({ unsettledCalls: 0, tookMs: 0 });
    }));

  test('ends though its store never responds', async () => {
    let isSilent = false;
    const never = () => new Promise<never>(() => {});
    const silent = (store: Store): Store => ({
      ...store,
      commit: (batch) => (isSilent ? never() : store.commit(batch)),
      read: (query) => (isSilent ? never() : store.read(query)),
      write: (statements) => (isSilent ? never() : store.write(statements)),
    });
    const stack = await openStack({ wrapStore: silent });
    const { answer } = await begin(stack, 'sim-slow');
    isSilent = true;
    const { unsettledCalls, tookMs } = await stopping(stack);
    expect(unsettledCalls).toBe(1);
    expect(tookMs).toBeLessThanOrEqual(stopMs + lastMs + 1_000);
    expectGateway(await answer, 'GATEWAY_TIMEOUT');
    isSilent = false;
    await startAgain(stack);
    expect(await heldBy(stack.store, 'search')).toBe(0);
    await stack.close();
  });
});
