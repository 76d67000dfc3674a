import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventsOf } from '../../src/admin-api/routes/events.ts';
import { createChangeFeed } from '../../src/admin-api/views/changes.ts';
import type { Changes } from '../../src/operations/context/live-state.ts';
import { createTestClock } from '../support/test-clock.ts';

function open() {
  const clock = createTestClock();
  const store = { reads: 0, now: new Map([['overview', '1']]), isAway: false };
  const login = { isValid: true, isAway: false };
  const feed = createChangeFeed({
    clock,
    async read(): Promise<Changes> {
      store.reads += 1;
      if (store.isAway) throw new Error('away');
      return new Map(store.now);
    },
  });
  const look = (apps?: readonly string[]) => {
    const gone = new AbortController();
    const seen: string[] = [];
    const events = eventsOf({
      ...{ session: { apps }, feed, clock, disconnected: gone.signal },
      async hasSameAccess() {
        if (login.isAway) throw new Error('away');
        return login.isValid;
      },
    });
    const over = (async () => {
      for await (const text of events) seen.push(text);
    })();
    return { seen, leave: () => gone.abort(), over };
  };
  return { clock, store, feed, login, look };
}

const changed = (topic: string) => `event: changed\ndata: {"topic":"${topic}"}\n\n`;

/** Whether a promise has settled by now. */
async function hasEnded(over: Promise<void>): Promise<boolean> {
  return Promise.race([over.then(() => true), setImmediate(false)]);
}

test('a stream ends within 15 s after its login has, however busy it is', async () => {
  const { clock, store, login, look } = open();
  const { seen, over } = look();
  for (let second = 1; second <= 15; second++) {
    store.now.set('overview', `busy ${second}`);
    await clock.advance(1_000);
  }
  expect(await hasEnded(over)).toBe(false);
  login.isAway = true;
  await clock.advance(15_000);
  expect(await hasEnded(over)).toBe(false);
  Object.assign(login, { isAway: false, isValid: false });
  const before = seen.length;
  for (let second = 1; second <= 15; second++) {
    store.now.set('overview', `later ${second}`);
    await clock.advance(1_000);
  }
  await over;
  expect(seen.length - before).toBeLessThanOrEqual(15);
});

test('a hundred viewers cost one poll a second, and none after they disconnect', async () => {
  const { clock, store, look } = open();
  await clock.advance(5_000);
  expect(store.reads).toBe(0);
  const all = Array.from({ length: 100 }, () => look());
  await clock.advance(5_000);
  // The first read, and then one a second.
  expect(store.reads).toBe(6);
  store.now.set('overview', '2');
  await clock.advance(1_000);
  for (const { seen } of all) expect(seen).toEqual([': connected\n\n', changed('overview')]);
  for (const { leave } of all) leave();
  await Promise.all(all.map(({ over }) => over));
  await clock.advance(1_000);
  const { reads } = store;
  await clock.advance(10_000);
  expect(store.reads).toBe(reads);
});

test('the first viewer receives a change within a second', async () => {
  const { clock, store, look } = open();
  const { seen } = look();
  await clock.advance(100);
  store.now.set('overview', '2');
  await clock.advance(900);
  expect(seen).toEqual([': connected\n\n', changed('overview')]);
});

test('a team receives events of its own apps, and none of the operators’', async () => {
  const { clock, store, look } = open();
  const team = look(['search']);
  const operator = look();
  await clock.advance(1_000);
  const topics = ['app:search', 'app:tutor', 'audit', 'health'];
  for (const topic of topics) store.now.set(topic, '1');
  await clock.advance(1_000);
  expect(team.seen.slice(1).join('')).toBe(changed('app:search') + changed('health'));
  expect(operator.seen.slice(1).join('')).toContain(changed('app:tutor'));
});

test('a quiet stream sends heartbeats, and survives an unavailable store', async () => {
  const { clock, store, look } = open();
  const { seen } = look();
  await clock.advance(15_000);
  expect(seen).toEqual([': connected\n\n', ': still here\n\n']);
  store.isAway = true;
  await clock.advance(3_000);
  store.now.set('overview', '2');
  store.isAway = false;
  await clock.advance(1_000);
  expect(seen.at(-1)).toBe(changed('overview'));
});
