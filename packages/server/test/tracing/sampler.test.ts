import { describe, expect, test } from 'vitest';
import { createSampler } from '../../src/tracing/tracing.ts';

const random = (values: readonly number[]) => {
  let next = 0;
  return { random: () => values[next++ % values.length] ?? 0 };
};

const parent = (isSampled: boolean, end = '00000000') => ({
  ...{ spanId: 'b7ad6b7169203331', isSampled, state: undefined },
  traceId: `0af7651916cd43dd8448eb21${end}`,
});

describe('recording', () => {
  test('of requests without a trace follows the configured share', () => {
    const isRecorded = createSampler(
      { ratio: 0.25, isParentBased: true },
      random([0, 0.2, 0.25, 0.9]),
    );
    expect([1, 2, 3, 4].map(() => isRecorded(undefined))).toEqual([true, true, false, false]);
    const none = createSampler({ ratio: 0, isParentBased: true }, random([0]));
    expect(none(undefined)).toBe(false);
    const all = createSampler({ ratio: 1, isParentBased: true }, random([0.999_999_999]));
    expect(all(undefined)).toBe(true);
  });

  test.each([0, 0.5, 1])('of %d follows the caller’s decision, if any', (ratio) => {
    const isRecorded = createSampler({ ratio, isParentBased: true }, random([0.3]));
    expect(isRecorded(parent(true))).toBe(true);
    expect(isRecorded(parent(false))).toBe(false);
  });

  test('depends only on the trace, if the caller does not decide', () => {
    const isRecorded = createSampler({ ratio: 0.5, isParentBased: false }, random([0.9]));
    expect(isRecorded(parent(false, '7fffffff'))).toBe(true);
    expect(isRecorded(parent(true, '80000000'))).toBe(false);
  });
});
