import { expect, test } from 'vitest';
import { shownUse } from '../src/pages/app/use.ts';
import { picoOf, textOf } from '../src/text/money.ts';

const cent = 10n ** 10n;
const shownPico = (shown = '') => picoOf(shown.replaceAll(/[$,]/g, ''));

test('shown spent, held and left add up to the budget, each within a cent of exact', () => {
  let seed = 1;
  const random = (below: bigint) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (BigInt(seed) * 2_147_483_647n * BigInt(seed)) % below;
  };
  for (let round = 0; round < 2_000; round++) {
    const cap = random(10n ** (13n + BigInt(round % 6))) + 1n;
    const spent = random(cap);
    const held = random(cap - spent + 1n);
    const use = [spent, held, cap - spent - held];
    const [spentUsd = '', heldUsd = '', remainingUsd = ''] = use.map(textOf);
    const shown = shownUse({ spentUsd, heldUsd, remainingUsd, capUsd: textOf(cap) });
    const parts = [shown.spent, shown.held, shown.left].map(shownPico);
    expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(cap);
    for (const [at, part] of parts.entries()) {
      const off = part - (use[at] ?? 0n);
      expect(off < cent && off > -cent, `${shown.spent} ${shown.held} ${shown.left}`).toBe(true);
    }
  }
});

test('an overrun is shown as it is', () => {
  const use = { spentUsd: '41.0277', heldUsd: '0', remainingUsd: '0', capUsd: '40' };
  expect(shownUse(use)).toEqual({});
});
