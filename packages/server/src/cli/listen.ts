import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Listen } from '../domain/listen.ts';
import { UsageError } from './context.ts';

/** Opens a listener of a section of the configuration; answers its URL. */
export async function listen(
  server: Server,
  { host, port }: Listen,
  section: 'listen' | 'admin',
): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `cannot listen on ${host}:${port}: ${why}; change ${section} in the configuration`,
    );
  }
  const address = server.address();
  const bound = isSocketAddress(address) ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

function isSocketAddress(address: ReturnType<Server['address']>): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
