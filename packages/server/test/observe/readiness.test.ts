import { describe, expect, test } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import { createReadiness } from '../../src/observe/readiness.ts';
import type { Query } from '../../src/store/port/port.ts';
import { createBrokenStore } from '../support/broken-store.ts';
import { send } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';
import { createTestClock } from '../support/test-clock.ts';

async function ready({ clock, service }: Stack) {
  const page = service.monitor.pages['/ready'];
  if (page === undefined) throw new Error('there is no page /ready');
  const { status, text } = await clock.run(Promise.resolve(page()));
  return { status, body: JSON.parse(text) };
}

test(
  'a service whose store responds is ready, until it stops',
  onStack(async (stack) => {
    expect(await ready(stack)).toEqual({ status: 200, body: { status: 'ready' } });
    stack.service.ingress.drain();
    expect(await ready(stack)).toEqual({ status: 503, body: { status: 'draining' } });
    expect((await send(stack, '/health')).body).toEqual({ status: 'draining' });
  }),
);

test('an unreachable store is reported by name, while the process is healthy', async () => {
  const broken = createBrokenStore();
  const run = onStack(
    async (stack) => {
      broken.disappear();
      const reasons = [{ name: 'store', message: 'The store does not respond.' }];
      expect(await ready(stack)).toEqual({ status: 503, body: { status: 'unready', reasons } });
      expect((await send(stack, '/health')).body).toEqual({ status: 'ok' });
      const lines = stack.logLines.filter(({ message }) => message.startsWith('not ready'));
      expect(lines).toMatchObject([{ level: 'warn' }]);
      broken.mend();
      expect(await ready(stack)).toEqual({ status: 200, body: { status: 'ready' } });
    },
    { wrapStore: broken.wrap },
  );
  await run();
});

test('a store that rejects writes is reported within 2 s, and so is its recovery', async () => {
  const broken = createBrokenStore();
  const run = onStack(
    async (stack) => {
      broken.fillDisk();
      await stack.clock.advance(2_000);
      const reasons = [{ name: 'store', message: 'The store accepts no writes.' }];
      expect(await ready(stack)).toEqual({ status: 503, body: { status: 'unready', reasons } });
      expect((await send(stack, '/health')).body).toEqual({ status: 'ok' });
      const errors = stack.logLines.filter(({ level }) => level === 'error');
      expect(errors).toMatchObject([
        { message: 'heartbeat or cleanup of the ledger failed; will retry' },
      ]);
      broken.mend();
      await stack.clock.advance(2_000);
      expect(await ready(stack)).toEqual({ status: 200, body: { status: 'ready' } });
    },
    { wrapStore: broken.wrap },
  );
  await run();
});

test('a stuck store is reported when others would declare the process dead', async () => {
  const { promise: letGo, resolve } = Promise.withResolvers<void>();
  let isStuck = false;
  const run = onStack(
    async (stack) => {
      isStuck = true;
      await stack.clock.advance(9_000);
      expect((await ready(stack)).status).toBe(200);
      await stack.clock.advance(1_000);
      expect((await ready(stack)).status).toBe(503);
      isStuck = false;
      resolve();
      await stack.clock.settle();
      expect((await ready(stack)).status).toBe(200);
    },
    {
      wrapStore: (store) => ({
        ...store,
        async write(statements) {
          if (isStuck) await letGo;
          return store.write(statements);
        },
      }),
    },
  );
  await run();
});

describe('a store', () => {
  const clock = createTestClock();
  const parts = {
    clock,
    log: silentLog,
    heartbeatIsFresh: () => true,
    isDraining: () => false,
    platforms: () => [],
  };

  test('that is stuck is waited for 2 s, and read once', async () => {
    let reads = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const read = async <T>({ map }: Query<T>) => {
      reads += 1;
      await promise;
      return map([{ value: 1n }]);
    };
    const page = createReadiness({ ...parts, store: { read } });
    for (let look = 0; look < 3; look++) {
      const startedMs = clock.monotonic();
      const { status, text } = await clock.run(page());
      expect(status).toBe(503);
      expect(text).toContain('The store does not respond within 2000 ms.');
      expect(clock.monotonic() - startedMs).toBe(2_000);
    }
    expect(reads).toBe(1);
    resolve();
    await clock.settle();
    expect(await clock.run(page())).toMatchObject({ status: 200 });
    expect(reads).toBe(2);
  });

  test.each([
    [0, 200],
    [2_000, 200],
    [-2_000, 200],
    [2_001, 503],
    [-2_001, 503],
  ])('whose clock is %i ms ahead of ours answers %i', async (skewMs, expected) => {
    const read = async <T>({ map }: Query<T>) => map([{ value: 1n }]);
    const serverClock = { skewMs: () => skewMs, measure: async () => undefined };
    const page = createReadiness({ ...parts, store: { read, clock: serverClock } });
    const { status, text } = await clock.run(page());
    expect(status).toBe(expected);
    if (status === 503) expect(JSON.parse(text).reasons).toMatchObject([{ name: 'clock' }]);
  });
});
