import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChain } from '../../src/lib/chain.ts';

test('values leave in any order, once each, and the others keep theirs', () => {
  const steps = fc.array(
    fc.oneof(fc.constantFrom('add' as const, 'ahead' as const), fc.nat({ max: 30 })),
  );
  const property = fc.property(steps, (all) => {
    const chain = createChain<number>();
    const leaves: (() => void)[] = [];
    const expected = { ahead: new Set<number>(), add: new Set<number>() };
    for (const step of all) {
      if (typeof step === 'string') {
        expected[step].add(leaves.length);
        leaves.push(chain.add(leaves.length, step === 'ahead' ? step : undefined));
      } else {
        leaves[step]?.();
        expected.ahead.delete(step);
        expected.add.delete(step);
      }
      const [first, ...others] = [...expected.ahead, ...expected.add];
      expect([chain.first(), chain.count()]).toEqual([
        first,
        first === undefined ? 0 : 1 + others.length,
      ]);
    }
  });
  fc.assert(property, { numRuns: 200 });
});
