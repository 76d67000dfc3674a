import { expect, test } from 'vitest';
import type { Round } from '../rounds/round.ts';
import { allScenarios } from '../rounds/scenario.ts';
import { notRunText } from './not-run.ts';
import { rowsOf } from './rows.ts';
import { tableHead, tableOf } from './table.ts';

/** 1,000 calls in a second; the upstream is watched first, the side after it. */
function round(parts: { sideMicros?: number; p50Ms: number; databaseMicros?: number }): Round {
  const { sideMicros, p50Ms, databaseMicros } = parts;
  const upstream = { totalMicros: 50_000, mainMicros: 50_000 };
  const side = sideMicros === undefined ? [] : [{ totalMicros: sideMicros, mainMicros: 1_000 }];
  return {
    ...{ calls: 1_000, seconds: 1, p50Ms, p99Ms: 2 * p50Ms, maxMs: 9, cpu: [upstream, ...side] },
    ...{ ownCpuMicros: 0, othersCpuMicros: 0, sent: 1_000, failures: 0, firstFailure: undefined },
    ...{ startedMicros: 0, endedMicros: 1e6, databaseMicrosPerCall: databaseMicros },
  };
}

const [scenario] = allScenarios;
if (scenario === undefined) throw new Error('there are scenarios');
const rows = rowsOf({
  scenario,
  floor: 'floor',
  direct: 'nothing',
  results: [
    { side: 'nothing', rounds: [round({ p50Ms: 1 })], peakBytes: undefined },
    { side: 'floor', rounds: [round({ p50Ms: 2, sideMicros: 60_000 })], peakBytes: 2 ** 20 },
    {
      side: 'gateway, PostgreSQL',
      rounds: [round({ p50Ms: 4, sideMicros: 90_000, databaseMicros: 70 })],
      peakBytes: 2 ** 21,
    },
  ],
});

test('the time of a database is separate from that of its side', () => {
  expect(rows[2]).toMatchObject({
    ...{ cpuMicrosPerCall: 90, cpuTimesFloor: 1.5, databaseMicrosPerCall: 70 },
    ...{ addedP50Ms: 3, addedP99Ms: 6 },
  });
  expect(rows[1]?.databaseMicrosPerCall).toBeUndefined();
});

test('every line of the table is as wide as its head', () => {
  const head = tableHead();
  expect(head).toContain('database');
  const lines = tableOf(rows)
    .split('\n')
    .filter((line) => /^(nothing|floor|gateway)/.test(line));
  expect(lines.map((line) => line.length)).toEqual([head.length, head.length, head.length]);
});

test('a side without a response during its measurement has only a rate', () => {
  const rounds = [{ ...round({ p50Ms: 0, sideMicros: 90_000 }), calls: 0 }];
  const results = [
    { side: 'nothing', rounds: [round({ p50Ms: 1 })], peakBytes: undefined },
    { side: 'slow', rounds, peakBytes: 2 ** 20 },
  ];
  const rows = rowsOf({ scenario, results, floor: 'floor', direct: 'nothing' });
  const unknown = { cpuMicrosPerCall: Number.NaN, p50Ms: Number.NaN, addedP99Ms: Number.NaN };
  expect(rows[1]).toMatchObject({ callsPerSecond: 0, ...unknown });
  expect(tableOf(rows)).toMatch(/^slow +– +– +– +– +0 +– +– +– +– +– +1$/m);
});

test('each reason for not taking part is one line', () => {
  const text = notRunText([
    { side: 'A', reason: 'no tool:\n  say what' },
    { side: 'A', reason: 'no tool:\n  say what' },
    { side: 'B', reason: 'no module' },
  ]);
  expect(text).toBe('\nnot run: 2\n    A: no tool: say what\n    B: no module');
});
