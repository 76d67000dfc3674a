import { afterEach, expect, test } from 'vitest';
import { parseUsd } from '../../src/lib/money.ts';
import { updateApp } from '../../src/operations/apps/apps.ts';
import {
  aheadBytes,
  large,
  type SlowReaders,
  startSlowReaders,
} from '../../test/streams/support/slow-readers.ts';

let readers: SlowReaders;
afterEach(() => readers.close());

test('a hundred callers that never read cost a limited number of bytes each', async () => {
  // More than the caller's side accepts, and less than both sides do.
  readers = await startSlowReaders({ ...large, deltas: 5_500, isEndless: true });
  const { server, ours, ask, heldBack } = readers;
  await updateApp(server.service.admin, 'search', { dailyBudgetPicoUsd: parseUsd('5000') });
  await server.service.registry.refresh();
  for (let at = 0; at < 100; at++) await ask();
  await heldBack(100);
  const unsent = [...ours].map((socket) => socket.writableLength);
  expect(unsent).toHaveLength(100);
  // It includes bytes that were on their way when the platform was paused.
  for (const bytes of unsent) expect(bytes).toBeLessThanOrEqual(aheadBytes);
  expect(Math.min(...unsent)).toBeGreaterThan(0);
});
