import { once } from 'node:events';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation } from '../../src/books/operations.ts';
import { type Bell, createBell } from '../../src/store/sqlite/bell.ts';
import { packOperation } from '../../src/store/sqlite/pack-operation.ts';
import { createTray, type Tray } from '../../src/store/sqlite/tray.ts';
import { extend, operation, reserve, settle } from './support/operations.ts';
import { type Got, type Sent, sumOfBatch, sumOfOperation } from './support/tray-sums.ts';

// What one thread lays down the other takes up, in the order of asking, whatever else happens.

test('a batch is taken as it was laid', () => {
  const tray = createTray(createBell());
  const other = createTray(createBell(), tray.memory);
  fc.assert(
    fc.property(fc.array(fc.oneof(reserve, settle)), fc.nat(), (batch, number) => {
      // More than once, since operations may share what they hold.
      const shared = [...batch.flatMap((one) => [one, one]), ...batch];
      expect(tray.lay(number, shared)).toBe(true);
      expect(other.take(number)).toEqual(shared);
    }),
  );
});

test('a batch with anything that has no record is not laid, and the next one is', () => {
  const tray = createTray(createBell());
  fc.assert(
    fc.property(fc.array(operation), extend, fc.nat(), (batch, rare, number) => {
      expect(tray.lay(number, [...batch, rare])).toBe(false);
      expect(tray.take(number)).toBeUndefined();
    }),
  );
  const [plain] = fc.sample(reserve, 1);
  if (plain === undefined) throw new Error('no reservation was made');
  const instanceId = '\ud83d';
  const odd: readonly Operation[] = [
    { ...plain, amount: 2n ** 63n },
    { ...plain, instanceId },
    { ...plain, instanceId: 'é'.repeat(2 ** 20) },
  ];
  for (const each of odd) expect(tray.lay(1, [plain, each])).toBe(false);
  expect(
    tray.lay(
      1,
      Array.from({ length: 2_000 }, () => plain),
    ),
  ).toBe(false);
  expect(tray.lay(1, [plain])).toBe(true);
  expect(tray.take(1)).toEqual([plain]);
});

test('a tray that is full keeps its batch, for the ask that it was laid for', () => {
  const tray = createTray(createBell());
  const [one, other] = fc.sample(fc.array(reserve, { minLength: 1 }), 2);
  if (one === undefined || other === undefined) throw new Error('no batches were made');
  // The number of an ask passes what an integer of 32 bits holds.
  const number = 2 ** 32 + 7;
  expect(tray.lay(number, one)).toBe(true);
  expect(tray.lay(number + 1, other)).toBe(false);
  expect(tray.take(number - 1)).toBeUndefined();
  expect(tray.take(number)).toEqual(one);
  expect(tray.take(number)).toBeUndefined();
});

/** `PROVE=long`: as many operations as a service sees in a year. */
const operations = process.env.PROVE === 'long' ? 100_000_000 : 60_000;
const batchMax = 256;

test('two threads: each ask arrives once, whole and in its turn', {
  timeout: 3_600_000,
}, async () => {
  const bell = createBell();
  const tray = createTray(bell);
  const reader = new Worker(new URL('./support/tray-reader.ts', import.meta.url), {
    workerData: { memory: tray.memory, bell: bell.memory },
  });
  const counts = await askAll(reader, tray, bell);
  expect(counts.laid).toBeGreaterThan(100);
  expect(counts.sent).toBeGreaterThan(10);
  if (process.env.PROVE === 'long') process.stdout.write(`${JSON.stringify(counts)}\n`);
});

/** Asks of random sizes, several under way at once; throws at the first answer that is wrong. */
async function askAll(reader: Worker, tray: Tray, { memory }: Bell) {
  const usual = fc.oneof(reserve.map(withoutMore), settle.map(withoutMore));
  const sample = fc.sample(fc.oneof({ weight: 9, arbitrary: usual }, reserve, settle), 4_000);
  const pool = sample.map((one) => ({ one, sum: sumOfOperation(one) }));
  const rare = fc.sample(extend, 1).map((one) => ({ one, sum: sumOfOperation(one) }));
  const rung = new Int32Array(memory);
  const answers = answersOf(reader);
  // The thread may end in the same turn in which its last answer is read.
  const exited = once(reader, 'exit');
  const counts = { operations: 0, asks: 0, laid: 0, sent: 0 };
  const random = randomFrom(7);
  while (counts.operations < operations) {
    const size = 1 + (random() % 4 === 0 ? random() % batchMax : random() % 16);
    const picked = Array.from({ length: size }, () => pool[random() % pool.length] ?? []).flat();
    ask(random() % 50 === 0 ? [...picked, ...rare] : picked);
    // Woken for nothing.
    if (random() % 20 === 0) Atomics.notify(rung, 0);
    await answers.until(counts.asks - (random() % 4));
  }
  ask([]);
  await answers.until(counts.asks);
  await exited;
  return { ...counts, ...answers.counts };

  function ask(picked: readonly { readonly one: Operation; readonly sum: number }[]) {
    const number = counts.asks++;
    counts.operations += picked.length;
    const batch = picked.map(({ one }) => one);
    answers.expect(number, sumOfBatch(picked.map(({ sum }) => sum)));
    if (!tray.lay(number, batch)) {
      reader.postMessage({ number, batch: batch.map(packOperation) } satisfies Sent);
    }
    tray.asked();
  }
}

/** As nearly all operations are: without a key, a wallet and a further cap. */
function withoutMore(one: Operation): Operation {
  if (one.kind === 'settle') return { ...one, result: undefined };
  if (one.kind !== 'reserve') return one;
  return { ...one, wallet: undefined, scopes: [], isSpent: undefined, idempotency: undefined };
}

/** Compares answers with what is expected of them, in their order. */
function answersOf(reader: Worker) {
  const expected = new Map<number, number>();
  const counts = { laid: 0, sent: 0 };
  let next = 0;
  let wrong: string | undefined;
  let wake: () => void = () => undefined;
  const ended = (reason: unknown) => {
    wrong ??= `the thread has ended: ${reason}`;
    wake();
  };
  reader.on('error', ended);
  reader.on('message', ({ number, isLaid, sum }: Got) => {
    const was = `${number} with ${sum}`;
    const meant = `${next} with ${expected.get(next)}`;
    if (was !== meant) wrong ??= `${was} in place of ${meant}`;
    expected.delete(next++);
    counts[isLaid ? 'laid' : 'sent']++;
    wake();
  });
  return {
    counts,
    expect: (number: number, sum: number) => void expected.set(number, sum),
    /** Waits for so many answers. */
    async until(count: number) {
      while (wrong === undefined && next < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (wrong !== undefined) throw new Error(wrong);
    },
  };
}

/** Whole numbers, the same ones in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
