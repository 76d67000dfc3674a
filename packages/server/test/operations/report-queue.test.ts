import { expect, test } from 'vitest';
import { nextTurn } from '../../src/lib/clock.ts';
import { AdminError } from '../../src/operations/context/admin-error.ts';
import { createReportQueue } from '../../src/operations/context/context.ts';

test('one long query runs at a time, five wait, and the next is rejected', async () => {
  const queue = createReportQueue();
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<number>());
  const begun: number[] = [];
  const waits: number[] = [];
  const taken = gates.map((gate, index) =>
    queue.run(
      () => {
        begun.push(index);
        return gate.promise;
      },
      (before) => waits.push(before),
    ),
  );
  const seventh = queue.run(async () => 7);
  await expect(seventh).rejects.toThrow(AdminError);
  await expect(seventh).rejects.toThrow(/5 more are queued; try again/);
  expect(waits).toEqual([1, 2, 3, 4, 5]);
  for (const [index, gate] of gates.entries()) {
    await nextTurn();
    expect(begun).toHaveLength(index + 1);
    // A failed one does not affect the others.
    if (index === 2) {
      gate.reject(new Error('this one'));
      await expect(taken[2]).rejects.toThrow('this one');
    } else {
      gate.resolve(index);
      expect(await taken[index]).toBe(index);
    }
  }
  expect(await queue.run(async () => 8)).toBe(8);
});
