import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Listen } from '../domain/listen.ts';
import { UsageError } from './context.ts';

/** Which listener of the configuration it is, and whether several threads have one on its port. */
export interface ListenParts {
  readonly section: 'listen' | 'admin';
  readonly isShared?: boolean;
}

/** Where a listener is open. */
export interface Listening {
  readonly url: string;
  /** The one that it has, where the configuration leaves it to the system. */
  readonly port: number;
}

/** Opens a listener. Throws a UsageError. */
export async function listen(
  server: Server,
  { host, port }: Listen,
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
 * Throws a UsageError where another process has a port that threads are to share: the system would
 * let it and them have it together, and give each a part of the callers.
 */
export async function assertFree(at: Listen): Promise<void> {
  const probe = createServer();
  await listen(probe, at, { section: 'listen' });
  probe.close();
  await once(probe, 'close');
}

/** A system that shares out the connections of a port among listeners is a Linux, or a BSD. */
function isNotSupported(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOTSUP';
}

function isSocketAddress(address: ReturnType<Server['address']>): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
