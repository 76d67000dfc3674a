import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { SelfSigned } from '../../support/self-signed.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

/** A receiver on this machine with scripted responses; over TLS if it has a certificate. */
export async function startReceiver(
  answer: (response: ServerResponse, got: Received) => void,
  secure?: SelfSigned,
) {
  const received: Received[] = [];
  const take = (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const got = { headers: request.headers, body, path: request.url ?? '' };
      received.push(got);
      answer(response, got);
    });
  };
  if (secure === undefined) return { received, url: await listening(createServer(take)) };
  const url = await listening(createSecureServer(secure, take));
  return { received, url: url.replace('http', 'https') };
}

/** A hostile receiver's treatment of a socket, instead of HTTP. */
export async function startHostile(meet: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    meet(socket);
  });
  return { sockets, url: await listening(server) };
}

async function listening(server: ReturnType<typeof createTcpServer>): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}
