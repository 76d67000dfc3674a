import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLedgerQueue, LedgerError } from '../../src/ledger/queue.ts';
import { type Clock, nextTurn, systemClock } from '../../src/lib/clock.ts';
import { search } from '../conformance/operations.ts';
import { proofOf } from './proof-size.ts';
import { createScriptedStore } from './scripted-store.ts';

/** Every wait is over in the next turn. */
const impatientClock: Clock = {
  ...systemClock,
  after(_delayMs, run) {
    const turn = setImmediate(run);
    return { cancel: () => clearImmediate(turn) };
  },
};

/** A queue with the result of each operation, by its call id. */
function createScene(batchMax = 256) {
  const store = createScriptedStore();
  const queue = createLedgerQueue({ store, clock: impatientClock, batchMax });
  const ends = new Map<string, string>();
  return {
    store,
    queue,
    ends,
    submit(callId: string, isCanceled?: () => boolean) {
      queue.submit(search.reserve(callId, 1n), isCanceled).then(
        (outcome) => ends.set(callId, outcome?.kind ?? 'dropped'),
        (error) => ends.set(callId, error instanceof LedgerError ? error.kind : String(error)),
      );
    },
  };
}

test('an idle queue commits the operations of a turn, and waits for no more', async () => {
  const { store, queue, submit, ends } = createScene();
  submit('a');
  await store.begun();
  expect(store.batches).toEqual([['a']]);
  expect(queue.length()).toBe(0);
  await store.end();
  expect(ends).toEqual(new Map([['a', 'reserved']]));
});

test('while a transaction commits, the next batch gathers, in order', async () => {
  const { store, queue, submit, ends } = createScene();
  submit('a');
  await store.begun();
  for (const callId of ['b', 'c', 'd']) submit(callId);
  await nextTurn();
  expect(store.batches).toEqual([['a']]);
  expect(queue.length()).toBe(3);
  await store.end();
  await store.begun();
  submit('e');
  await store.end();
  await store.end();
  expect(store.batches).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
  expect([...ends.keys()]).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('no operation returns before the transaction has ended', async () => {
  const { store, submit, ends } = createScene();
  submit('a');
  await store.begun();
  await nextTurn();
  expect(ends.size).toBe(0);
  await store.end();
  expect(ends.size).toBe(1);
});

test('a batch has at most the allowed number of operations', async () => {
  const { store, queue, submit } = createScene(3);
  submit('a');
  await store.begun();
  for (const callId of ['b', 'c', 'd', 'e', 'f', 'g', 'h']) submit(callId);
  await store.end();
  await store.end();
  await store.begun();
  expect(queue.length()).toBe(1);
  await store.end();
  await store.end();
  expect(store.batches).toEqual([['a'], ['b', 'c', 'd'], ['e', 'f', 'g'], ['h']]);
});

/** A queue that has just committed a batch, under a stopped clock. `waits` end its waits. */
async function afterBatchOf(size: number) {
  const waits: (() => void)[] = [];
  const clock: Clock = {
    ...systemClock,
    after(_delayMs, run) {
      waits.push(run);
      return { cancel: () => undefined };
    },
  };
  const store = createScriptedStore();
  const queue = createLedgerQueue({ store, clock, batchMax: 256 });
  const submit = (callId: string) => void queue.submit(search.reserve(callId, 1n));
  for (let index = 0; index < size; index++) submit(`many${index}`);
  await store.begun();
  return { store, submit, waits };
}

/** Long enough for a queue to commit, if it did. */
async function someTurns() {
  for (let turn = 0; turn < 10; turn++) await nextTurn();
}

test('after a large batch, a small one waits briefly for others', async () => {
  const { store, submit, waits } = await afterBatchOf(8);
  for (const callId of ['a', 'b']) submit(callId);
  await store.end();
  await someTurns();
  expect(store.isCommitting()).toBe(false);
  submit('c');
  expect(waits).toHaveLength(1);
  waits[0]?.();
  await store.begun();
  expect(store.batches.at(-1)).toEqual(['a', 'b', 'c']);
  submit('d');
  await store.end();
  await store.begun();
  expect(waits).toHaveLength(1);
  expect(store.batches.at(-1)).toEqual(['d']);
});

test('after a small batch, or with as many as before, nothing waits', async () => {
  const few = await afterBatchOf(7);
  few.submit('a');
  await few.store.end();
  await few.store.begun();
  const many = await afterBatchOf(8);
  for (let index = 0; index < 8; index++) many.submit(`again${index}`);
  await many.store.end();
  await many.store.begun();
  expect([...few.waits, ...many.waits]).toEqual([]);
});

test('an operation that is late is dropped before its transaction, not afterwards', async () => {
  const { store, submit, ends } = createScene();
  let isCanceled = false;
  submit('a', () => isCanceled);
  await store.begun();
  submit('b', () => isCanceled);
  submit('c');
  submit('d', () => false);
  isCanceled = true;
  await store.end();
  await store.begun();
  expect(store.batches).toEqual([['a'], ['c', 'd']]);
  expect(ends).toEqual(
    new Map([
      ['a', 'reserved'],
      ['b', 'dropped'],
    ]),
  );
  await store.end();
  expect(ends.get('c')).toBe('reserved');
});

test('an operation that is late at once never reaches the store', async () => {
  const { store, queue, submit, ends } = createScene();
  submit('a', () => true);
  await nextTurn();
  await nextTurn();
  expect(store.batches).toEqual([]);
  expect(ends).toEqual(new Map([['a', 'dropped']]));
  submit('b');
  await store.end();
  expect(store.batches).toEqual([['b']]);
  expect(queue.length()).toBe(0);
});

test('a whole batch can be late: the next one continues', async () => {
  const { store, submit, ends } = createScene(2);
  submit('a');
  await store.begun();
  for (const callId of ['b', 'c']) submit(callId, () => true);
  submit('d');
  await store.end();
  await store.end();
  expect(store.batches).toEqual([['a'], ['d']]);
  expect(ends.get('c')).toBe('dropped');
});

test('an unavailable store fails all of its batch, and the next batch works', async () => {
  const { store, submit, ends } = createScene();
  for (const callId of ['a', 'b']) submit(callId);
  await store.begun();
  submit('c');
  await store.fail('the disk is full');
  expect(ends).toEqual(
    new Map([
      ['a', 'unavailable'],
      ['b', 'unavailable'],
    ]),
  );
  await store.end();
  expect(store.batches).toEqual([['a', 'b'], ['c']]);
  expect(ends.get('c')).toBe('reserved');
});

test('a store that throws at once counts as unavailable', async () => {
  const store = {
    ...createScriptedStore(),
    commit: () => {
      throw new Error('no thread');
    },
  };
  const queue = createLedgerQueue({ store, clock: impatientClock, batchMax: 256 });
  await expect(queue.submit(search.reserve('a', 1n))).rejects.toMatchObject({
    name: 'LedgerError',
    kind: 'unavailable',
    message: 'no thread',
  });
  await expect(queue.submit(search.reserve('b', 1n))).rejects.toMatchObject({
    kind: 'unavailable',
  });
});

test('an invalid operation fails by itself, with its reason', async () => {
  const { store, queue, submit, ends } = createScene();
  submit('a');
  const invalid = queue.submit(search.reserve('b', 1n));
  submit('c');
  await Promise.all([
    expect(invalid).rejects.toMatchObject({ kind: 'invalid', message: 'b is invalid' }),
    store.end({ b: 'invalid' }),
  ]);
  expect(store.batches).toEqual([['a', 'b', 'c']]);
  expect(ends).toEqual(
    new Map([
      ['a', 'reserved'],
      ['c', 'reserved'],
    ]),
  );
});

test('an operation whose row is locked waits again, at most 5 times', async () => {
  const { store, submit, ends } = createScene();
  submit('a');
  submit('b');
  await store.end({ a: 'conflict' });
  for (let times = 1; times <= 4; times++) {
    await store.end({ a: 'conflict' });
    expect(ends.has('a')).toBe(false);
  }
  await store.end({ a: 'conflict' });
  expect(ends.get('a')).toBe('conflict');
  expect(store.batches).toEqual([['a', 'b'], ['a'], ['a'], ['a'], ['a'], ['a']]);
  expect(ends.get('b')).toBe('reserved');
});

test('an operation whose row is free again succeeds', async () => {
  const { store, submit, ends } = createScene();
  submit('a');
  await store.end({ a: 'conflict' });
  await store.end();
  expect(ends.get('a')).toBe('reserved');
});

test('in any case, each operation ends once, in order, in batches of at most 4', async () => {
  const act = fc.constantFrom('end', 'fail', 'late', 'turn', 'submit', 'submit', 'submit');
  const property = fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
    const { store, queue, submit, ends } = createScene(4);
    let submitted = 0;
    let isCanceled = false;
    for (const next of acts) {
      if (next === 'submit') submit(String(submitted++).padStart(3, '0'), () => isCanceled);
      if (next === 'late') isCanceled = !isCanceled;
      if (next === 'turn') await nextTurn();
      if (next === 'end' && store.isCommitting()) await store.end();
      if (next === 'fail' && store.isCommitting()) await store.fail('gone');
    }
    // A turn for each batch, also for a batch whose operations are all dropped.
    for (let idle = 0; idle < 2 + submitted / 4; idle++) {
      await nextTurn();
      for (; store.isCommitting(); await nextTurn()) await store.end();
    }
    expect(ends.size).toBe(submitted);
    expect(queue.length()).toBe(0);
    const committed = store.batches.flat();
    expect(committed).toEqual([...committed].sort());
    expect(new Set(committed).size).toBe(committed.length);
    expect(Math.max(0, ...store.batches.map(({ length }) => length))).toBeLessThanOrEqual(4);
    const isDropped = (callId: string) => ends.get(callId) === 'dropped';
    const dropped = [...ends.keys()].filter(isDropped);
    expect(dropped.filter((callId) => committed.includes(callId))).toEqual([]);
    expect(committed.length + dropped.length).toBe(submitted);
  });
  await fc.assert(property, proofOf(200));
});
