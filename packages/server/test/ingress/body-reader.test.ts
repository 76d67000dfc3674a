import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createIncomingBody } from '../../src/ingress/body/body-reader.ts';
import { createOneShot } from '../../src/lib/one-shot.ts';

const room = { arrivedBytes: 0, heldBytes: 0, hasRoom: () => true };

/** A request that announces a body, before its first byte has arrived. */
function announcing(bytes: number) {
  const incoming = new IncomingMessage(new Socket());
  incoming.headers['content-length'] = String(bytes);
  return incoming;
}

test('a caller that disconnected before its body was read is reported as such', async () => {
  // It disconnects while the database checks its rate limit.
  const left = createOneShot();
  left.fire();
  const body = createIncomingBody(announcing(10), () => {});
  expect(await body.read(100, room, left)).toBe('left');
});

test('a caller that disconnects within its body is reported as such', async () => {
  const left = createOneShot();
  const body = createIncomingBody(announcing(10), () => {});
  const read = body.read(100, room, left);
  left.fire();
  expect(await read).toBe('left');
});

test('a long body is read a piece per turn of the loop, a short one at once', async () => {
  const arrived = async (pieces: readonly number[]) => {
    const all = pieces.reduce((sum, bytes) => sum + bytes, 0);
    const incoming = announcing(all);
    const arriving = { ...room };
    const reading = createIncomingBody(incoming).read(all, arriving, createOneShot());
    const seen: number[] = [];
    for (const bytes of pieces) incoming.push(Buffer.alloc(bytes));
    incoming.push(null);
    for (let last = -1; last < all; ) {
      await nextTurn();
      last = arriving.arrivedBytes;
      seen.push(last);
    }
    expect(await reading).toMatchObject({ byteLength: all });
    return seen;
  };
  expect(await arrived([20_000, 20_000, 20_000])).toEqual([60_000]);
  const long = await arrived(Array(5).fill(65_536));
  expect(new Set(long)).toEqual(new Set([1, 2, 3, 4, 5].map((pieces) => pieces * 65_536)));
});
