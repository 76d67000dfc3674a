import { describe, expect, test } from 'vitest';
import type { LoadResult } from '../load/job.ts';
import { isDisturbed, roundOf } from './round.ts';

/** 900 calls in 2 s, 100 more before and after; other processes used 0.2 s of processor time. */
const result: LoadResult = {
  ...{ calls: 900, seconds: 2, p50Ms: 1, p99Ms: 2, maxMs: 3, cpu: [], ownCpuMicros: 0 },
  ...{ othersCpuMicros: 200_000, sent: 1_000, failures: 0, firstFailure: undefined },
  ...{ startedMicros: 0, endedMicros: 2e6 },
};

describe('a round', () => {
  test("subtracts the database's time for each call from that of everything else", () => {
    const round = roundOf({ result, reached: 1_000, databaseMicros: 100_000 });
    expect(round).toMatchObject({ databaseMicrosPerCall: 100, othersCpuMicros: 110_000 });
  });

  test('leaves the time of everything else unchanged without a database', () => {
    const round = roundOf({ result, reached: 1_000, databaseMicros: undefined });
    expect(round).toMatchObject({ databaseMicrosPerCall: undefined, othersCpuMicros: 200_000 });
  });

  test.each([999, 1_001])('counts a call that the upstream missed or saw twice: %i', (reached) => {
    const round = roundOf({ result, reached, databaseMicros: undefined });
    expect(round.failures).toBe(1);
    expect(round.firstFailure).toContain(`${reached} reached the upstream`);
  });

  test("keeps the load generator's failures", () => {
    const failed = { ...result, failures: 3, firstFailure: '503' };
    const round = roundOf({ result: failed, reached: 997, databaseMicros: undefined });
    expect(round).toMatchObject({ failures: 3, firstFailure: '503' });
  });
});

describe('a measurement is repeated', () => {
  const rows = [
    { othersCpuMicros: 290_000, failures: 0, repeated: false },
    { othersCpuMicros: 310_000, failures: 0, repeated: true },
    { othersCpuMicros: 310_000, failures: 1, repeated: false },
  ];
  test.each(rows)('others used $othersCpuMicros µs, $failures failed: $repeated', (row) => {
    const { repeated, ...what } = row;
    const round = { ...result, databaseMicrosPerCall: undefined, ...what };
    expect(isDisturbed(round)).toBe(repeated);
  });
});
