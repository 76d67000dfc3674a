/**
 * Parts add up to the amount: rounded down, and the largest remainders get one more, in order. No
 * part passes its weight while the amount is at most their sum.
 */
export function distribute(amount: bigint, weights: readonly bigint[]): readonly bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return weights;
  const parts = weights.map((weight) => (amount * weight) / total);
  const remainders = weights.map((weight, index) => ({ index, rest: (amount * weight) % total }));
  let left = amount - parts.reduce((sum, part) => sum + part, 0n);
  // The sort is stable: equal remainders stay in their order.
  remainders.sort((a, b) => (a.rest === b.rest ? 0 : a.rest > b.rest ? -1 : 1));
  for (const { index } of remainders) {
    if (left === 0n) break;
    parts[index] = (parts[index] ?? 0n) + 1n;
    left -= 1n;
  }
  return parts;
}
