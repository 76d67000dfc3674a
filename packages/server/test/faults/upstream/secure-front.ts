import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import tls from 'node:tls';
import { createSelfSigned } from '../../support/self-signed.ts';

/** TLS in front of a port of this machine. */
export interface SecureFront {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Accepts connections on behalf of `hostName`, with a certificate that this process trusts until
 * the front is closed. `isPlain` selects connections that get plain text, and `isUntrusted`
 * connections that get an untrusted certificate.
 */
export async function startSecureFront(parts: {
  readonly hostName: string;
  readonly behind: number;
  readonly isPlain: () => boolean;
  readonly isUntrusted: () => boolean;
}): Promise<SecureFront> {
  const own = createSelfSigned(parts.hostName);
  const trusted = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trusted, own.cert]);
  const sockets = new Set<Socket>();
  const secure = tls.createServer(own, onward);
  // The same name, and its own key.
  const untrusted = tls.createServer(createSelfSigned(parts.hostName), onward);
  const front = createServer((socket) => {
    if (parts.isUntrusted()) return void untrusted.emit('connection', keep(socket));
    if (!parts.isPlain()) return void secure.emit('connection', keep(socket));
    keep(socket).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return {
    port: portOf(front.address()),
    async close() {
      tls.setDefaultCACertificates(trusted);
      for (const socket of sockets) socket.destroy();
      front.close();
      await once(front, 'close');
    },
  };

  function onward(socket: Socket) {
    const there = keep(connect(parts.behind, '127.0.0.1'));
    keep(socket).pipe(there).pipe(socket);
  }

  function keep<Kept extends Socket>(socket: Kept): Kept {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that gives up might reset its connection.
    socket.on('error', () => socket.destroy());
    return socket;
  }
}

function portOf(address: string | AddressInfo | null): number {
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('a server on a port has an address');
}
