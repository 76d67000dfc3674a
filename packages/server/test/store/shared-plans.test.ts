import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';
import { pendingOf, type WatchedStore, watchStore } from '../support/watched-store.ts';
import { adminOn } from './support/books.ts';
import { composeOn, type Replica } from './support/replica.ts';
import { openSharing, type Sharing, sharings } from './support/sharing.ts';

const apps = `
  - { name: search, plans: { user: { ratePerSecond: 50, burst: 100, requestsPerDay: 300 } } }`;

let sharing: Sharing;
let opened: readonly WatchedStore[];
let clock: TestClock;
let replicas: Replica[];
let apiKey: string | undefined;

async function open(kind: (typeof sharings)[number]) {
  sharing = await openSharing(kind);
  opened = sharing.stores.map(watchStore);
  clock = createTestClock({ pending: () => pendingOf(opened) });
  apiKey = undefined;
  const first = await start(0);
  apiKey = first.apiKey;
  replicas = [first, await start(1)];
}

async function close() {
  for (const replica of replicas) await clock.run(replica.stop());
  await sharing.close();
}

/** In virtual time the server's clock has no meaning. */
async function start(index: number) {
  const { clock: _, ...store } = opened[index] ?? fail();
  const { url } = sharing;
  const parts = { store, url, clock, apps, thread: index + 1 };
  return composeOn({ ...parts, ...(apiKey !== undefined && { apiKey }) });
}

/** A request that costs no money: INVALID means that the plan admitted it. */
async function ask(replica: number): Promise<string> {
  const answer = await replicas[replica % 2]?.post({ maxTokens: 0 });
  const text = (await answer?.text()) ?? '';
  return answer?.status === 400 ? 'allowed' : text;
}

const tooMany = '{"message":"Too Many Requests"}';
const exceeded = '{"message":"Limit Exceeded"}';

function count(answers: readonly string[], of: string): number {
  return answers.filter((answer) => answer === of).length;
}

/** Alternating requests on both replicas, one every `everyMs`. */
async function load(everyMs: number, untilMs: number): Promise<readonly string[]> {
  const answers: Promise<string>[] = [];
  for (let asked = 0; clock.monotonic() < untilMs; asked++) {
    answers.push(ask(asked));
    await clock.advance(everyMs);
  }
  return clock.run(Promise.all(answers));
}

describe.each(sharings)('two %s', (kind) => {
  beforeEach(() => open(kind));
  afterEach(close);

  test('use a plan completely and never exceed it: rate, burst and day', async () => {
    const startedMs = clock.monotonic();
    const first = await load(12, startedMs + 3_000);
    const mayBe = 100 + (50 * (clock.monotonic() - startedMs)) / 1_000;
    expect(count(first, 'allowed')).toBeLessThanOrEqual(mayBe);
    expect(count(first, 'allowed')).toBeGreaterThan(0.98 * mayBe);
    expect(count(first, tooMany)).toBe(first.length - count(first, 'allowed'));
    const rest = await load(11, clock.monotonic() + 2_500);
    const used = count(first, 'allowed') + count(rest, 'allowed');
    expect(used).toBeLessThanOrEqual(300);
    expect(used).toBeGreaterThan(0.98 * 300);
    expect(count(rest, exceeded)).toBeGreaterThan(0);
  });

  test('lose nothing when one stops and starts, and both count the same day', async () => {
    const burst = await clock.run(
      Promise.all(Array.from({ length: 120 }, (_, index) => ask(index))),
    );
    expect([count(burst, 'allowed'), count(burst, tooMany)]).toEqual([100, 20]);
    await clock.run(replicas[0]?.stop() ?? Promise.resolve());
    replicas[0] = await start(0);
    expect(await clock.run(ask(0))).toBe(tooMany);
    for (let round = 0; round < 2; round++) {
      await clock.advance(2_000);
      const more = Array.from({ length: 100 }, (_, index) => ask(index));
      expect(count(await clock.run(Promise.all(more)), 'allowed')).toBe(100);
    }
    await clock.advance(2_000);
    expect([await clock.run(ask(0)), await clock.run(ask(1))]).toEqual([exceeded, exceeded]);
    clock.set(clock.now() + 86_400_000);
    expect([await clock.run(ask(0)), await clock.run(ask(1))]).toEqual(['allowed', 'allowed']);
  });

  test('follow a changed plan within a second', async () => {
    expect(await clock.run(ask(1))).toBe('allowed');
    const plans = { user: { ratePerSecond: 50, burst: 100, requestsPerDay: 1 } };
    await updateApp({ ...adminOn(opened[0] ?? fail()), clock }, 'search', { plans });
    await clock.advance(1_000);
    expect([await clock.run(ask(0)), await clock.run(ask(1))]).toEqual([exceeded, exceeded]);
  });
});

function fail(): never {
  throw new Error('two stores were opened');
}
