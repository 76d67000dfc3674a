import { describe, expect, test } from 'vitest';
import { storeKinds } from '../support/shared-stack.ts';
import { billed, expectSums, settled, walletOf } from './support/books.ts';
import { startStream } from './support/caller.ts';
import { metered, openHouse } from './support/house.ts';
import { amountsOf } from './support/oracle.ts';
import { toldChat } from './support/told.ts';
import { textOf } from './support/wire.ts';

const words = 18;
/** The first event is `start`, the last `finish`. */
const events = words + 2;
const text = Array.from({ length: words }, (_, at) => ` ${at + 100}`).join('');

describe.each(storeKinds)('on %s, a caller that disconnects from a stream of 20 events', (kind) => {
  const house = openHouse(kind);

  test.each(Array.from({ length: events }, (_, at) => at + 1))('after event %d', async (count) => {
    const { stack, newApp } = house();
    const app = await newApp(metered);
    const body = toldChat({ text, stream: { gapMs: 100 } }, { userId: 'ada' });
    const caller = await startStream(stack, app, body);
    await caller.until(() => caller.events.length >= count);
    // The first text arrives with `start`, and `finish` in the turn of the last.
    expect(caller.events.length - count).toBeLessThanOrEqual(1);
    const hasFinish = caller.last()?.name === 'finish';
    caller.leave();
    const [call] = await settled(stack, app);
    if (call === undefined) throw new Error('it is not in the books');
    const cost = amountsOf(body).exact(words);
    expect(call).toMatchObject({ cost, estimated: 0n, basis: 'exact' });
    expect(call.code).toBe(hasFinish ? 'OK' : 'ABORTED');
    expect(hasFinish).toBe(count >= events - 1);
    // A part of the text was delivered, and so the user pays for all of it.
    expect(textOf(caller.events)).not.toBe('');
    expect(walletOf(call)).toBe(cost);
    expect(billed(stack, app)).toBe(cost);
    await expectSums(stack, app, [call]);
  });
});
