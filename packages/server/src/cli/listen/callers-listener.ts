import type { OpenService } from '../../compose/open-service.ts';
import type { Stopped } from '../../compose/stop.ts';
import type { Config } from '../../domain/config.ts';
import type { Listen } from '../../domain/listen.ts';
import { createListener } from '../../ingress/http/listener.ts';
import { createPeers } from '../../ingress/http/peers.ts';
import type { Clock } from '../../lib/clock.ts';
import { within } from '../../lib/deadline.ts';
import { connectionsMaxFor } from './descriptors.ts';
import { type Listening, listen } from './listen.ts';

export interface CallersListener {
  /** Throws a UsageError. */
  listen(at: Listen): Promise<Listening>;
  /** Takes no new connections, and waits for running calls and their answers. */
  stop(): Promise<Stopped>;
}

/** A slow reader delays the end by at most this. */
const closeMs = 1_000;

/** Each thread takes its part of the process's connections. */
export function createCallersListener(
  service: Pick<OpenService, 'ingress' | 'connections' | 'stop'>,
  { limits, trustedProxies, threads }: Config,
  clock: Clock,
): CallersListener {
  const { ingress, connections } = service;
  const peers = createPeers(trustedProxies);
  const server = createListener(ingress, { peers });
  const connectionsMax = connectionsMaxFor(limits.inFlight);
  const part = connectionsMax && Math.ceil(connectionsMax / threads);
  connections.bound(server, 'public', part, peers);
  return {
    listen: (at) => listen(server, at, { section: 'listen', isShared: threads > 1 }),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const stopped = await service.stop();
      await within(clock, closeMs, closed);
      server.closeAllConnections();
      return stopped;
    },
  };
}
