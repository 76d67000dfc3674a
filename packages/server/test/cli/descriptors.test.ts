import { expect, test } from 'vitest';
import { connectionsMaxFor, descriptorWarning } from '../../src/cli/listen/descriptors.ts';

/** As Linux reports it. */
function limits(openFiles: string): string {
  return `Limit                     Soft Limit           Hard Limit           Units
Max processes             63000                63000                processes
Max open files            ${openFiles.padEnd(20)} 1048576              files
Max locked memory         8388608              8388608              bytes
`;
}

test.each([
  ['4200', 2_000],
  ['unlimited', 1_000_000],
  ['200', 0],
])('%s open files suffice for %i calls', (openFiles, inFlight) => {
  expect(descriptorWarning(inFlight, () => limits(openFiles))).toBeUndefined();
});

test('too few are reported with both solutions', () => {
  expect(descriptorWarning(2_000, () => limits('1024'))).toBe(
    'limits.inFlight is 2000, but 1024 open files support only 412; raise the limit to 4200 (ulimit -n), or lower limits.inFlight',
  );
  expect(descriptorWarning(1, () => limits('100'))).toContain('support only 0');
});

test('a system without a reported limit is accepted', () => {
  const unreadable = () => {
    throw new Error('ENOENT');
  };
  expect(descriptorWarning(1_000_000, unreadable)).toBeUndefined();
  expect(descriptorWarning(1_000_000, () => '')).toBeUndefined();
  expect(descriptorWarning(1)).toBeUndefined();
});

test.each([
  ['16384', 2_000, 12_184],
  ['1048576', 2_000, 1_044_376],
  // With few descriptors, half are for callers. The others are for the needs of their calls.
  ['5000', 2_000, 2_400],
  ['1024', 2_000, 412],
  ['1024', 10, 804],
  ['201', 2_000, undefined],
  ['64', 2_000, undefined],
  ['unlimited', 2_000, undefined],
])('of %s open files, with %i calls at once, callers have %s', (openFiles, inFlight, most) => {
  expect(connectionsMaxFor(inFlight, () => limits(openFiles))).toBe(most);
  if (most === undefined) return;
  // Each call of a connection has one connection to its platform, and the number of calls is
  // limited.
  expect(most + Math.min(most, inFlight) + 200).toBeLessThanOrEqual(Number(openFiles));
});
