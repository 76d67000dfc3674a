import { expect, test } from 'vitest';
import { asking, open } from '../test/open.ts';

test('a simulator drops single calls after 100,000 of them', async () => {
  const { chat, simulator } = open();
  for (let count = 0; count < 100_002; count++) await chat(asking('sim-usage-zero', ''));
  const bill = simulator.bill();
  expect(bill.calls).toHaveLength(100_000);
  expect(bill).toMatchObject({ forgottenCalls: 2, total: { calls: 100_002 } });
});
