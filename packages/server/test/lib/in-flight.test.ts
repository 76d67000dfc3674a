import { expect, test } from 'vitest';
import { createInFlight } from '../../src/lib/in-flight.ts';

test('without running calls there is no wait', async () => {
  const people = createInFlight();
  await people.idle();
  expect(people.count()).toBe(0);
});

test('every waiting caller is notified of the last end', async () => {
  const people = createInFlight();
  people.enter();
  people.enter();
  let resolved = 0;
  const waiting = [people.idle(), people.idle()].map((none) => none.then(() => void resolved++));
  people.leave();
  await Promise.resolve();
  expect([people.count(), resolved]).toEqual([1, 0]);
  people.leave();
  await Promise.all(waiting);
  expect([people.count(), resolved]).toEqual([0, 2]);
});
