import { describe, expect, test } from 'vitest';
import { createRuns, type RunOutcome, type RunRequest } from '../../src/calls/runs/runs.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectOpenRuns } from '../../src/store/queries/runs.ts';

const wanted: RunRequest = {
  ...{ app: 'search', parentKeyId: 'k1', maxCostPicoUsd: 500_000_000_000n, expiresInMs: 60_000 },
  ...{ models: ['sim-echo'], userId: 'ada', label: 'night’s work' },
};
const plain = { ...wanted, models: undefined, userId: undefined, label: undefined };

/** A clock that the test moves, and the runs on it. */
function process(store: Store, openMax?: number) {
  let nowMs = Date.UTC(2026, 10, 23, 12);
  const clock: Clock = { ...systemClock, now: () => nowMs, monotonic: () => nowMs };
  const more = openMax === undefined ? {} : { openMax };
  const runs = createRuns({ store, clock, ids: createIds(clock), ...more });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { runs, pass, now: () => nowMs };
}

/** The behavior that every store must have for runs. */
export function testRuns(open: () => Store) {
  const emptied = async () => {
    const tables = ['run', 'run_count', 'owner'];
    await open().write(tables.map((table) => ({ sql: `delete from ${table}`, values: [] })));
    return open();
  };
  const made = async (making: Promise<RunOutcome>) => {
    const result = await making;
    if (result.kind !== 'made') throw new Error(`it came to ${result.kind}`);
    return result;
  };

  test('a run is found by its key and its id, in any process, until it expires', async () => {
    const store = await emptied();
    const [one, other] = [process(store), process(store)];
    const { run, key } = await made(one.runs.make(wanted));
    expect(run).toMatchObject({ app: 'search', models: ['sim-echo'], label: 'night’s work' });
    expect(run.expiresAtMs - run.createdAtMs).toBe(60_000);
    for (const { runs } of [one, other]) {
      expect(await runs.ofKey(key)).toEqual(run);
      expect(await runs.ofApp('search', run.id)).toEqual(run);
      expect(await runs.ofApp('tutor', run.id)).toBeUndefined();
      expect(await runs.ofKey(`${key}x`)).toBeUndefined();
      expect(await runs.spendOf(run)).toEqual({ spent: 0n, held: 0n });
    }
    const { run: another } = await made(one.runs.make(plain));
    expect(await other.runs.show('search', another.id)).toEqual(another);
    for (const { pass } of [one, other]) pass(59_999);
    expect(await other.runs.ofKey(key)).toEqual(run);
    for (const { pass } of [one, other]) pass(1);
    expect(await one.runs.ofKey(key)).toBeUndefined();
    expect(await other.runs.ofApp('search', run.id)).toBeUndefined();
    expect(await other.runs.show('search', run.id)).toEqual(run);
  });

  test('it ends at once where it is ended, and within half a second elsewhere', async () => {
    const store = await emptied();
    const [one, other] = [process(store), process(store)];
    const { run, key } = await made(one.runs.make(wanted));
    for (const { runs } of [one, other]) expect(await runs.ofKey(key)).toEqual(run);
    one.pass(10);
    expect(await one.runs.end('tutor', run.id)).toBeUndefined();
    const ended = await one.runs.end('search', run.id);
    expect(ended).toEqual({ ...run, endedAtMs: one.now() });
    expect(await one.runs.ofKey(key)).toBeUndefined();
    other.pass(500);
    expect(await other.runs.ofKey(key)).toBeUndefined();
    one.pass(10);
    expect(await one.runs.end('search', run.id)).toEqual(ended);
  });

  test('an app has a limited number of open runs, also with simultaneous creation', async () => {
    const store = await emptied();
    const [one, other] = [process(store, 3), process(store, 3)];
    const together = [one, other].flatMap(({ runs }) => [1, 2, 3, 4].map(() => runs.make(wanted)));
    const kinds = (await Promise.all(together)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'made')).toHaveLength(3);
    expect(await one.runs.make({ ...wanted, app: 'tutor' })).toMatchObject({ kind: 'made' });
    const [open] = await store.read(selectOpenRuns('search', one.now(), 1));
    await one.runs.end('search', open?.id ?? '');
    expect(await other.runs.make(wanted)).toMatchObject({ kind: 'made' });
    expect(await other.runs.make(wanted)).toEqual({ kind: 'full' });
    other.pass(60_000);
    expect(await other.runs.make(wanted)).toMatchObject({ kind: 'made' });
    expect(await store.read(selectOpenRuns(undefined, other.now(), 10))).toHaveLength(1);
  });

  describe('next to a version without runs', () => {
    test('no run is created while its instance lives', async () => {
      const store = await emptied();
      const { runs, now, pass } = process(store);
      const row =
        "insert into owner (id, seen_at, config_hash, schema_version) values ('old', $1, '', 21)";
      await store.write([{ sql: row, values: [now()] }]);
      expect(await runs.make(wanted)).toEqual({ kind: 'older', instances: ['old'] });
      expect(await store.read(selectOpenRuns(undefined, now(), 10))).toEqual([]);
      pass(10_001);
      expect(await runs.make(wanted)).toMatchObject({ kind: 'made' });
    });
  });

  test('many random keys share a few reads at a time', async () => {
    const store = await emptied();
    const { runs, pass } = process(store);
    const { run, key } = await made(runs.make(wanted));
    expect(await runs.ofKey(key)).toEqual(run);
    pass(500);
    const tried = Array.from({ length: 1_000 }, (_, index) => runs.ofKey(`key ${index}`));
    // A run that was found before does not wait for them.
    expect(await runs.ofKey(key)).toEqual(run);
    const found = await Promise.all(tried);
    expect(found.filter((each) => each === 'busy')).toHaveLength(1_000 - 64);
    expect(await runs.ofKey('another')).toBeUndefined();
  });
}
