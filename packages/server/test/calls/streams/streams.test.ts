import { describe, expect, test, vi } from 'vitest';
import { utcDayOf } from '../../../src/lib/clock.ts';
import { expectClean, heldBy, readCalls } from '../../support/books.ts';
import { onStack } from '../../support/on-stack.ts';
import type { Stack } from '../../support/stack.ts';
import { counts, type FakeAttempt } from './fake-platform.ts';
import { openStreams, type Streams, streamsYaml } from './streams.ts';

const options = { yaml: streamsYaml };

function attemptAt(streams: Streams, index = 0): FakeAttempt {
  const attempt = streams.platform.attempts[index];
  if (attempt === undefined) throw new Error('the platform was not asked');
  return attempt;
}

/** The only call of an app. */
async function onlyCall({ store, clock }: Stack, app: string) {
  const [call, ...more] = await readCalls(store, app, utcDayOf(clock.now()));
  expect(more).toEqual([]);
  return call;
}

describe('a streamed call', () => {
  test(
    'is delivered from its first delta on, and ends when it is settled',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      const caller = await streams.send({ app: 'tutor' });
      expect([caller.live, caller.result]).toEqual([undefined, undefined]);
      const attempt = attemptAt(streams);
      for (const text of ['Hello', ', ', 'world']) attempt.text(text);
      await stack.clock.settle();
      attempt.text('!');
      await stack.clock.settle();
      expect(caller.live).toMatchObject({ kind: 'live', isReplayed: false, after: 0 });
      expect(caller.deltas).toEqual([
        ['Hello, world', 3],
        ['!', 4],
      ]);
      expect(caller.result).toBeUndefined();
      attempt.finish({ usage: counts(24, 4) });
      await stack.clock.settle();
      expect(caller.settledBefore).toBe(1);
      expect(caller.result).toMatchObject({
        kind: 'done',
        output: { kind: 'text', text: 'Hello, world!', finishReason: 'stop' },
        cost: { usd: '0.000006', estimated: false },
      });
      expect(caller.permits).toBe(1);
    }, options),
  );

  test(
    'begins with the first delta of any kind, even one that is not shown',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      const caller = await streams.send({ app: 'search' });
      attemptAt(streams).ping();
      await stack.clock.settle();
      expect(caller.live).toBeUndefined();
      attemptAt(streams).delta({ type: 'reasoning', text: 'Hm' });
      await stack.clock.settle();
      expect([caller.live?.kind, caller.deltas]).toEqual(['live', []]);
      attemptAt(streams).finish({ usage: counts(24, 4) });
      await stack.clock.settle();
    }, options),
  );

  test(
    'reserves its money as long as it can run or be detached, and half a minute',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      await streams.send({ app: 'search' });
      const expiresAt = await stack.store.read({
        sql: 'select expires_at from hold',
        values: [],
        map: ([row]) => Number(row?.expires_at),
      });
      expect(expiresAt - stack.clock.now()).toBe(30_000 + 6_000 + 30_000);
      attemptAt(streams).finish();
      await stack.clock.settle();
    }, options),
  );

  test(
    'of a model that cannot stream is rejected before any reservation',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      streams.platform.streams = false;
      const caller = await streams.send({ app: 'search' });
      const error = { code: 'NOT_IMPLEMENTED', details: { model: 'sim-echo' } };
      expect(caller.result).toMatchObject({ kind: 'failed', error });
      expect(streams.platform.attempts).toEqual([]);
      expect(await heldBy(stack.store, 'search')).toBe(0);
    }, options),
  );

  test(
    'is attempted again only before its first delta: the caller’s text is from the last attempt',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      const caller = await streams.send({ app: 'search' });
      attemptAt(streams).ping();
      attemptAt(streams).fail({ billed: 'no', status: 503 });
      await stack.clock.advance(1_000);
      attemptAt(streams, 1).text('Hello');
      attemptAt(streams, 1).fail({ billed: 'no', status: 503 });
      await stack.clock.advance(8_000);
      expect(streams.platform.attempts.length).toBe(2);
      expect(caller.deltas).toEqual([['Hello', 1]]);
      expect(caller.result).toMatchObject({ kind: 'failed', error: { code: 'SERVER' } });
    }, options),
  );

  test(
    'that failed reports its booked cost',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      const [cut, broken] = [
        await streams.send({ app: 'search' }),
        await streams.send({ app: 'search' }),
      ];
      attemptAt(streams).text('Hello');
      attemptAt(streams).finish({ finish: 'length', usage: counts(24, 4) });
      attemptAt(streams, 1).state(24);
      attemptAt(streams, 1).text('Hello');
      attemptAt(streams, 1).breakOff();
      await stack.clock.settle();
      expect(cut.result).toMatchObject({
        error: { code: 'TRUNCATED' },
        billed: { usage: { inputTokens: 24 }, cost: { usd: '0.000006', estimated: false } },
      });
      const billed = { usage: undefined, cost: { usd: '0.0000636', estimated: true } };
      expect(broken.result).toMatchObject({ error: { code: 'SERVER' }, billed });
    }, options),
  );

  test(
    'that ran too long reports so before it is settled, and its cost is found later',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      const caller = await streams.send({ app: 'search' });
      attemptAt(streams).text('Hello');
      for (let step = 0; step < 10; step++) {
        await stack.clock.advance(3_000);
        attemptAt(streams).ping();
      }
      expect(caller.result).toMatchObject({ error: { code: 'TIMEOUT' }, billed: undefined });
      expect([caller.settledBefore, caller.log.end]).toEqual([0, 'total']);
      expect([attemptAt(streams).isCut(), streams.runner.detached.count()]).toEqual([false, 1]);
      attemptAt(streams).finish({ usage: counts(24, 4) });
      await stack.clock.settle();
      expect(streams.runner.detached.count()).toBe(0);
      expect(caller.permits).toBe(0);
    }, options),
  );

  test(
    'whose platform is silent is canceled, unless the gateway pauses it',
    onStack(async (stack) => {
      const streams = await openStreams(stack);
      const caller = await streams.send({ app: 'search' });
      attemptAt(streams).text('Hello');
      await stack.clock.settle();
      caller.following.hold();
      await stack.clock.advance(13_000);
      expect(attemptAt(streams).isCut()).toBe(false);
      caller.following.release();
      await stack.clock.advance(11_999);
      expect(attemptAt(streams).isCut()).toBe(false);
      await stack.clock.advance(1);
      expect(attemptAt(streams).isCut()).toBe(true);
      expect(caller.result).toMatchObject({ error: { code: 'TIMEOUT' } });
      expect([caller.settledBefore, caller.log.end]).toEqual([1, 'idle']);
    }, options),
  );
});

/** 20 events: a head, thoughts, text, counts, the end. */
const events: readonly ((attempt: FakeAttempt) => void)[] = [
  (attempt) => attempt.ping(),
  (attempt) => attempt.delta({ type: 'reasoning', text: 'Hm' }),
  ...Array.from({ length: 16 }, (_, word) => (attempt: FakeAttempt) => attempt.text(`w${word} `)),
  (attempt) => attempt.state(24, 32),
  (attempt) => attempt.finish(),
];

describe('the queries of the store', () => {
  test.each<[string | undefined]>([[undefined], ['key-1']])(
    'are as many for three hundred deltas as for one; key: %s',
    onStack(async (stack, key) => {
      const commit = vi.spyOn(stack.store, 'commit');
      const others = [vi.spyOn(stack.store, 'read'), vi.spyOn(stack.store, 'write')];
      const asked: string[][] = [];
      for (const deltas of [1, 300]) {
        const streams = await openStreams(stack);
        commit.mockClear();
        for (const other of others) other.mockClear();
        const caller = await streams.send({ app: 'tutor', key: key && `${key}-${deltas}` });
        attemptAt(streams).text('word ');
        await stack.clock.settle();
        for (let at = 1; at < deltas; at++) attemptAt(streams).text('word ');
        expect(caller.deltas).toHaveLength(deltas);
        attemptAt(streams).finish({ usage: counts(24, 4) });
        await stack.clock.settle();
        expect(caller.result?.kind).toBe('done');
        asked.push(commit.mock.calls.flatMap(([batch]) => batch.map(({ kind }) => kind)));
        for (const other of others) expect(other).not.toHaveBeenCalled();
      }
      expect(asked[0]).toEqual(['reserve', 'settle']);
      expect(asked[1]).toEqual(asked[0]);
    }, options),
  );
});

describe('a caller that disconnects after each of the twenty events of a stream', () => {
  test.each([...events.keys()])(
    'after %i events: the response is paid exactly, once',
    async (left) => {
      await onStack(async (stack) => {
        const streams = await openStreams(stack);
        const caller = await streams.send({ app: 'tutor' });
        for (const [number, say] of events.entries()) {
          if (number === left) caller.leave();
          await stack.clock.settle();
          say(attemptAt(streams));
          await stack.clock.settle();
        }
        const call = await onlyCall(stack, 'tutor');
        const cost = 24n * 150_000n + 32n * 600_000n;
        expect(call).toMatchObject({ code: 'ABORTED', basis: 'exact', cost });
        const hasRead = left > 2;
        expect(call?.walletGrant).toBe(hasRead ? cost : 0n);
        expect(streams.settled.length).toBe(1);
        expect(await heldBy(stack.store, 'tutor')).toBe(0);
        expect([caller.permits, streams.runner.streams.count()]).toEqual([0, 0]);
        await expectClean(stack);
      }, options)();
    },
  );
});

describe('a platform that may be canceled when the caller has disconnected', () => {
  test.each([
    { app: 'search', key: undefined, isCut: true },
    { app: 'search', key: 'k1', isCut: false },
    { app: 'tutor', key: undefined, isCut: false },
  ] as const)('$app with the key $key is canceled: $isCut', async ({ app, key, isCut }) => {
    await onStack(async (stack) => {
      const streams = await openStreams(stack, 'cut');
      const caller = await streams.send({ app, key });
      attemptAt(streams).text('Hello');
      await stack.clock.settle();
      caller.leave();
      expect(attemptAt(streams).isCut()).toBe(isCut);
      attemptAt(streams).finish({ usage: counts(24, 4) });
      await stack.clock.settle();
      const call = await onlyCall(stack, app);
      expect([call?.code, call?.basis]).toEqual(['ABORTED', isCut ? 'estimated' : 'exact']);
    }, options)();
  });
});
