import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { SelfSigned } from './self-signed.ts';

/** A proxy's response to a CONNECT in place of a tunnel. */
export type Misbehavior = (socket: Socket) => void;

/** A real proxy on this machine, by CONNECT only. */
export interface TestProxy {
  readonly url: string;
  readonly label: string;
  /** The target and the login of each CONNECT. */
  readonly connectRequests: { readonly target: string; readonly login: string | undefined }[];
  /** Requests without a CONNECT: there must be none. */
  readonly others: string[];
  close(): Promise<void>;
}

/** Its targets are names that nobody else resolves. */
export async function startProxy(options: {
  /** The local port behind each target. */
  readonly targets: ReadonlyMap<string, number>;
  /** Ends TLS with this certificate, and forwards its content in clear text. */
  readonly inspect?: SelfSigned;
  readonly instead?: Misbehavior;
}): Promise<TestProxy> {
  const { targets, inspect, instead } = options;
  const connectRequests: TestProxy['connectRequests'] = [];
  const others: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    others.push(request.url ?? '');
    response.end();
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const target = request.url ?? '';
    connectRequests.push({ target, login: request.headers['proxy-authorization'] });
    if (instead !== undefined) return instead(socket);
    const port = targets.get(target);
    if (port === undefined) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const inner = inspect === undefined ? socket : secured(socket, inspect);
    const outer = connect(port, '127.0.0.1');
    for (const one of [inner, outer]) one.on('error', () => undefined);
    inner.pipe(outer).pipe(inner);
    inner.on('close', () => outer.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const label = `127.0.0.1:${portOf(server)}`;
  return {
    ...{ url: `http://${label}`, label, connectRequests, others },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function secured(socket: Socket, { key, cert }: SelfSigned): TLSSocket {
  return new TLSSocket(socket, {
    isServer: true,
    secureContext: createSecureContext({ key, cert }),
  });
}

/** The port of a server that listens. */
export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
