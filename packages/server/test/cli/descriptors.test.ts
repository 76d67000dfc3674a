import { expect, test } from 'vitest';
import { descriptorWarning } from '../../src/cli/descriptors.ts';

/** As Linux tells it. */
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
])('%s open files are enough for %i calls', (openFiles, inFlight) => {
  expect(descriptorWarning(inFlight, () => limits(openFiles))).toBeUndefined();
});

test('too few are told with both ways out', () => {
  expect(descriptorWarning(2_000, () => limits('1024'))).toBe(
    'limits.inFlight is 2000, 1024 open files are enough for 412: raise them to 4200 (ulimit -n), or lower limits.inFlight',
  );
  expect(descriptorWarning(1, () => limits('100'))).toContain('enough for 0');
});

test('a system that does not say how many there are is believed', () => {
  const unreadable = () => {
    throw new Error('ENOENT');
  };
  expect(descriptorWarning(1_000_000, unreadable)).toBeUndefined();
  expect(descriptorWarning(1_000_000, () => '')).toBeUndefined();
  expect(descriptorWarning(1)).toBeUndefined();
});
