import { afterEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import type { CallRecord } from '../../src/books/rows.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { openHolds } from '../store/support/books.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { createTestClock } from '../support/test-clock.ts';
import { amountsOf } from './support/oracle.ts';
import { chat, large, type SlowReaders, startSlowReaders, usage } from './support/slow-readers.ts';

let readers: SlowReaders;
afterEach(() => readers.close());

async function settledCalls(): Promise<readonly CallRecord[]> {
  const { server } = readers;
  await until(async () => (await openHolds(server.store)) === 0);
  return readCalls(server.store, 'search', utcDayOf(server.clock.now()));
}

test('the platform is paused while its caller reads nothing, and resumes with it', async () => {
  readers = await startSlowReaders(large);
  const { upstream, ask, heldBack } = readers;
  const socket = await ask();
  await heldBack(1);
  const [call] = upstream.calls;
  expect(call?.textBytes).toBeLessThan(large.deltas * large.delta.length);
  let tail = '';
  let words = 0;
  socket.on('data', (bytes) => {
    const text = tail.slice(-200) + bytes.toString();
    tail = text;
    words += bytes.toString().split('event: text').length - 1;
  });
  socket.resume();
  await until(() => tail.includes('event: finish') || tail.endsWith('0\r\n\r\n'));
  expect(words).toBeGreaterThan(0);
  const [record] = await settledCalls();
  expect(record).toMatchObject({ code: 'OK', basis: 'exact' });
});

test('after stallMs its caller is disconnected: all is read, and both pay exactly', async () => {
  readers = await startSlowReaders(large, '{ stallMs: 1500 }');
  const { upstream, ask, heldBack } = readers;
  const socket = await ask();
  const [record] = await heldBack(1).then(settledCalls);
  const cost = BigInt(usage.inputTokens) * 150_000n + BigInt(usage.outputTokens) * 600_000n;
  expect(record).toMatchObject({ code: 'ABORTED', basis: 'exact', cost, walletGrant: cost });
  const [call] = upstream.calls;
  expect(call).toMatchObject({ isCut: false, textBytes: large.deltas * large.delta.length });
  // Its socket is closed.
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
});

test('a platform that breaks off while paused is paid as for a disconnected caller', async () => {
  // However long a busy machine needs to read the buffers, no time passes.
  readers = await startSlowReaders(large, undefined, createTestClock());
  const { upstream, ask, heldBack } = readers;
  const socket = await ask();
  await heldBack(1);
  upstream.calls[0]?.break();
  let bytes = 0;
  socket.on('data', (data) => {
    bytes += data.length;
  });
  socket.resume();
  const [record] = await settledCalls();
  expect(record).toMatchObject({ code: 'SERVER', basis: 'estimated' });
  const amounts = amountsOf(chat);
  expect(record?.cost).toBe(amounts.most);
  // The socket's bytes are more than zero, and no more than the platform had written.
  expect(record?.walletGrant).toBeGreaterThan(amounts.bytes(0));
  expect(record?.walletGrant).toBeLessThanOrEqual(amounts.bytes(upstream.calls[0]?.textBytes ?? 0));
  expect(bytes).toBeGreaterThan(0);
  await expectClean(readers.server);
});
