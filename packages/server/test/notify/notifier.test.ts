import { expect, test } from 'vitest';
import type { Sent } from '../../src/notify/send.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectWebhookUses } from '../../src/store/queries/alerts.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { createBrokenStore } from '../support/broken-store.ts';
import { type Attempt, answered, event, startProcess } from './support/process.ts';
import { webhookTo } from './support/webhooks.ts';

const ops = webhookTo('https://hooks.example/x');
const other = webhookTo('https://other.example/x', { name: 'other' });
const hourMs = 3_600_000;

const usesOf = (store: Store) => store.read(selectWebhookUses);

test('an event is sent to each webhook once, within a round', async () => {
  const store = openDirectStore(':memory:');
  const found = [event('a'), event('b')];
  const { clock, attempts, notifier } = startProcess({
    store,
    webhooks: [ops, other],
    ruleEvents: found,
  });
  await clock.advance(5_000);
  const words = attempts.map(({ webhook: hook, body }) => `${hook} ${JSON.parse(body).subject}`);
  expect(words.toSorted()).toEqual([
    ...['ops model:a', 'ops model:b'],
    ...['other model:a', 'other model:b'],
  ]);
  expect(new Set(attempts.map(({ id }) => id)).size).toBe(2);
  await clock.advance(hourMs);
  expect(attempts).toHaveLength(4);
  expect(notifier.attempts().get('ops')).toEqual({ delivered: 2, failed: 0, dead: 0 });
  expect(notifier.waiting()).toEqual([]);
});

test('a webhook that fails is tried ten times in 24 hours, under one id', async () => {
  const store = openDirectStore(':memory:');
  const { clock, attempts, notifier } = startProcess({
    ...{ store, webhooks: [ops], ruleEvents: [event('a')], answer: () => answered(500) },
  });
  await clock.advance(30 * hourMs);
  expect(new Set(attempts.map(({ id }) => id)).size).toBe(1);
  const [first] = attempts;
  const hours = attempts.map(({ atMs }) => (atMs - (first?.atMs ?? 0)) / hourMs);
  expect(hours).toHaveLength(10);
  const planned = [0, 0, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24];
  for (const [index, hour] of hours.entries()) {
    const plan = planned[index] ?? 0;
    expect(hour).toBeGreaterThanOrEqual(plan * 0.9);
    // A round after it is due at the latest.
    expect(hour).toBeLessThanOrEqual(plan + 0.02);
  }
  expect(await usesOf(store)).toEqual([
    { hook: 'ops', delivered: 0, waiting: 0, dead: 1, lastError: 'answered 500' },
  ]);
  expect(notifier.attempts().get('ops')).toEqual({ delivered: 0, failed: 9, dead: 1 });
});

test('a receiver sets the time of the next attempt, within an hour', async () => {
  const store = openDirectStore(':memory:');
  const waits = [60_000, 86_400_000];
  const answer = () => ({ ...answered(429), retryAfterMs: waits.shift() });
  const { clock, attempts } = startProcess({
    store,
    webhooks: [ops],
    ruleEvents: [event('a')],
    answer,
  });
  await clock.advance(2 * hourMs);
  const [first = 0, second = 0, third = 0] = attempts.map(({ atMs }) => atMs);
  expect(second - first).toBeGreaterThanOrEqual(60_000);
  expect(second - first).toBeLessThanOrEqual(66_000);
  expect(third - second).toBeGreaterThanOrEqual(hourMs);
  expect(third - second).toBeLessThanOrEqual(hourMs + 6_000);
});

test('webhooks that never respond delay no other, and have two attempts each', async () => {
  const store = openDirectStore(':memory:');
  const found = Array.from({ length: 40 }, (_, index) => event(`m${index}`));
  const slow = ['a', 'b', 'c'].map((name) => ({ ...ops, name }));
  const hooks = [...slow, other];
  const answer = ({ webhook: hook }: Attempt) =>
    hook === 'other' ? answered(200) : new Promise<Sent>(() => undefined);
  const { clock, attempts } = startProcess({ store, webhooks: hooks, ruleEvents: found, answer });
  await clock.advance(5_000);
  const counts = hooks.map(
    ({ name }) => attempts.filter(({ webhook: hook }) => hook === name).length,
  );
  expect(counts).toEqual([2, 2, 2, 40]);
});

test('410 disables a webhook until its entry changes, also over a restart', async () => {
  const store = openDirectStore(':memory:');
  const found = [event('a'), event('b'), event('c'), event('d')];
  const first = startProcess({
    store,
    webhooks: [ops],
    ruleEvents: found,
    answer: () => answered(410),
  });
  await first.clock.advance(hourMs);
  expect(first.attempts.length).toBeLessThanOrEqual(2);
  const lastError = 'it answered 410; nothing is sent until its configuration entry changes';
  expect(await usesOf(store)).toMatchObject([{ waiting: 0, dead: 4, lastError }]);
  await first.notifier.stop();

  const again = startProcess({ store, webhooks: [ops], ruleEvents: [event('e')] });
  await again.clock.advance(hourMs);
  expect(again.attempts).toEqual([]);
  expect(await usesOf(store)).toMatchObject([{ waiting: 0, dead: 5, lastError }]);
  await again.notifier.stop();

  const changed = { ...ops, url: 'https://hooks.example/y' };
  const later = startProcess({ store, webhooks: [changed], ruleEvents: [event('f')] });
  await later.clock.advance(5_000);
  expect(later.attempts).toHaveLength(1);
});

test('a delivery while the store is unreachable is recorded later, and not repeated', async () => {
  const broken = createBrokenStore();
  const store = broken.wrap(openDirectStore(':memory:'));
  const answer = () => {
    broken.disappear();
    return answered(200);
  };
  const { clock, attempts } = startProcess({
    store,
    webhooks: [ops],
    ruleEvents: [event('a')],
    answer,
  });
  await clock.advance(60_000);
  expect(attempts).toHaveLength(1);
  broken.mend();
  await clock.advance(hourMs);
  expect(attempts).toHaveLength(1);
  expect(await usesOf(store)).toMatchObject([{ delivered: 1, waiting: 0 }]);
});

test('a finding while the store was unreachable is sent once it is back', async () => {
  const broken = createBrokenStore();
  const store = broken.wrap(openDirectStore(':memory:'));
  broken.disappear();
  const { clock, attempts } = startProcess({ store, webhooks: [ops], ruleEvents: [event('a')] });
  await clock.advance(600_000);
  expect(attempts).toEqual([]);
  broken.mend();
  await clock.advance(5_000);
  expect(attempts).toHaveLength(1);
});

test('rules that fail do not block other events of a webhook', async () => {
  const store = openDirectStore(':memory:');
  let rounds = 0;
  const rules = {
    round: async () => {
      rounds += 1;
      if (rounds > 1) throw new Error('no rows');
      return [event('a')];
    },
    ...{ local: async () => [], markRaised: () => undefined },
  };
  const answers = [500, 200];
  const answer = () => answered(answers.shift() ?? 200);
  const { clock, attempts } = startProcess({ store, webhooks: [ops], rules, answer });
  await clock.advance(60_000);
  expect(attempts).toHaveLength(2);
});

test('a process that dies before it records a delivery has it sent again, same id', async () => {
  const store = openDirectStore(':memory:');
  const answer = () => new Promise<Sent>(() => undefined);
  const first = startProcess({ store, webhooks: [ops], ruleEvents: [event('a')], answer });
  await first.clock.advance(5_000);
  // Its receiver has it; the process, which stops here, has not received the response.
  const next = startProcess({ store, webhooks: [ops], ruleEvents: [event('a')] });
  await next.clock.advance(5_000);
  const [{ id, body } = { id: '', body: '' }] = first.attempts;
  expect(next.attempts).toMatchObject([{ id, body }]);
  await next.clock.advance(hourMs);
  expect(next.attempts).toHaveLength(1);
});

test('shutdown waits 2 s for attempts, and leaves the rest to the next process', async () => {
  const store = openDirectStore(':memory:');
  const found = [event('a'), event('b'), event('c')];
  const answer = (_: Attempt, { signal }: { signal?: AbortSignal }) =>
    new Promise<Sent>((resolve) => {
      signal?.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'ended' }));
    });
  const first = startProcess({ store, webhooks: [ops], ruleEvents: found, answer });
  await first.clock.advance(5_000);
  const beganMs = first.clock.monotonic();
  await first.clock.run(first.notifier.stop());
  expect(first.clock.monotonic() - beganMs).toBe(2_000);
  expect(first.attempts).toHaveLength(2);
  expect(await usesOf(store)).toMatchObject([{ waiting: 3, lastError: undefined }]);

  const next = startProcess({ store, webhooks: [ops] });
  await next.clock.advance(5_000);
  expect(next.attempts).toHaveLength(3);
  await next.clock.run(next.notifier.stop());
  expect(await usesOf(store)).toMatchObject([{ delivered: 3, waiting: 0 }]);
});

test('a body that is longer than receivers accept is abandoned, and reported as such', async () => {
  const store = openDirectStore(':memory:');
  const formatBody = () => 'é'.repeat(10_001);
  const { clock, attempts } = startProcess({
    store,
    webhooks: [ops],
    ruleEvents: [event('a')],
    formatBody,
  });
  await clock.advance(5_000);
  expect(attempts).toEqual([]);
  expect(await usesOf(store)).toMatchObject([
    { dead: 1, lastError: 'body is too large: 20002 bytes' },
  ]);
});

test('after the clock was set back an event is sent once, and retries are late', async () => {
  const store = openDirectStore(':memory:');
  const answers = [500, 200];
  const { clock, attempts } = startProcess({
    ...{ store, webhooks: [ops], ruleEvents: [event('a')] },
    answer: () => answered(answers.shift() ?? 200),
  });
  await clock.advance(5_000);
  clock.set(clock.now() - hourMs);
  await clock.advance(2 * hourMs);
  expect(attempts).toHaveLength(2);
});
