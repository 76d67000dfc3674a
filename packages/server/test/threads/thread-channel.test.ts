import { afterEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { openThreadChannel, type ThreadChannel } from '../../src/compose/threads/thread-channel.ts';
import { createTestClock } from '../support/test-clock.ts';

// Each side is one thread's: only the others receive its events.

const clock = createTestClock();
let opened: ThreadChannel[] = [];
let channels = 0;
afterEach(() => {
  for (const news of opened) news.close();
  opened = [];
});

function openThree(): readonly [ThreadChannel, ThreadChannel, ThreadChannel] {
  const name = `test ${process.pid} ${channels++}`;
  const three = [1, 2, 3].map(() => openThreadChannel(name, clock));
  opened = three;
  const [one, two, other] = three;
  if (!(one && two && other)) throw new Error('three were opened');
  return [one, two, other];
}

/** A call that a thread runs, and its end. */
function runningCall() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let hasLeft = false;
  return {
    call: { final: promise, isDetached: () => hasLeft },
    leave() {
      hasLeft = true;
    },
    end: resolve,
  };
}

function follower() {
  const heard: string[] = [];
  return {
    heard,
    follower: { left: () => void heard.push('left'), ended: () => void heard.push('ended') },
  };
}

const heardBy = (heard: readonly string[]) => expect.poll(() => heard);
const report = { name: 'sandbox', state: 'unauthorized', problem: 'it takes no key' } as const;

/** Until each side has the others' events so far, and their replies: a report is last. */
async function untilTold() {
  for (const _ of ['messages', 'replies']) {
    const received: unknown[] = [];
    for (const news of opened) news.onReport((one) => void received.push(one));
    for (const news of opened) news.report(report);
    await until(() => received.length === opened.length * (opened.length - 1));
  }
}

test('a follower of a call receives its caller’s disconnect, and its end', async () => {
  const [one, two, three] = openThree();
  const { call, leave, end } = runningCall();
  one.provide((callId) => (callId === 'call_1' ? call : undefined));
  two.provide(() => undefined);
  const [first, second, unknown] = [follower(), follower(), follower()];
  two.follow('call_1', first.follower);
  three.follow('call_1', second.follower);
  three.follow('call_2', unknown.follower);
  await untilTold();
  await clock.advance(200);
  expect(first.heard).toEqual([]);
  leave();
  await clock.advance(50);
  await heardBy(first.heard).toEqual(['left']);
  end();
  await heardBy(first.heard).toEqual(['left', 'ended']);
  await heardBy(second.heard).toEqual(['left', 'ended']);
  expect(unknown.heard).toEqual([]);
});

test('a later follower receives at once that the caller has disconnected', async () => {
  const [one, two, three] = openThree();
  const { call, leave, end } = runningCall();
  one.provide(() => call);
  leave();
  const early = follower();
  two.follow('call_1', early.follower);
  await heardBy(early.heard).toEqual(['left']);
  const late = follower();
  three.follow('call_1', late.follower);
  await heardBy(late.heard).toEqual(['left']);
  end();
  await heardBy(late.heard).toEqual(['left', 'ended']);
});

test('a former follower of a call receives no more of it', async () => {
  const [one, two] = openThree();
  const { call, leave, end } = runningCall();
  one.provide(() => call);
  const [kept, forgotten] = [follower(), follower()];
  two.follow('call_1', forgotten.follower).unfollow();
  two.follow('call_1', kept.follower);
  await untilTold();
  leave();
  end();
  await heardBy(kept.heard).toContain('ended');
  expect(forgotten.heard).toEqual([]);
});

test('a thread does not follow its own calls', async () => {
  const [one] = openThree();
  const { call, end } = runningCall();
  one.provide(() => call);
  const { follower: own, heard } = follower();
  one.follow('call_1', own);
  end();
  await untilTold();
  expect(heard).toEqual([]);
});

test('one thread’s finding about a platform reaches all', async () => {
  const [one, two, other] = openThree();
  const heard: unknown[] = [];
  for (const news of [one, two, other]) news.onReport((report) => void heard.push(report));
  two.report(report);
  await expect.poll(() => heard).toEqual([report, report]);
});
