import { expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { Exchange } from '../../src/platforms/http/exchange.ts';

test('an exchange retains none of the bytes that its head was read with', () => {
  const read = Buffer.alloc(65_536);
  const started = {
    rawHeaders: [read.subarray(20, 32), read.subarray(34, 50)],
    ...{ aborted: false, paused: false, reason: null },
    abort: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
  };
  const exchange = new Exchange(
    { path: '/', method: 'POST' },
    {
      ...{
        signal: new AbortController().signal,
        requestIdHolder: undefined,
        bytesMax: 1_000,
        bounds: undefined,
      },
      ...{ clock: systemClock, connections: { giveBack: () => undefined } },
      openReader: () => ({ read: () => undefined }),
      resolve: () => undefined,
    },
  );
  exchange.onRequestStart(started);
  exchange.onResponseStart(started, 200, { 'content-type': 'text/event-stream' });
  expect(started.rawHeaders).toBeNull();
});
