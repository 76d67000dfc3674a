import { describe, expect, test } from 'vitest';
import { storeKinds } from '../support/shared-stack.ts';
import { billed, expectSums, settled, walletOf } from './support/books.ts';
import { startStream } from './support/caller.ts';
import { metered, openHouse } from './support/house.ts';
import { amountsOf } from './support/oracle.ts';
import { toldChat, twentyWords } from './support/told.ts';

// Where a platform's streams are canceled after their caller disconnected: over HTTP, to the
// platform's bill.

const cells = [
  { hasKey: false, hasWallet: false, isCut: true },
  { hasKey: true, hasWallet: false, isCut: false },
  { hasKey: false, hasWallet: true, isCut: false },
  { hasKey: true, hasWallet: true, isCut: false },
] as const;

describe.each(storeKinds)('on %s, a stream whose caller disconnected after text', (kind) => {
  const house = openHouse(kind, { platform: 'onLeft: cut' });

  test.each(cells)('key: $hasKey, wallet: $hasWallet: is canceled: $isCut', async (cell) => {
    const { stack, newApp } = house();
    const { hasKey, hasWallet, isCut } = cell;
    const app = await newApp(hasWallet ? metered : {});
    const orders = { text: twentyWords, stream: { gapMs: 100 } };
    const body = { ...toldChat(orders), ...(hasWallet ? { userId: 'ada' } : {}) };
    const amounts = amountsOf(body);
    const caller = await startStream(stack, app, body, { key: hasKey ? 'one' : undefined });
    await caller.until(() => caller.text().length >= 20);
    caller.leave();
    const leftAt = stack.clock.now();
    const [call] = await settled(stack, app);
    if (call === undefined) throw new Error('it is not in the books');
    const whole = amounts.exact(20);
    const paid = isCut
      ? { basis: 'estimated', cost: amounts.most, estimated: amounts.most }
      : { basis: 'exact', cost: whole, estimated: 0n };
    const wallet = hasWallet ? whole : 0n;
    expect({ ...call, wallet: walletOf(call) }).toMatchObject({ code: 'ABORTED', ...paid, wallet });
    await expectSums(stack, app, [call]);
    const bill = billed(stack, app);
    if (isCut) {
      // At once, and before the platform has written all of it.
      expect(call.endedAt).toBe(leftAt);
      expect(bill).toBeLessThan(whole);
    } else expect(bill).toBe(whole);
  });
});
