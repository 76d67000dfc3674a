import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChain } from '../../src/lib/chain.ts';

test('values leave in any order, once each, and the others keep theirs', () => {
  const steps = fc.array(fc.oneof(fc.constant('add' as const), fc.nat({ max: 30 })));
  const property = fc.property(steps, (all) => {
    const chain = createChain<number>();
    const leaves: (() => void)[] = [];
    const expected = new Set<number>();
    for (const step of all) {
      if (step === 'add') {
        expected.add(leaves.length);
        leaves.push(chain.add(leaves.length));
      } else {
        leaves[step]?.();
        expected.delete(step);
      }
      expect([chain.first(), chain.count()]).toEqual([[...expected][0], expected.size]);
    }
  });
  fc.assert(property, { numRuns: 200 });
});
