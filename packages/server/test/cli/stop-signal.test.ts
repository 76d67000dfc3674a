import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stopSignal } from '../../src/cli/stop-signal.ts';
import { systemClock } from '../../src/lib/clock.ts';

const signals = ['SIGHUP', 'SIGTERM', 'SIGINT'] as const;
const listeners = () => signals.map((signal) => process.listeners(signal));
let before: ReturnType<typeof listeners>;
beforeEach(() => {
  before = listeners();
});
afterEach(() => {
  for (const [at, signal] of signals.entries()) {
    for (const listener of process.listeners(signal)) {
      if (before[at]?.includes(listener) === false) process.off(signal, listener);
    }
  }
});

test('the end of a terminal ends its session normally', async () => {
  const stopped = stopSignal(systemClock, true);
  process.emit('SIGHUP', 'SIGHUP');
  await stopped;
});

test('without a terminal SIGHUP reloads the configuration', () => {
  void stopSignal(systemClock, false);
  expect(process.listeners('SIGHUP')).toEqual(before[0]);
  expect(process.listeners('SIGTERM')).toHaveLength((before[1]?.length ?? 0) + 1);
});
