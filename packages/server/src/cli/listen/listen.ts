import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Listen } from '../../domain/listen.ts';
import { UsageError } from '../process/context.ts';

/** Several threads may share its port. */
export interface ListenParts {
  readonly section: 'listen' | 'admin';
  readonly isShared?: boolean;
}

export interface Listening {
  readonly url: string;
  /** The actual one, where the system chose it. */
  readonly port: number;
}

/** Throws a UsageError. */
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
 * The system would share a port with another process, which would get a part of the callers. Throws
 * a UsageError.
 */
export async function assertFree(at: Listen): Promise<void> {
  const probe = createServer();
  await listen(probe, at, { section: 'listen' });
  probe.close();
  await once(probe, 'close');
}

/** Only Linux and BSD share a port's connections among listeners. */
function isNotSupported(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOTSUP';
}

function isSocketAddress(address: ReturnType<Server['address']>): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
