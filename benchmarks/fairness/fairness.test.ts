import { expect, test } from 'vitest';
import { routeNames } from './calls.ts';
import { coresIn } from './cores.ts';
import type { VictimCall } from './jobs.ts';
import { sides } from './prepare-side.ts';
import { allVectors, defaultVectors, worstVectors } from './vectors.ts';
import { isMiss, quantile, servedOf } from './verdict.ts';

const answered = (tookMs: number): VictimCall => ({ isAnswered: true, tookMs });
const lost: VictimCall = { isAnswered: false, tookMs: 10_000, problem: 'no answer in time' };
const repeated = (count: number, call: VictimCall) => Array.from({ length: count }, () => call);
const quiet = servedOf(repeated(100, answered(5)));

test('a quantile is a measured value', () => {
  expect(quantile([1, 2, 3, 4], 0.5)).toBe(2);
  expect(quantile([1, 2, 3, 4], 0.95)).toBe(4);
  expect(quantile([7], 0.5)).toBe(7);
  expect(quantile([], 0.95)).toBeNaN();
});

test('lost calls count among the slow ones', () => {
  const served = servedOf([...repeated(94, answered(5)), ...repeated(6, lost)]);
  expect(served).toEqual({ calls: 100, answeredShare: 0.94, p50Ms: 5, p95Ms: 10_000 });
});

test('a victim keeps 9 of 10 calls, and its slow calls take at most 10 times as long', () => {
  const attacked = (calls: readonly VictimCall[]) => isMiss(quiet, servedOf(calls));
  expect(attacked(repeated(100, answered(50)))).toBe(false);
  expect(attacked(repeated(100, answered(50.1)))).toBe(true);
  expect(attacked([...repeated(95, answered(5)), ...repeated(5, answered(9_000))])).toBe(false);
  const barelyAnswered = { ...quiet, answeredShare: 0.9 };
  expect(isMiss(quiet, barelyAnswered)).toBe(false);
  expect(isMiss(quiet, { ...barelyAnswered, answeredShare: 0.89 })).toBe(true);
});

test('a missing figure counts as a miss', () => {
  expect(isMiss(quiet, servedOf([]))).toBe(true);
  expect(isMiss(servedOf([]), quiet)).toBe(true);
});

test('a run has 24 attacks, 6 of them on every side; --all has every route and load', () => {
  expect([defaultVectors.length, worstVectors.length]).toEqual([24, 6]);
  expect(new Set(allVectors.map(({ name }) => name)).size).toBe(allVectors.length);
  const calls = allVectors.flatMap(({ attack }) => (attack.kind === 'calls' ? [attack] : []));
  expect(new Set(calls.map(({ connections }) => connections))).toEqual(
    new Set([8, 40, 60, 70, 100, 150, 300, 400, 1_050]),
  );
  expect(new Set(calls.map(({ keys }) => keys))).toEqual(new Set([1, 7]));
  const paths = new Set(calls.map(({ call }) => call.path));
  expect(paths.size).toBe(routeNames.length + 1);
  expect(Object.keys(sides)).toEqual(['sqlite', 'postgres', 'threads']);
});

test("the list of cores is read in Linux's format", () => {
  expect(coresIn('0-2,5')).toEqual([0, 1, 2, 5]);
  expect(coresIn('1')).toEqual([1]);
  expect(coresIn('')).toEqual([]);
});
