import { describe, expect, test } from 'vitest';
import { parseRetryAfterMs } from '../src/call/failure.ts';
import { openScripted } from './scripted-client.ts';
import { apiError, text } from './scripted-fetch.ts';
import { startEpochMs } from './virtual-runtime.ts';

const inThreeSeconds = new Date(startEpochMs + 3_000);
const rows: readonly { header: string; retryAfterMs: number | undefined; waitMs?: number }[] = [
  { header: '0', retryAfterMs: 0 },
  { header: '1', retryAfterMs: 1_000 },
  { header: '1.5', retryAfterMs: 1_500 },
  { header: ' 7 ', retryAfterMs: 7_000 },
  { header: '20', retryAfterMs: 20_000, waitMs: 20_000 },
  { header: '21', retryAfterMs: 21_000, waitMs: 20_000 },
  { header: '86400', retryAfterMs: 86_400_000, waitMs: 20_000 },
  { header: '9'.repeat(400), retryAfterMs: Number.MAX_SAFE_INTEGER, waitMs: 20_000 },
  { header: inThreeSeconds.toUTCString(), retryAfterMs: 3_000 },
  { header: 'Saturday, 21-Nov-26 08:00:03 GMT', retryAfterMs: 3_000 },
  { header: 'Sat Nov 21 08:00:03 2026', retryAfterMs: 3_000 },
  { header: 'Fri, 20 Nov 2026 08:00:03 GMT', retryAfterMs: 0 },
  { header: 'Sun, 22 Nov 2026 00:00:00 GMT', retryAfterMs: 57_600_000, waitMs: 20_000 },
  { header: '-1', retryAfterMs: undefined },
  { header: '-0', retryAfterMs: undefined },
  { header: 'NaN', retryAfterMs: undefined },
  { header: 'Infinity', retryAfterMs: undefined },
  { header: '1e3', retryAfterMs: undefined },
  { header: '0x10', retryAfterMs: undefined },
  { header: '', retryAfterMs: undefined },
  { header: '1, 2', retryAfterMs: undefined },
  { header: 'soon', retryAfterMs: undefined },
  { header: 'Saturday soon', retryAfterMs: undefined },
  { header: '2026', retryAfterMs: 2_026_000, waitMs: 20_000 },
];

describe('retry-after', () => {
  for (const { header, retryAfterMs, waitMs } of rows) {
    const name = header.length > 40 ? `${header.length} digits` : JSON.stringify(header);
    test(`${name} requests ${retryAfterMs ?? 'nothing'}`, async () => {
      const steps = [apiError(503, 'WALLET_BUSY', { 'retry-after': header })];
      const { failingChat, script } = openScripted(steps);
      const error = await failingChat({ maxAttempts: 2 });
      // The jitter is half of 500 ms.
      expect(script.seen.map(({ atMs }) => atMs)).toEqual([0, waitMs ?? (retryAfterMs ?? 0) + 250]);
      if (retryAfterMs === undefined) expect(error).not.toHaveProperty('retryAfterMs');
      else expect(error.retryAfterMs).toBeTypeOf('number');
    });

    test(`${name} is read as ${retryAfterMs}`, () => {
      expect(parseRetryAfterMs(header, startEpochMs)).toBe(retryAfterMs);
    });
  }

  test('a missing header requests nothing', () => {
    expect(parseRetryAfterMs(null, startEpochMs)).toBeUndefined();
  });

  test('an error without a retry reports the uncapped wait', async () => {
    const headers = { 'retry-after': '57600', 'x-should-retry': 'false' };
    const error = await openScripted([apiError(429, 'BUDGET_EXCEEDED', headers)]).failingChat();
    expect(error).toMatchObject({ attempts: 1, retryAfterMs: 57_600_000 });
  });

  test('is used for the gateway, which sends no JSON error', async () => {
    const { failingChat, script } = openScripted([text(429, '', { 'retry-after': '1' })]);
    await failingChat();
    expect(script.seen.map(({ atMs }) => atMs)).toEqual([0, 1_250, 2_750]);
  });

  test.each([
    { asked: '1', rolls: [0, 0.25, 0.999], waits: [1_000, 1_125, 1_499.5] },
    { asked: '19.8', rolls: [0.2, 0.4, 0.9], waits: [19_900, 20_000, 20_000] },
    { asked: '0', rolls: [0.1, 0.5], waits: [50, 250] },
  ])('$asked: a crowd that was refused at once does not come back at once', async (row) => {
    const headers = { 'retry-after': row.asked };
    const waits = await Promise.all(
      row.rolls.map(async (roll) => {
        const steps = [text(429, '{"message":"Too Many Requests"}', headers)];
        const { failingChat, script } = openScripted(steps, { random: () => roll });
        await failingChat({ maxAttempts: 2 });
        return script.seen[1]?.atMs;
      }),
    );
    expect(waits).toEqual(row.waits);
  });

  test('the jitter above it grows with the attempts', async () => {
    const steps = [text(429, '', { 'retry-after': '1' })];
    const { failingChat, script } = openScripted(steps, { random: () => 1 });
    await failingChat({ maxAttempts: 4 });
    expect(script.seen.map(({ atMs }) => atMs)).toEqual([0, 1_500, 3_500, 6_500]);
  });

  test('a capped wait beyond the deadline does not begin', async () => {
    const steps = [apiError(503, 'WALLET_BUSY', { 'retry-after': '3600' })];
    const { failingChat, script, runtime } = openScripted(steps);
    const startMs = runtime.monotonicMs();
    const error = await failingChat({ timeoutMs: 20_000 });
    expect(error).toMatchObject({ code: 'WALLET_BUSY', retryAfterMs: 3_600_000, attempts: 1 });
    expect(script.seen).toHaveLength(1);
    expect(runtime.monotonicMs()).toBe(startMs);
  });
});
