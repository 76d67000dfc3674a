import { describe, expect, test } from 'vitest';
import { createTextLog } from '../../../src/calls/stream/followers.ts';
import { utcDayOf } from '../../../src/lib/clock.ts';
import { readCalls } from '../../support/books.ts';
import { onStack } from '../../support/on-stack.ts';
import type { Stack } from '../../support/stack.ts';
import { counts, type FakeAttempt } from './fake-platform.ts';
import { openStreams, type Streams, streamsYaml } from './streams.ts';

const options = { yaml: streamsYaml };
const request = { app: 'tutor', key: 'k1' } as const;

function onlyAttempt({ platform }: Streams): FakeAttempt {
  const [attempt, ...more] = platform.attempts;
  if (attempt === undefined || more.length > 0) throw new Error('the platform was asked once');
  return attempt;
}

function sendEach(attempt: FakeAttempt, ...texts: readonly string[]) {
  for (const text of texts) attempt.text(text);
}

async function paid({ store, clock }: Stack) {
  const calls = await readCalls(store, 'tutor', utcDayOf(clock.now()));
  return calls.map(({ code, cost, walletGrant }) => ({ code, cost, walletGrant }));
}

const exact = 6_000_000n;

describe('a retry of a streamed request with its key', () => {
  test(
    'gets the text so far as one, then the later deltas, and the same end',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      const first = await streams.send(request);
      const attempt = onlyAttempt(streams);
      sendEach(attempt, 'a', 'b', 'c');
      await stack.clock.settle();
      const second = await streams.send(request);
      expect(second.live).toMatchObject({ isReplayed: true, callId: first.live?.callId, after: 0 });
      expect(second.deltas).toEqual([['abc', 3]]);
      sendEach(attempt, 'd');
      expect(second.deltas).toEqual([
        ['abc', 3],
        ['d', 4],
      ]);
      attempt.finish({ usage: counts(24, 4) });
      await stack.clock.settle();
      expect(second.result).toEqual(first.result);
      expect(await paid(stack)).toEqual([{ code: 'OK', cost: exact, walletGrant: exact }]);
    }, options),
  );

  test.each([
    { after: 2, deltas: [['cd', 4]] },
    { after: 4, deltas: [] },
    // From another process: its meaning is unknown.
    { after: 5, deltas: [['abcd', 4]] },
  ])('omits the deltas up to $after, if they are known', async ({ after, deltas }) => {
    await onStack(async (stack) => {
      const streams = await openStreams(stack);
      await streams.send(request);
      sendEach(onlyAttempt(streams), 'a', 'b', 'c', 'd');
      await stack.clock.settle();
      const second = await streams.send({ ...request, after });
      expect(second.live?.after).toBe(after > 4 ? 0 : after);
      expect(second.deltas).toEqual(deltas);
      onlyAttempt(streams).finish();
      await stack.clock.settle();
    }, options)();
  });

  test(
    'waits for the first delta, as the first one does',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      const callers = [await streams.send(request), await streams.send(request)];
      expect(callers.map(({ live }) => live)).toEqual([undefined, undefined]);
      sendEach(onlyAttempt(streams), 'a');
      await stack.clock.settle();
      expect(callers.map(({ deltas }) => deltas)).toEqual([[['a', 1]], [['a', 1]]]);
      onlyAttempt(streams).finish();
      await stack.clock.settle();
    }, options),
  );

  test(
    'resumes a call whose first caller has disconnected, and which is no longer detached',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      const first = await streams.send(request);
      const attempt = onlyAttempt(streams);
      sendEach(attempt, 'a');
      await stack.clock.settle();
      first.leave();
      sendEach(attempt, 'b');
      await stack.clock.advance(5_000);
      const second = await streams.send(request);
      expect(second.deltas).toEqual([['ab', 2]]);
      await stack.clock.advance(5_000);
      expect(attempt.isCut()).toBe(false);
      attempt.finish({ usage: counts(24, 4) });
      await stack.clock.settle();
      expect([first.result, second.result?.kind]).toEqual([undefined, 'done']);
      expect(await paid(stack)).toEqual([{ code: 'OK', cost: exact, walletGrant: exact }]);
      expect([first.permits, second.permits]).toEqual([0, 1]);
    }, options),
  );

  test.each([
    { isDisconnectedBefore: true, code: 'ABORTED' },
    { isDisconnectedBefore: false, code: 'TIMEOUT' },
  ])(
    'gives a late call no more time; disconnected before: $isLeftBefore',
    async ({ isDisconnectedBefore, code }) => {
      await onStack(async (stack) => {
        const streams = await openStreams(stack);
        const first = await streams.send(request);
        const attempt = onlyAttempt(streams);
        sendEach(attempt, 'a');
        await stack.clock.settle();
        for (let step = 0; step < 10; step++) {
          if (isDisconnectedBefore && step === 9) first.leave();
          await stack.clock.advance(3_000);
          attempt.ping();
        }
        const second = await streams.send(request);
        expect(second.deltas).toEqual([['a', 1]]);
        await stack.clock.advance(1_000);
        second.leave();
        await stack.clock.advance(5_000);
        expect(attempt.isCut()).toBe(true);
        expect(await paid(stack)).toMatchObject([{ code }]);
      }, options)();
    },
  );

  test(
    'resumes it after the first delta came too late for its first caller, too',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      const first = await streams.send(request);
      await stack.clock.advance(8_000);
      expect(first.result).toMatchObject({ error: { code: 'TIMEOUT' } });
      sendEach(onlyAttempt(streams), 'a', 'b');
      const second = await streams.send(request);
      expect(second.deltas).toEqual([['ab', 2]]);
      onlyAttempt(streams).finish({ usage: counts(24, 4) });
      await stack.clock.settle();
      expect(second.result?.kind).toBe('done');
      expect(await paid(stack)).toEqual([{ code: 'TIMEOUT', cost: exact, walletGrant: exact }]);
    }, options),
  );

  test(
    'gets the stored result of an ended call, also when another process ends it',
    onStack(async (stack) => {
      const [here, elsewhere] = [await openStreams(stack), await openStreams(stack)];
      const first = await here.send(request);
      const waiting = await elsewhere.send(request);
      sendEach(onlyAttempt(here), 'a');
      await stack.clock.settle();
      expect([first.live?.kind, waiting.live]).toEqual(['live', undefined]);
      onlyAttempt(here).finish({ usage: counts(24, 4) });
      await stack.clock.advance(500);
      const later = await here.send(request);
      const replayed = { ...first.result, isReplayed: true };
      expect([waiting.result, later.result]).toEqual([replayed, replayed]);
      expect(elsewhere.platform.attempts).toEqual([]);
    }, options),
  );
});

describe('several callers', () => {
  test(
    'a slow one gets its missed text as one, and the platform waits when nobody reads',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      const slow = await streams.send(request);
      const attempt = onlyAttempt(streams);
      sendEach(attempt, 'a');
      const fast = await streams.send(request);
      slow.following.hold();
      expect(attempt.isPaused()).toBe(false);
      sendEach(attempt, 'b', 'c');
      fast.following.hold();
      expect(attempt.isPaused()).toBe(true);
      sendEach(attempt, 'd');
      slow.following.release();
      expect(attempt.isPaused()).toBe(false);
      expect([slow.deltas.at(-1), fast.deltas.at(-1)]).toEqual([
        ['bcd', 4],
        ['c', 3],
      ]);
      slow.following.hold();
      slow.leave();
      expect(attempt.isPaused()).toBe(true);
      fast.leave();
      expect(attempt.isPaused()).toBe(false);
      attempt.finish({ usage: counts(24, 4) });
      await stack.clock.settle();
    }, options),
  );

  test(
    'the only one of a call without a key gets all missed text, and its end with it',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      const caller = await streams.send({ app: 'search' });
      const attempt = onlyAttempt(streams);
      sendEach(attempt, 'a');
      await stack.clock.settle();
      caller.following.hold();
      sendEach(attempt, 'b', 'c');
      caller.following.release();
      sendEach(attempt, 'd');
      caller.following.hold();
      sendEach(attempt, 'e', 'f');
      attempt.finish();
      await stack.clock.settle();
      expect(caller.deltas.map(([text]) => text)).toEqual(['a', 'bc', 'd', 'ef']);
      expect(caller.deltas.at(-1)?.[1]).toBe(6);
      expect(caller.result?.kind).toBe('done');
    }, options),
  );
});

test('a stored text has the part after any delta, also of very many, with its content', () => {
  const log = createTextLog(true);
  for (let delta = 1; delta <= 1_000; delta++) {
    expect(log.append({ text: `${delta},`, bytes: 2 })).toBe(delta);
  }
  const all = Array.from({ length: 1_000 }, (_, index) => `${index + 1},`);
  for (const after of [0, 1, 255, 256, 257, 999, 1_000]) {
    const bytes = 2 * (1_000 - after);
    expect(log.since(after)).toEqual({ text: all.slice(after).join(''), bytes });
  }
});
