import { expect, test } from 'vitest';
import type { Store } from '../../src/store/port/port.ts';
import { expectBooks, expectClean, paid } from '../support/books.ts';
import { createBrokenStore } from '../support/broken-store.ts';
import { chatOf, meet, meetChat, prompted, send, sendBody } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
limits: { inFlight: 5, bodyBytesInFlight: 2000, bodyBytes: 1500 }
plans: { user: { ratePerSecond: 0.001, burst: 20, requestsPerDay: 20 } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, dailyBudgetUsd: "5" }
`;

/** Calls that are running when this returns. */
async function start(stack: Stack, app: string, count: number, more: object = {}) {
  await stack.key(app);
  const answers = Array.from({ length: count }, () => begin(stack, app, 'sim-slow', more));
  await Promise.all(answers.map(({ sent }) => sent));
  await stack.clock.settle();
  return answers.map(({ answer }) => answer);
}

function lengthOf(body: object) {
  return { 'content-length': String(Buffer.byteLength(JSON.stringify(body))) };
}

/** A chat whose client can disconnect. Its length is announced, as over a socket. */
function begin(stack: Stack, app: string, model: string, more: object = {}, signal?: AbortSignal) {
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const answer = (async () => {
    const body = JSON.stringify(chatOf(model, more));
    const key = await stack.key(app);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const init = { method: 'POST', headers: { ...headers, ...length }, body };
    const response = stack.fetch('http://gateway.test/v1/chat', {
      ...init,
      ...(signal !== undefined && { signal }),
    });
    resolve();
    return (await response).status;
  })();
  return { sent, answer };
}

function usage(stack: Stack, app: string) {
  return meet(stack, app, (client) => client.usage());
}

const long = { ...prompted('a'.repeat(1_200)), maxTokens: 1_000 };
const nothing = { requests: 0, bodyBytes: 0 };

test(
  'above inFlight a request is rejected for 1 s, and uses neither rate nor quota',
  onStack(
    async (stack) => {
      const answers = await start(stack, 'search', 5);
      for (let request = 0; request < 30; request++) {
        expectGateway(await usage(stack, 'search'), 'TOO_MANY_REQUESTS', '1');
      }
      expect((await send(stack, '/health')).text).toBe('{"status":"ok"}');
      expect((await send(stack, '/')).status).toBe(200);
      expectGateway(await send(stack, '/v1/nowhere'), 'FORBIDDEN');
      await stack.clock.advance(2_000);
      expect(await Promise.all(answers)).toEqual([200, 200, 200, 200, 200]);
      // Of the key's 20, 15 are left.
      for (let request = 0; request < 15; request++) {
        expect((await usage(stack, 'search')).status).toBe(200);
      }
      expect((await usage(stack, 'search')).status).toBe(429);
      expect(stack.service.concurrency.load()).toEqual(nothing);
    },
    { yaml },
  ),
);

test(
  'an app that came first leaves room for another as its calls end',
  onStack(
    async (stack) => {
      await stack.key('tutor');
      const answers = await start(stack, 'search', 5);
      expectGateway(await usage(stack, 'tutor'), 'TOO_MANY_REQUESTS', '1');
      await stack.clock.advance(2_000);
      await Promise.all(answers);
      const more = await start(stack, 'tutor', 1);
      more.push(...(await start(stack, 'search', 3)));
      expectGateway(await usage(stack, 'search'), 'TOO_MANY_REQUESTS', '1');
      expect((await usage(stack, 'tutor')).status).toBe(200);
      await stack.clock.advance(2_000);
      await Promise.all(more);
    },
    { yaml },
  ),
);

test(
  'bodies are limited in total, with and without a stated length',
  onStack(
    async (stack) => {
      const answers = await start(stack, 'search', 1, long);
      const second = chatOf('sim-echo', prompted('a'.repeat(700)));
      expectGateway(await sendBody(stack, 'tutor', second), 'TOO_MANY_REQUESTS', '1');
      expectGateway(
        await sendBody(stack, 'tutor', second, lengthOf(second)),
        'TOO_MANY_REQUESTS',
        '1',
      );
      expect((await usage(stack, 'tutor')).status).toBe(200);
      answers.push(...(await start(stack, 'search', 1)));
      await stack.clock.advance(2_000);
      expect(await Promise.all(answers)).toEqual([200, 200]);
      expect((await sendBody(stack, 'tutor', chatOf('sim-echo'))).status).toBe(200);
      expect(stack.service.concurrency.load()).toEqual(nothing);
    },
    { yaml },
  ),
);

test(
  'a detached call is canceled for a needed permit, and booked at its maximum cost',
  onStack(
    async (stack) => {
      const leaving = new AbortController();
      const left = begin(stack, 'search', 'sim-timeout', {}, leaving.signal);
      await left.sent;
      await stack.clock.settle();
      leaving.abort();
      await expect(left.answer).rejects.toThrow();
      expect(stack.service.concurrency.load().requests).toBe(1);
      await stack.clock.advance(1);
      const answers = await start(stack, 'tutor', 3);
      answers.push(...(await start(stack, 'search', 1)));
      expect(stack.service.runner.detached.count()).toBe(1);
      expectGateway(await usage(stack, 'tutor'), 'TOO_MANY_REQUESTS', '1');
      expect(stack.service.runner.detached.count()).toBe(1);
      answers.push(...(await start(stack, 'search', 1)));
      expect(stack.service.runner.detached.count()).toBe(0);
      expect(stack.service.concurrency.load().requests).toBe(5);
      await stack.clock.advance(2_000);
      expect(await Promise.all(answers)).toEqual([200, 200, 200, 200, 200]);
      const costUsd = usd(maximumCostPicoUsd(chatOf('sim-timeout')));
      const cost = { costUsd, estimatedUsd: costUsd };
      const rest = [paid('0.000006'), paid('0.000006')];
      const cut = { code: 'ABORTED', basis: 'estimated', ...cost, attempts: ['SERVER'] } as const;
      await expectBooks(stack, 'search', { calls: [cut, ...rest], billedUsd: '0.000012' });
      expect(stack.service.concurrency.load()).toEqual(nothing);
    },
    { yaml },
  ),
);

test('a rejected request does not query the store', async () => {
  let asked = 0;
  const counted = <T>(answer: Promise<T>): Promise<T> => {
    asked += 1;
    return answer;
  };
  const wrapStore = (store: Store): Store => ({
    ...store,
    commit: (batch) => counted(store.commit(batch)),
    read: (query) => counted(store.read(query)),
    write: (statements) => counted(store.write(statements)),
  });
  const run = onStack(
    async (stack) => {
      await stack.key('tutor');
      const answers = await start(stack, 'search', 5);
      const before = asked;
      for (let request = 0; request < 50; request++) {
        expect((await stack.post('tutor', '/v1/chat', chatOf('sim-echo'))).status).toBe(429);
        expectGateway(await send(stack, '/v1/usage'), 'FORBIDDEN');
      }
      expect(asked).toBe(before);
      await stack.clock.advance(2_000);
      await Promise.all(answers);
    },
    { yaml, wrapStore },
  );
  await run();
});

const broken = createBrokenStore();

test(
  'a request’s permit is free again after any end',
  onStack(
    async (stack) => {
      const { concurrency } = stack.service;
      for (const model of ['sim-echo', 'sim-rejects', 'sim-flaky', 'sim-timeout', 'sim-reset']) {
        await meetChat(stack, 'search', model);
        await stack.clock.advance(60_000);
        expect(concurrency.load(), model).toEqual(nothing);
      }
      await meetChat(stack, 'search', 'sim-echo', { maxTokens: 0 });
      await sendBody(stack, 'search', '{');
      await sendBody(stack, 'search', 'a'.repeat(1_501));
      await send(stack, '/nowhere', { headers: { 'x-api-key': await stack.key('search') } });
      expect(concurrency.load()).toEqual(nothing);
      await stack.key('tutor');
      broken.disappear();
      expect((await meetChat(stack, 'tutor', 'sim-echo')).status).toBe(500);
      expect((await usage(stack, 'tutor')).status).toBe(500);
      broken.mend();
      expect(concurrency.load()).toEqual(nothing);
      await expectClean(stack);
    },
    { yaml, wrapStore: broken.wrap },
  ),
);
