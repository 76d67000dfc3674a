import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { OpenService } from '../../compose/open-service.ts';
import type { Stopped } from '../../compose/stop.ts';
import type { Config } from '../../domain/config.ts';
import type { ListenAddress } from '../../domain/listen.ts';
import { createListener } from '../../ingress/http/listener.ts';
import { createPeers } from '../../ingress/http/peers.ts';
import type { Clock } from '../../lib/clock.ts';
import { within } from '../../lib/deadline.ts';
import { UsageError } from '../process/context.ts';
import { connectionsMaxFor } from './descriptors.ts';

/** Several threads can share the port. */
export interface ListenParts {
  readonly section: 'listen' | 'admin';
  readonly isShared?: boolean;
}

export interface Listening {
  readonly url: string;
  /** The actual port if the system chose it. */
  readonly port: number;
}

/** Throws a UsageError. */
export async function listen(
  server: Server,
  { host, port }: ListenAddress,
  { section, isShared = false }: ListenParts,
): Promise<Listening> {
  server.listen({ host, port, reusePort: isShared });
  try {
    await once(server, 'listening');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const key = isNotSupported(error) ? 'write threads: 1' : `change ${section}`;
    throw new UsageError(`cannot listen on ${host}:${port}: ${why}; ${key} in the configuration`);
  }
  const address = server.address();
  const bound = isSocketAddress(address) ? address.port : port;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound };
}

/**
 * The system could share the port with another process, which would then get a part of the callers.
 * Throws a UsageError.
 */
export async function assertFree(at: ListenAddress): Promise<void> {
  const probe = createServer();
  await listen(probe, at, { section: 'listen' });
  probe.close();
  await once(probe, 'close');
}

/** Only Linux and BSD distribute a port's connections among listeners. */
function isNotSupported(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOTSUP';
}

function isSocketAddress(address: ReturnType<Server['address']>): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

interface CallersListener {
  /** Throws a UsageError. */
  listen(at: ListenAddress): Promise<Listening>;
  /** Accepts no new connections, and waits for running calls and their responses. */
  stop(): Promise<Stopped>;
}

/** A slow reader delays the end by at most this time. */
const closeMs = 1_000;

/** Each thread has its share of the process's connections. */
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
