import type { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { smallReads } from './small-reads.ts';

/** How answers are read that come over a connection: whole ones, or streams of small pieces. */
export type Reads = 'whole' | 'streams';

/** A client of one connection, which is made with its first request; `onSocket` is told of it. */
export type OpenClient = (reads: Reads, onSocket: (socket: Socket) => void) => Client;

/** Clients of one origin; `idleMs`: how long a free connection is kept at most. */
export function createOpenClient(parts: {
  readonly origin: string;
  readonly connectMs: number;
  readonly idleMs: number;
}): OpenClient {
  const { origin, connectMs, idleMs } = parts;
  // Shared by many, so that they share what TLS remembers of the server. Over HTTP/2 one dying
  // connection loses many calls, and which were sent is not told.
  const connectBy = {
    whole: buildConnector({ timeout: connectMs, allowH2: false }),
    streams: buildConnector({ ...smallReads, timeout: connectMs, allowH2: false }),
  };
  return (reads, onSocket) =>
    new Client(origin, {
      connect: (options, onConnect) =>
        connectBy[reads](options, (...result) => {
          if (result[0] === null && result[1] !== null) onSocket(result[1]);
          onConnect(...result);
        }),
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // The caller's signal is the only limit: a drain may wait longer than a call.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
}
