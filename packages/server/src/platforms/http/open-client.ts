import type { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import { through } from '../../lib/tunnel.ts';
import { smallReads } from './small-reads.ts';
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
  // Shared by many, so that they share what TLS remembers of the server.
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
      // The caller's signal is the only limit: a drain may wait longer than a call.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
}

function connectorOf(
  { origin, connectMs, way, clock }: Parameters<typeof createOpenClient>[0],
  reads: Partial<typeof smallReads>,
): buildConnector.connector {
  const { secureContext } = way ?? {};
  // Over HTTP/2 one dying connection loses many calls, and which were sent is not told.
  const options = { ...reads, allowH2: false, ...(secureContext && { secureContext }) };
  const proxy = way?.routeOf(new URL(origin));
  if (proxy === undefined) return buildConnector({ ...options, timeout: connectMs });
  const secure = buildConnector({ ...options, timeout: 0 });
  return through({ proxy, timeoutMs: connectMs, clock, secure, secureContext, reads });
}
