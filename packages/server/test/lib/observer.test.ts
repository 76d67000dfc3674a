import { describe, expect, test } from 'vitest';
import { type CommittedBatch, joinObservers, type Observer } from '../../src/lib/observer.ts';

const unexpected = (error: unknown) => expect.unreachable(String(error));
const batch = { operations: 3, waitMs: 1, tookMs: 2 };

describe('joined observers', () => {
  test('are called in order, each for its events', () => {
    const events: string[] = [];
    const observers: readonly Observer[] = [
      { batchCommitted: ({ operations }) => void events.push(`first ${operations}`) },
      { callAdmitted: () => void events.push('never') },
      { batchCommitted: ({ operations }) => void events.push(`last ${operations}`) },
    ];
    joinObservers(observers, unexpected).batchCommitted?.(batch);
    expect(events).toEqual(['first 3', 'last 3']);
  });

  test('make no facts if none of them listens', () => {
    const observer = joinObservers([{}, { requestAnswered: () => undefined }], unexpected);
    let made = 0;
    const facts = (): CommittedBatch => {
      made += 1;
      return batch;
    };
    observer.batchCommitted?.(facts());
    expect(made).toBe(0);
    expect(observer.requestAnswered).toBeTypeOf('function');
  });

  test('continue when one throws, which is reported once', () => {
    const errors: unknown[] = [];
    const received: number[] = [];
    const broken = new Error('an observer with a fault');
    const observers: readonly Observer[] = [
      {
        batchCommitted() {
          throw broken;
        },
      },
      { batchCommitted: ({ operations }) => void received.push(operations) },
    ];
    const observer = joinObservers(observers, (error) => errors.push(error));
    for (let index = 0; index < 3; index++) observer.batchCommitted?.(batch);
    expect(received).toEqual([3, 3, 3]);
    expect(errors).toEqual([broken]);
  });
});
