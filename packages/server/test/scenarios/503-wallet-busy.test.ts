import { expect, test } from 'vitest';
import type { Operation } from '../../src/books/operations.ts';
import type { OperationResult, Store } from '../../src/store/port/port.ts';
import { expectBooks, paid } from '../support/books.ts';
import { meetChat } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

/** A store whose wallets are locked by somebody else, so many times in a row. */
function lockedStore(times: number) {
  let left = times;
  let asked = 0;
  const busy: OperationResult = { ok: false, kind: 'conflict', error: 'a row is locked' };
  const isLocked = (operation: Operation) => {
    if (operation.kind !== 'reserve') return false;
    asked += 1;
    return left-- > 0;
  };
  const wrap = (store: Store): Store => ({
    ...store,
    async commit(batch) {
      const locked = batch.map(isLocked);
      const rest = await store.commit(batch.filter((_, index) => !locked[index]));
      const results = [...rest];
      return batch.map((_, index) => (locked[index] ? busy : (results.shift() ?? busy)));
    },
  });
  return { wrap, asked: () => asked };
}

const ada = { userId: 'ada' } as const;

test('a wallet that is locked each of six times is rejected, and nothing is charged', async () => {
  const locked = lockedStore(Number.POSITIVE_INFINITY);
  await onStack(
    async (stack) => {
      expectError(await meetChat(stack, 'tutor', 'sim-echo', ada), {
        status: 503,
        code: 'WALLET_BUSY',
        says: [
          "The user's wallet kept changing because of concurrent calls",
          'try again in a moment',
        ],
        retryAfter: '1',
      });
      expect(locked.asked()).toBe(6);
      await expectBooks(stack, 'tutor', { calls: [], billedUsd: '0' });
    },
    { wrapStore: locked.wrap },
  )();
});

test('a wallet that is locked five times is waited for', async () => {
  const locked = lockedStore(5);
  await onStack(
    async (stack) => {
      expect((await meetChat(stack, 'tutor', 'sim-echo', ada)).status).toBe(200);
      expect(locked.asked()).toBe(6);
      const cost = stack.simulator.bill().total.costPicoUsd;
      expect(cost).toBe(6_000_000n);
      await expectBooks(stack, 'tutor', { calls: [paid('0.000006')], billedUsd: '0.000006' });
    },
    { wrapStore: locked.wrap },
  )();
});
