import { expect, test } from 'vitest';
import { hasSpent } from './prove-spend.ts';

test('a report shows a counted call only by a sum above 0 under its name', () => {
  const reported = (spend: unknown) => ({ data: { providers: [{ name: 'upstream', spend }] } });
  expect(hasSpent(reported(0.000_001), 'spend')).toBe(true);
  expect(hasSpent(reported(0), 'spend')).toBe(false);
  expect(hasSpent(reported('1'), 'spend')).toBe(false);
  expect(hasSpent(reported(1), 'current_spend')).toBe(false);
  expect(hasSpent(undefined, 'spend')).toBe(false);
});
