import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Requests of a connection without a known key that may wait for their answers at once. */
export const pipelinedMax = 8;

/** The requests of a connection that wait; infinite once the connection takes no more. */
const waiting = new WeakMap<Duplex, number>();

/**
 * Whether a request is looked at. Thousands of small ones fit into one packet, and the parser hands
 * them over at once: the answer to the last that is taken closes its connection, and those behind
 * it get none.
 */
export function isTaken({ socket }: IncomingMessage, outgoing: ServerResponse): boolean {
  const count = (waiting.get(socket) ?? 0) + 1;
  if (count > pipelinedMax) return false;
  const isLast = count === pipelinedMax;
  if (isLast) outgoing.shouldKeepAlive = false;
  waiting.set(socket, isLast ? Number.POSITIVE_INFINITY : count);
  outgoing.on('close', () => waiting.set(socket, (waiting.get(socket) ?? 0) - 1));
  return true;
}
