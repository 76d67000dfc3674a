import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createIncomingBody } from '../../src/ingress/http/body-reader.ts';
import { createOneShot } from '../../src/lib/one-shot.ts';

const room = { arrivedBytes: 0, heldBytes: 0, hasRoom: () => true };

/** A request that says it has a body, before the first byte of it has come. */
function announcing(bytes: number) {
  const incoming = new IncomingMessage(new Socket());
  incoming.headers['content-length'] = String(bytes);
  return incoming;
}

test('a caller that had left before its body was asked for is one that has left', async () => {
  // It leaves while its plan is asked for at the database.
  const left = createOneShot();
  left.fire();
  const body = createIncomingBody(announcing(10), () => {});
  expect(await body.read(100, room, left)).toBe('left');
});

test('a caller that leaves within its body is one that has left', async () => {
  const left = createOneShot();
  const body = createIncomingBody(announcing(10), () => {});
  const read = body.read(100, room, left);
  left.fire();
  expect(await read).toBe('left');
});
