import { expect, test } from 'vitest';
import { createSharedCounts, createSharedMemory } from '../../src/compose/threads/shared-counts.ts';
import { createProcessorShares } from '../../src/ingress/limits/processor-shares.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Processor } from '../../src/lib/processor.ts';
import { scrape } from '../observe/support/scrape.ts';
import { chatOf, meet, send, sendBody } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { heldProcessor } from '../support/processor.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';
import { createTestClock } from '../support/test-clock.ts';

/** Each piece of work takes a second on it, and the loop has this load. */
const busy = { pieceMs: 1_000, use: 1 };

/** A body that is rejected at once: one piece of work. */
const reject = (stack: Stack) => sendBody(stack, 'search', '{"model":1}');
const usage = (stack: Stack, app: string) => meet(stack, app, (client) => client.usage());

const reasonOf = ({ logLines }: Stack) =>
  logLines.findLast(({ message }) => message === 'answered')?.fields.reason;

const onSlow = (run: (stack: Stack) => Promise<void>, yaml = defaultYaml) =>
  onStack(run, { processor: (clock) => heldProcessor(clock, busy), yaml });

/** Rejected bodies of one app until it is 3 s ahead, while another app sends requests. */
async function getAhead(stack: Stack) {
  await usage(stack, 'tutor');
  for (let body = 0; body < 3; body++) expect((await reject(stack)).status).toBe(400);
  await stack.clock.advance(20);
  await usage(stack, 'tutor');
}

test(
  'an app beyond its share waits for the reported time, while another one sends requests',
  onSlow(async (stack) => {
    await getAhead(stack);
    expectGateway(await reject(stack), 'TOO_MANY_REQUESTS', '2');
    expect((await usage(stack, 'tutor')).status).toBe(200);
    await stack.clock.advance(1_000);
    await usage(stack, 'tutor');
    expectGateway(await reject(stack), 'TOO_MANY_REQUESTS', '1');
    await stack.clock.advance(1_000);
    await usage(stack, 'tutor');
    expect((await reject(stack)).status).toBe(400);
  }),
);

test(
  'it is rejected before its body is read, and none of its rate limit is used',
  onSlow(
    async (stack) => {
      await getAhead(stack);
      let isRead = false;
      const pull = (controller: ReadableStreamDefaultController) => {
        isRead = true;
        controller.close();
      };
      const headers = { 'x-api-key': await stack.key('search') };
      const body = new ReadableStream({ pull }, { highWaterMark: 0 });
      const request = { method: 'POST', headers, body, duplex: 'half' as const };
      expectGateway(await send(stack, '/v1/chat', request), 'TOO_MANY_REQUESTS', '2');
      expect(isRead).toBe(false);
      await stack.clock.advance(2_000);
      for (let more = 0; more < 2; more++) expect((await reject(stack)).status).toBe(400);
      expect((await reject(stack)).status).toBe(429);
      expect(reasonOf(stack)).toBeUndefined();
    },
    `${defaultYaml}plans: { user: { ratePerSecond: 0.01, burst: 5 } }
`,
  ),
);

test(
  'log, metrics and the console’s counts name the reason',
  onSlow(async (stack) => {
    await getAhead(stack);
    await reject(stack);
    expect(reasonOf(stack)).toBe('processor');
    const seen = await scrape(stack);
    const count = 'model_gateway_requests_limited_total{app="search",reason="processor"}';
    expect(seen.value(count)).toBe(1);
    expect(seen.value('model_gateway_app_processor_seconds_total{app="search"}')).toBe(3);
  }),
);

test.each([
  ['no other app asks', { waitMs: 1_001, use: 1 }],
  ['no other app waits', { waitMs: 0, use: 0.5 }],
])('an app can be ahead of its share while %s', async (_, { waitMs, use }) => {
  await onStack(
    async (stack) => {
      await getAhead(stack);
      await stack.clock.advance(waitMs);
      for (let body = 0; body < 10; body++) expect((await reject(stack)).status).toBe(400);
    },
    { processor: (clock) => heldProcessor(clock, { ...busy, use }) },
  )();
});

/** Two threads of a process, which share their memory and one clock. */
function openThreads() {
  const memory = createSharedMemory(2);
  const clock = createTestClock();
  const ofThread = (thread: number) =>
    createProcessorShares({
      times: createSharedCounts(memory, { thread, clock, poke: () => undefined }).times,
      ...{ clock, processor: { loopUse: () => 1 }, isWaiting: () => false },
    });
  return { clock, first: ofThread(1), second: ofThread(2) };
}

test('an app’s use of one thread counts on all', async () => {
  const { clock, first, second } = openThreads();
  second.delayMsFor('other');
  first.delayMsFor('eager');
  await clock.advance(20);
  first.spend('eager', 1_500);
  second.spend('eager', 1_500);
  expect(first.delayMsFor('eager')).toBe(2_000);
  expect(second.delayMsFor('eager')).toBe(2_000);
  expect(second.delayMsFor('other')).toBe(0);
});

test('many apps have at least 15 % of a core each', async () => {
  const { clock, first } = openThreads();
  for (let app = 0; app < 20; app++) first.delayMsFor(`app ${app}`);
  await clock.advance(20);
  first.spend('app 1', 2_150);
  expect(first.delayMsFor('app 1')).toBe(1_000);
});

test('time that nobody missed is dropped', async () => {
  const { clock, first } = openThreads();
  first.delayMsFor('other');
  first.delayMsFor('eager');
  await clock.advance(20);
  first.spend('eager', 60_000);
  expect(first.delayMsFor('eager')).toBe(4_000);
});

test('time without other requests belongs to one app', async () => {
  const { clock, first } = openThreads();
  first.delayMsFor('other');
  first.delayMsFor('eager');
  await clock.advance(20);
  first.spend('eager', 4_000);
  expect(first.delayMsFor('eager')).toBe(4_000);
  await clock.advance(2_000);
  first.delayMsFor('other');
  await clock.advance(20);
  // 1 s of its half, 1 s with the whole, and 20 ms without other requests.
  expect(first.delayMsFor('eager')).toBe(960);
});

test('large calls are read and sent in turns, and very large ones also have a rest', async () => {
  let turns = 0;
  const counted = (clock: Clock): Processor => {
    const held = heldProcessor(clock);
    const after: Processor['after'] = (waitMs, run) => {
      turns += 1;
      held.after(waitMs, run);
    };
    return { ...held, after };
  };
  await onStack(
    async (stack) => {
      const turnsOf = async (kib: number) => {
        const before = turns;
        const system = { role: 'system', content: 'x'.repeat(kib * 1_024) };
        const messages = [system, { role: 'user', content: 'hello' }];
        const body = JSON.stringify({ ...chatOf('sim-echo'), messages });
        expect((await sendBody(stack, 'search', body)).status).toBe(200);
        return turns - before;
      };
      expect([await turnsOf(8), await turnsOf(32), await turnsOf(300)]).toEqual([0, 2, 3]);
    },
    { processor: counted },
  )();
});
