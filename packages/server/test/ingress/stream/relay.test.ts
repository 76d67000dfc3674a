import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { describe, expect, test } from 'vitest';
import { CallError } from '../../../src/calls/model/call-error.ts';
import { createRequestLog } from '../../../src/calls/model/request-log.ts';
import { failed } from '../../../src/calls/model/result.ts';
import { defaultStreamLimits, type StreamLimits } from '../../../src/domain/limits.ts';
import { encode } from '../../../src/ingress/dialects/gateway/encode.ts';
import { events } from '../../../src/ingress/dialects/gateway/events.ts';
import { createRelay } from '../../../src/ingress/stream/relay.ts';
import type { EndedStream, WrittenContent } from '../../../src/lib/observer.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { createFakeCall, done, usage } from './fake-call.ts';

/** A relay to a client that accepts as much as the test allows. */
function relayed(limits: Partial<StreamLimits> = {}, call = createFakeCall()) {
  const clock = createTestClock();
  const log = createRequestLog();
  const ended: EndedStream[] = [];
  const written: WrittenContent[] = [];
  const writes: string[] = [];
  const untaken: (() => void)[] = [];
  let fate: 'open' | 'ended' | 'cut' = 'open';
  let isBehind = false;
  const relay = createRelay(
    {
      ...{ clock, limits: { ...defaultStreamLimits, ...limits } },
      observer: {
        streamEnded: (stream) => void ended.push(stream),
        streamWritten: (content) => void written.push(content),
      },
    },
    {
      ...{ live: call.live, dialect: events, operation: 'chat', log },
      ...{ isKeyed: true, startedMs: clock.monotonic() },
    },
  );
  relay.open({
    write(text, bytes, onAccepted) {
      expect(bytes).toBe(Buffer.byteLength(text));
      writes.push(text);
      untaken.push(onAccepted);
    },
    end: () => {
      fate = 'ended';
    },
    destroy: () => {
      fate = 'cut';
    },
    isBehind: () => isBehind,
  });
  return {
    ...{ call, clock, log, relay, ended, written, writes },
    take() {
      for (const taken of untaken.splice(0)) taken();
    },
    setBehind(value: boolean) {
      isBehind = value;
    },
    fate: () => fate,
    events: () => eventsIn(writes.join('')),
  };
}

function eventsIn(text: string): EventSourceMessage[] {
  const found: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => void found.push(event) }).feed(text);
  return found;
}

describe('a stream', () => {
  test('is a start, its text as it arrives, and the exact response', async () => {
    const { call, clock, log, ended, fate, ...told } = relayed();
    await clock.advance(40);
    call.emit('Hello, ');
    await clock.settle();
    call.emit('you\r\nand\u2028"you"');
    await clock.settle();
    call.end(done('Hello, you'));
    await clock.settle();
    const found = told.events();
    expect(found.map(({ id, event }) => [id, event])).toEqual([
      ['1', 'start'],
      ['2', 'text'],
      ['3', 'text'],
      ['4', 'finish'],
    ]);
    const [start, ...texts] = found.map(({ data }) => data);
    expect(JSON.parse(start ?? '')).toEqual({
      ...{ id: 'call_1', model: 'sim-echo', requestId: 'up_1' },
    });
    expect(JSON.parse(texts[1] ?? '')).toEqual({ text: 'you\r\nand\u2028"you"' });
    expect(texts[2]).toBe(encode(done('Hello, you')).body);
    expect(fate()).toBe('ended');
    expect(ended).toEqual([{ route: 'chat', end: 'finish', pausedMs: 0 }]);
    expect(log).toMatchObject({ deltas: 2, end: 'finish' });
    expect(call.disconnectReason()).toBeUndefined();
  });

  test('writes the events of one turn of the event loop at once', async () => {
    const { call, clock, writes, written } = relayed();
    await clock.settle();
    for (const word of ['a', 'b', 'c']) call.emit(word);
    await clock.settle();
    expect(writes).toHaveLength(2);
    expect(eventsIn(writes[1] ?? '').map(({ id }) => id)).toEqual(['2', '3', '4']);
    expect(written).toEqual([{ route: 'chat', delayMs: 0 }]);
  });

  test('ends with the requested tools, then the response', async () => {
    const { call, clock, ...told } = relayed();
    const toolCalls = [
      { id: 'a', name: 'look-up', input: { of: [1] } },
      { id: 'b', name: 'look-up', input: null },
    ];
    call.end({ ...done(''), output: { kind: 'turn', text: undefined, toolCalls } });
    await clock.settle();
    const found = told.events();
    expect(found.map(({ id, event }) => [id, event])).toEqual([
      ['1', 'start'],
      ['2', 'toolCall'],
      ['3', 'toolCall'],
      ['4', 'finish'],
    ]);
    expect(found.slice(1, 3).map(({ data }) => JSON.parse(data))).toEqual(toolCalls);
  });

  test.each([
    ['with what is booked', { usage, cost: { usd: '0.1', estimated: false } }],
    ['without', undefined],
    ['without counts', { usage: undefined, cost: { usd: '0.1', estimated: true } }],
  ])('ends with its error, %s', async (_name, billed) => {
    const { call, clock, log, ...told } = relayed();
    call.emit('Hel');
    const error = new CallError('TRUNCATED', 'It stopped.', { model: 'sim-echo', requestId: 'u' });
    call.end({ ...failed(error), billed });
    await clock.settle();
    expect(told.events().map(({ event }) => event)).toEqual(['start', 'text', 'error']);
    expect(JSON.parse(told.events().at(-1)?.data ?? '')).toEqual({
      error: { code: 'TRUNCATED', message: 'It stopped.', model: 'sim-echo', requestId: 'u' },
      usage: billed?.usage ?? null,
      cost: billed?.cost ?? null,
      partial: true,
    });
    expect(log).toMatchObject({ code: 'TRUNCATED', end: 'error' });
  });

  test.each(['idle', 'total'] as const)(
    'reports a call that ended at its time limit: %s',
    async (end) => {
      const { call, clock, log, ended } = relayed();
      log.end = end;
      call.end(failed(new CallError('TIMEOUT', 'Too long.')));
      await clock.settle();
      expect(ended).toMatchObject([{ end }]);
    },
  );

  test('gets a comment every 10 s without an event, unless the last one waits', async () => {
    const { call, clock, writes, take, ...told } = relayed();
    await clock.settle();
    take();
    await clock.advance(6_000);
    call.emit('a');
    await clock.advance(9_999);
    expect(told.events()).toHaveLength(2);
    expect(writes).toHaveLength(2);
    take();
    await clock.advance(1);
    expect(writes.at(-1)).toBe(': keep-alive\n\n');
    await clock.advance(19_999);
    expect(writes).toHaveLength(3);
    take();
    await clock.advance(10_000);
    expect(writes).toHaveLength(4);
    expect(told.events()).toHaveLength(2);
  });

  test('begins after the delta that its caller has', async () => {
    const { call, clock, ...told } = relayed({}, createFakeCall({ after: 7, isReplayed: true }));
    call.emit('more');
    await clock.settle();
    expect(told.events()).toMatchObject([{ id: '9', event: 'text' }]);
  });

  test('whose caller disconnects notifies its call, and nobody else', async () => {
    const { call, clock, relay, writes, ended, log } = relayed();
    await clock.settle();
    const leftAtEnd: (string | undefined)[] = [];
    relay.whenEnded(() => leftAtEnd.push(call.disconnectReason()));
    relay.leave();
    relay.leave();
    // The call takes over the request's resources before the request releases them.
    expect(leftAtEnd).toEqual(['left']);
    call.emit('a');
    call.end(done('a'));
    await clock.advance(60_000);
    expect(call.disconnectReason()).toBe('left');
    expect(writes).toHaveLength(1);
    expect(ended).toMatchObject([{ end: 'left' }]);
    expect(log.end).toBe('left');
  });
});

describe('a client that reads slowly', () => {
  const limits = { aheadBytes: 1_000, stallMs: 5_000 };

  test('pauses its platform above the allowed lead, until that is read', async () => {
    const { call, clock, take, ended } = relayed(limits);
    await clock.settle();
    take();
    call.emit('x'.repeat(500));
    await clock.settle();
    expect(call.isHeld()).toBe(false);
    expect(call.deliveredBytes()).toBe(0);
    call.emit('ü'.repeat(300));
    await clock.settle();
    expect(call.isHeld()).toBe(true);
    await clock.advance(2_000);
    take();
    expect(call.isHeld()).toBe(false);
    expect(call.deliveredBytes()).toBe(1_100);
    call.end(done(''));
    await clock.settle();
    expect(ended).toEqual([{ route: 'chat', end: 'finish', pausedMs: 2_000 }]);
  });

  test('pauses it while it still reads, by written bytes and not by content', async () => {
    const { call, clock, take, writes } = relayed(limits);
    await clock.settle();
    take();
    call.emit('x'.repeat(900));
    expect(call.isHeld()).toBe(false);
    // 60 bytes of content, and 360 of JSON.
    call.emit('\u0001'.repeat(60));
    expect(call.isHeld()).toBe(true);
    expect(writes).toHaveLength(2);
    take();
    await clock.settle();
    expect(call.isHeld()).toBe(false);
    expect(writes).toHaveLength(2);
  });

  test('never has more waiting than allowed, also during a pause', async () => {
    const { call, clock, take } = relayed({ aheadBytes: 65_536, stallMs: 5_000 });
    await clock.settle();
    take();
    const isHeldAt = async (bytes: number) => {
      call.emit('x'.repeat(bytes));
      await clock.settle();
      return call.isHeld();
    };
    expect([await isHeldAt(32_600), await isHeldAt(200)]).toEqual([false, true]);
  });

  test('counts as disconnected when it accepts nothing for the limit, paused or not', async () => {
    const { call, clock, take, ended, fate } = relayed(limits);
    await clock.settle();
    take();
    call.emit('a');
    await clock.advance(4_000);
    take();
    call.emit('b');
    await clock.advance(4_999);
    expect(call.disconnectReason()).toBeUndefined();
    await clock.advance(1);
    expect(call.disconnectReason()).toBe('stalled');
    expect(fate()).toBe('cut');
    expect(ended).toMatchObject([{ end: 'stalled', pausedMs: 0 }]);
  });

  test('counts as disconnected as soon, if its platform is paused only after a while', async () => {
    const { call, clock, take, ended } = relayed(limits);
    await clock.settle();
    take();
    call.emit('a');
    await clock.advance(3_000);
    call.emit('x'.repeat(1_000));
    await clock.advance(1_999);
    expect([call.isHeld(), call.disconnectReason()]).toEqual([true, undefined]);
    await clock.advance(1);
    expect(call.disconnectReason()).toBe('stalled');
    expect(ended).toMatchObject([{ end: 'stalled', pausedMs: 2_000 }]);
  });

  test('counts as disconnected when its pauses reach the total limit', async () => {
    const { call, clock, take, ended } = relayed(limits);
    await clock.settle();
    for (let pause = 0; pause < 2; pause += 1) {
      take();
      call.emit('x'.repeat(1_000));
      await clock.advance(2_000);
    }
    take();
    await clock.advance(5_500);
    expect(call.disconnectReason()).toBeUndefined();
    call.emit('x'.repeat(1_000));
    await clock.advance(999);
    expect(call.disconnectReason()).toBeUndefined();
    await clock.advance(1);
    expect(call.disconnectReason()).toBe('stalled');
    expect(ended).toMatchObject([{ end: 'stalled', pausedMs: 5_000 }]);
    expect(call.holds()).toBe(3);
  });

  test('does not while responses before its own are on their way', async () => {
    const { call, clock, setBehind } = relayed(limits);
    setBehind(true);
    call.emit('x'.repeat(2_000));
    await clock.advance(60_000);
    expect(call.disconnectReason()).toBeUndefined();
    setBehind(false);
    await clock.advance(5_001);
    expect(call.disconnectReason()).toBe('stalled');
  });
});
