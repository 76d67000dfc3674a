import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Unanswered requests per connection without a known key. */
export const pipelinedMax = 8;

/** Waiting requests; infinite after the last accepted request. */
const unanswered = new WeakMap<Duplex, number>();

/**
 * One packet can contain thousands of requests, parsed at once. The last accepted request's
 * response closes the connection; later requests get none.
 */
export function acceptPipelined({ socket }: IncomingMessage, outgoing: ServerResponse): boolean {
  const count = (unanswered.get(socket) ?? 0) + 1;
  if (count > pipelinedMax) return false;
  const isLast = count === pipelinedMax;
  if (isLast) outgoing.shouldKeepAlive = false;
  unanswered.set(socket, isLast ? Number.POSITIVE_INFINITY : count);
  outgoing.on('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1));
  return true;
}
