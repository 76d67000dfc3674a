import type { OnReadOpts, Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import { connectThrough } from '../../lib/tunnel.ts';
import type { Way } from './way.ts';

export type Reads = 'whole' | 'streams';

export type OpenClient = (reads: Reads, onSocket: (socket: Socket) => void) => Client;

export function createOpenClient(parts: {
  readonly origin: string;
  readonly connectMs: number;
  readonly idleMs: number;
  readonly way?: Way | undefined;
  readonly clock: Pick<Clock, 'after'>;
}): OpenClient {
  const { origin, idleMs } = parts;
  // Connections share these, and with them the TLS sessions of the server.
  const connectBy = { whole: connectorOf(parts, {}), streams: connectorOf(parts, smallReads) };
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
      // The caller's signal is the only limit: a detached call may wait longer than a call.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
}

function connectorOf(
  { origin, connectMs, way, clock }: Parameters<typeof createOpenClient>[0],
  reads: Partial<typeof smallReads>,
): buildConnector.connector {
  const { secureContext } = way ?? {};
  // A broken HTTP/2 connection loses many calls, and nothing reports which were sent.
  const options = { ...reads, allowH2: false, ...(secureContext && { secureContext }) };
  const proxy = way?.routeOf(new URL(origin));
  if (proxy === undefined) return buildConnector({ ...options, timeout: connectMs });
  const secure = buildConnector({ ...options, timeout: 0 });
  return connectThrough({ proxy, timeoutMs: connectMs, clock, secure, secureContext, reads });
}

/** Maximum of one read. A paused stream may have as much again waiting: docs/performance.md. */
const bytesMax = 8_192;

/** Shared by all sockets: each copies its bytes before the next reads. */
const shared = Buffer.allocUnsafeSlow(bytesMax);

/** Node pools shorter copies, and each copy keeps the whole pool alive. */
const pooledMax = 1_024;

/** By default Node uses 64 KiB for each small chunk and reads two ahead of a slow caller. */
const smallReads: { readonly highWaterMark: number; readonly onread: OnReadOpts } = {
  highWaterMark: bytesMax,
  onread: {
    buffer: shared,
    // `this` is the socket that was read.
    callback(this: Socket, length: number) {
      const piece =
        length < pooledMax ? Buffer.allocUnsafe(length) : Buffer.allocUnsafeSlow(length);
      shared.copy(piece, 0, 0, length);
      return this.push(piece);
    },
  },
};
