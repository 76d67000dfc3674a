import { expect, test } from 'vitest';
import { createHeadcount } from '../../src/lib/headcount.ts';

test('nobody is waited for when nobody is there', async () => {
  const people = createHeadcount();
  await people.none();
  expect(people.count()).toBe(0);
});

test('everybody who waits hears that the last one has gone', async () => {
  const people = createHeadcount();
  people.come();
  people.come();
  let heard = 0;
  const waiting = [people.none(), people.none()].map((none) => none.then(() => void heard++));
  people.go();
  await Promise.resolve();
  expect([people.count(), heard]).toEqual([1, 0]);
  people.go();
  await Promise.all(waiting);
  expect([people.count(), heard]).toEqual([0, 2]);
});
