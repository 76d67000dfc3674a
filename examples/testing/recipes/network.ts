import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { vi } from 'vitest';
import { createSelfSigned } from '../../../packages/server/test/support/self-signed.ts';

export interface Received {
  readonly method: string;
  /** With scheme and host, as the sender wrote them. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** The response; `events` are the data of a stream. */
export type Sent =
  | { readonly status?: number; readonly json: unknown }
  | { readonly events: readonly unknown[] };

/** The network of a test: every host has this one response. */
export interface Network {
  readonly received: readonly Received[];
  close(): void;
}

/**
 * Leads each connection of this process to a host by name, and to the ports of servers on this
 * machine, to one response. Hosts, paths and TLS stay unchanged.
 */
export async function openNetwork(parts: {
  readonly localPorts: readonly number[];
  readonly answer: (request: Received) => Sent;
}): Promise<Network> {
  const received: Received[] = [];
  const handle = (scheme: string) => (incoming: IncomingMessage, outgoing: ServerResponse) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    incoming.on('end', () => {
      const { method = '', headers, url: path = '' } = incoming;
      const url = `${scheme}://${headers.host}${path}`;
      const request = { method, url, headers, text };
      received.push(request);
      send(outgoing, parts.answer(request));
    });
  };
  const plain = createServer(handle('http'));
  const secure = createTlsServer(createSelfSigned('platform.example'), handle('https'));
  const [plainPort, securePort] = [await listen(plain), await listen(secure)];
  const connectTls = tls.connect;
  vi.spyOn(tls, 'connect').mockImplementation((options: unknown) => {
    const given = typeof options === 'object' ? options : {};
    const here = { host: '127.0.0.1', port: securePort, rejectUnauthorized: false };
    return Reflect.apply(connectTls, tls, [{ ...given, ...here }]);
  });
  const connect = net.connect;
  vi.spyOn(net, 'connect').mockImplementation((...given: readonly unknown[]) => {
    const [options] = given;
    const isLocal = parts.localPorts.includes(portOf(options));
    if (!isLocal || typeof options !== 'object') return Reflect.apply(connect, net, given);
    return Reflect.apply(connect, net, [{ ...options, port: plainPort }]);
  });
  return {
    received,
    close() {
      vi.restoreAllMocks();
      for (const server of [plain, secure]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

function portOf(options: unknown): number {
  return typeof options === 'object' && options !== null && 'port' in options
    ? Number(options.port)
    : 0;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function send(outgoing: ServerResponse, sent: Sent): void {
  if ('json' in sent) {
    outgoing.writeHead(sent.status ?? 200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(sent.json));
    return;
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  const lines = sent.events.map((event) =>
    typeof event === 'string' ? event : JSON.stringify(event),
  );
  outgoing.end(lines.map((line) => `data: ${line}\n\n`).join(''));
}
