import { afterEach, expect, test } from 'vitest';
import { openStack, type Stack } from '../../support/stack.ts';
import { openStreams, type Streams, streamsYaml } from './streams.ts';

let stack: Stack | undefined;
afterEach(async () => {
  await stack?.close();
  stack = undefined;
});

const thought = { type: 'reasoning', text: 'Hm.' } as const;
const refused = { code: 'THROTTLED', status: 200, broke: true, isRetryable: true } as const;

/** A chat whose first attempt has only thoughts, which callers of a chat do not see. */
async function thinking(): Promise<Streams & Awaited<ReturnType<typeof startCall>>> {
  stack = await openStack({ yaml: streamsYaml });
  const streams = await openStreams(stack);
  return { ...streams, ...(await startCall(streams)) };
}

async function startCall(streams: Streams) {
  const caller = await streams.send({ app: 'search' });
  const [first] = streams.platform.attempts;
  if (first === undefined) throw new Error('the platform was not asked');
  first.delta(thought);
  await streams.stack.clock.settle();
  expect(caller.live).toBeDefined();
  return { caller, first };
}

test('an attempt follows one without shown content, long after the first delta', async () => {
  const { caller, first, platform, stack } = await thinking();
  for (let at = 0; at < 10; at += 1) {
    await stack.clock.advance(1_000);
    first.ping();
  }
  first.fail(refused);
  await stack.clock.advance(1_000);
  const second = platform.attempts[1];
  second?.text('Hello ');
  second?.text('world');
  second?.state(24, 4);
  second?.finish();
  await stack.clock.settle();
  expect(caller.deltas.map(([text]) => text).join('')).toBe('Hello world');
  expect(caller.result).toMatchObject({ kind: 'done', output: { text: 'Hello world' } });
});

test('no attempt follows one with shown content', async () => {
  const { caller, first, platform, stack } = await thinking();
  first.text('Hello ');
  first.fail(refused);
  await stack.clock.advance(5_000);
  expect(platform.attempts).toHaveLength(1);
  expect(caller.result).toMatchObject({ kind: 'failed', error: { code: 'SERVER' } });
});

test('no attempt follows a wait that exceeds the allowed silence', async () => {
  const { caller, first, platform, stack } = await thinking();
  first.fail({ ...refused, retryAfterMs: 12_000 });
  await stack.clock.advance(20_000);
  expect(platform.attempts).toHaveLength(1);
  expect(caller.result).toMatchObject({ kind: 'failed', error: { code: 'SERVER' } });
});

test.each(['left', 'stalled'] as const)('no attempt follows a caller that has %s', async (why) => {
  const { caller, first, platform, settled, stack } = await thinking();
  first.fail({ ...refused, retryAfterMs: 10_000 });
  await stack.clock.settle();
  caller.leave(why);
  await stack.clock.settle();
  // It does not wait for the end of the back-off.
  expect(settled).toMatchObject([{ code: 'ABORTED', basis: 'estimated' }]);
  await stack.clock.advance(20_000);
  expect(platform.attempts).toHaveLength(1);
});

test('no attempt follows a stop', async () => {
  const { caller, first, platform, runner, stack } = await thinking();
  first.fail({ ...refused, retryAfterMs: 10_000 });
  await stack.clock.settle();
  runner.streams.stopAll();
  await stack.clock.settle();
  expect(caller.result).toMatchObject({ kind: 'failed', error: { code: 'SERVER' } });
  expect(platform.attempts).toHaveLength(1);
});
