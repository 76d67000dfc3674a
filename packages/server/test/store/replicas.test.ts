import { createSimulator } from '@model-gateway/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createIdempotencyKey } from '../../src/calls/model/idempotency-key.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { disableKey, issueKey } from '../../src/operations/keys/keys.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectBudget, selectCallRecord } from '../../src/store/queries/ledger.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';
import { pendingOf, type WatchedStore, watchStore } from '../support/watched-store.ts';
import { adminOn, count, openHolds } from './support/books.ts';
import { ledgerOn, reservation, settlement } from './support/load.ts';
import { bodyOf, composeOn, type PostParts, type Replica } from './support/replica.ts';
import { openSharing, type Sharing, sharings } from './support/sharing.ts';

let sharing: Sharing;
let opened: readonly WatchedStore[];
let clock: TestClock;
let stores: readonly [Store, Store];
let replicas: readonly [Replica, Replica];
async function open(kind: (typeof sharings)[number]) {
  sharing = await openSharing(kind);
  const { url } = sharing;
  opened = sharing.stores.map(watchStore);
  clock = createTestClock({ pending: () => pendingOf(opened) });
  const simulator = createSimulator({ clock });
  const [first, second] = opened.map(withoutClock);
  if (first === undefined || second === undefined) throw new Error('two stores were opened');
  stores = [first, second];
  const one = await composeOn({ store: first, url, clock, simulator });
  const { apiKey } = one;
  replicas = [one, await composeOn({ store: second, url, clock, simulator, apiKey, thread: 2 })];
}

async function close() {
  for (const replica of replicas) await clock.run(replica.stop());
  await sharing.close();
}

/** In virtual time the server's clock has no meaning. */
function withoutClock({ clock: _, ...store }: Store): Store {
  return store;
}

async function post(replica: Replica, parts: PostParts = {}) {
  const answer = await replica.post(parts);
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const today = () => utcDayOf(clock.now());
const billed = () => replicas[0].simulator.bill().total.calls;

describe.each(sharings)('two %s', (kind) => {
  beforeEach(() => open(kind));
  afterEach(close);

  test('admit together exactly as many calls as fit into one budget', async () => {
    const [one, two] = replicas;
    const admin = { ...adminOn(stores[0]), clock };
    await updateApp(admin, 'search', { dailyBudgetPicoUsd: 10n ** 12n });
    await clock.run(post(one));
    const before = await stores[0].read(selectBudget('search', today()));
    const calls = Array.from({ length: 200 }, (_, index) =>
      post(index % 2 === 0 ? one : two, { model: 'sim-slow', maxTokens: 16_000 }),
    );
    await clock.settle();
    const during = await stores[0].read(selectBudget('search', today()));
    const answers = await clock.run(Promise.all(calls));
    const admitted = answers.filter(({ status }) => status === 200).length;
    const refused = answers.filter(({ status }) => status === 429);
    const cap = during?.cap ?? 0n;
    const spent = before?.spent ?? 0n;
    const bound = (during?.held ?? 0n) / BigInt(admitted);
    expect(admitted + refused.length).toBe(200);
    expect(refused.length).toBeGreaterThan(10);
    expect(spent + bound * BigInt(admitted)).toBeLessThanOrEqual(cap);
    expect(spent + bound * BigInt(admitted + 1)).toBeGreaterThan(cap);
    // Each rejection is true: it names the used amount, and the call did not fit in addition to it.
    for (const { text } of refused) expect(text).toContain(`could cost $${formatUsd(bound)}`);
    expect(await audit(stores[1], clock.now())).toMatchObject({ clean: true });
  });

  test('attach to each other’s running call, and replay its response to the byte', async () => {
    const [one, two] = replicas;
    const parts = { model: 'sim-slow', key: 'k1' };
    const [first, attached] = await clock.run(
      Promise.all([post(one, parts), clock.settle().then(() => post(two, parts))]),
    );
    const replayed = await clock.run(post(two, parts));
    expect([first.status, attached.status, replayed.status]).toEqual([200, 200, 200]);
    expect([attached.text, replayed.text]).toEqual([first.text, first.text]);
    const marks = [first, attached, replayed].map(({ headers }) =>
      headers.get('idempotent-replayed'),
    );
    expect(marks).toEqual([null, 'true', 'true']);
    expect(billed()).toBe(1);
  });

  test('return the id and the booked cost of each other’s failed call', async () => {
    const [one, two] = replicas;
    const parts = { model: 'sim-reset', key: 'k1' };
    const [first, attached] = await clock.run(
      Promise.all([post(one, parts), clock.settle().then(() => post(two, parts))]),
    );
    expect([first.status, attached.status]).toEqual([502, 502]);
    expect(attached.headers.get('idempotent-replayed')).toBe('true');
    const callId = first.headers.get('x-call-id') ?? '';
    const record = await stores[0].read(selectCallRecord(callId));
    expect(record?.cost).toBeGreaterThan(0n);
    const told = { 'x-call-id': callId, 'x-cost-usd': formatUsd(record?.cost ?? 0n) };
    expect(Object.fromEntries(first.headers)).toMatchObject(told);
    expect(Object.fromEntries(attached.headers)).toMatchObject(told);
  });

  test('ask callers of a detached call that failed to retry', async () => {
    const [one, two] = replicas;
    const parts = { model: 'sim-stuck', key: 'k1' };
    const client = new AbortController();
    const left = one.post({ ...parts, signal: client.signal }).then(
      () => 'answered',
      () => 'left',
    );
    await clock.advance(1_000);
    client.abort();
    await clock.advance(50_000);
    expect(await left).toBe('left');
    const waited = await clock.run(post(two, parts));
    expect(waited.status).toBe(502);
    expect(JSON.parse(waited.text)).toMatchObject({ error: { code: 'SERVER' } });
    expect(waited.headers.get('x-should-retry')).not.toBe('false');
    const codes = {
      sql: 'select code from call',
      values: [],
      map: (rows: readonly object[]) => rows,
    };
    expect(await stores[0].read(codes)).toEqual([{ code: 'ABORTED' }]);
  });

  test('take over the key of a dead instance, and store the new response', async () => {
    const { keyHash, fingerprint } = createIdempotencyKey({
      ...{ key: 'k1', method: 'POST', path: '/v1/chat' },
      body: Buffer.from(bodyOf({})),
    });
    const made = reservation({
      app: 'search',
      amount: 10n ** 6n,
      key: keyHash,
      instanceId: 'dead',
    });
    const startedAt = clock.now();
    const facts = { ...made.facts, day: today(), startedAt };
    const idempotency = { keyHash, fingerprint, expiresAt: startedAt + 3_600_000 };
    const lost = { ...made, facts, idempotency, now: startedAt, expiresAt: startedAt + 120_000 };
    const ledger = ledgerOn(stores[0]);
    await ledger.reserve(lost, () => false);

    const taken = await clock.run(post(replicas[1], { key: 'k1' }));
    expect(taken.status).toBe(200);
    expect(taken.headers.has('idempotent-replayed')).toBe(false);
    await clock.advance(10_000);
    expect(await openHolds(stores[0])).toBe(0);
    const record = selectCallRecord(facts.callId);
    expect(await stores[0].read(record)).toMatchObject({ code: 'LOST', basis: 'expired' });
    // A later settlement of the old instance is booked; nobody gets its response.
    await ledger.settle(settlement(lost, 77n));
    expect(await stores[0].read(record)).toMatchObject({ code: 'OK', cost: 77n, basis: 'exact' });
    const replayed = await clock.run(post(replicas[0], { key: 'k1' }));
    expect(replayed.text).toBe(taken.text);
    expect(await audit(stores[1], clock.now())).toMatchObject({ clean: true });
  });

  test('see a change of apps and keys within a second, and of a budget at once', async () => {
    const [, two] = replicas;
    const admin = { ...adminOn(stores[0]), clock };
    const { key, id } = await issueKey(admin, { app: 'search', email: 'new@acme.example' });
    await clock.advance(1_000);
    expect((await clock.run(post(two, { apiKey: key }))).status).toBe(200);

    await updateApp(admin, 'search', { dailyBudgetPicoUsd: 1n });
    expect((await clock.run(post(two))).status).toBe(429);
    await updateApp(admin, 'search', { dailyBudgetPicoUsd: undefined });
    expect((await clock.run(post(two))).status).toBe(200);

    await updateApp(admin, 'search', { enabled: false });
    await clock.advance(1_000);
    expect((await clock.run(post(two))).text).toContain('DISABLED');
    await disableKey(admin, id);
    await clock.advance(1_000);
    expect((await clock.run(post(two, { apiKey: key }))).text).toBe('{"message":"Forbidden"}');
  });

  test('are registered by name, and end their heartbeats when they stop', async () => {
    expect(await count(stores[0], 'select count(*) as n from owner')).toBe(2);
    await clock.run(replicas[0].stop());
    expect(await count(stores[1], 'select count(*) as n from owner')).toBe(1);
  });
});

describe('two threads on SQLite', () => {
  beforeEach(() => open('threads on SQLite'));
  afterEach(close);

  test.each([-3_600_000, -60_000, 15_000, 300_000])(
    'run a call once, and to its end, where the clock is set by %i ms',
    async (ms) => {
      const [one, two] = replicas;
      const parts = { model: 'sim-slow', key: 'k1' };
      // Just before a sweep.
      await clock.advance(4_500);
      const first = post(one, parts);
      await clock.settle();
      clock.set(clock.now() + ms);
      await clock.advance(600);
      expect(await openHolds(stores[0])).toBe(1);
      const second = post(two, parts);
      const answers = await clock.run(Promise.all([first, second]));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(billed()).toBe(1);
      // Heartbeats after it count as recent for current requests.
      await clock.advance(20_000);
      const later = { model: 'sim-slow', key: 'k2' };
      const again = await clock.run(
        Promise.all([post(two, later), clock.settle().then(() => post(one, later))]),
      );
      expect(again.map(({ status }) => status)).toEqual([200, 200]);
      expect(billed()).toBe(2);
      expect(await openHolds(stores[0])).toBe(0);
    },
  );
});
