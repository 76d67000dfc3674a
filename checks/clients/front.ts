import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

export interface SentRequest {
  readonly client: string;
  readonly scenario: string;
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where there is none. */
  readonly body: unknown;
}

/**
 * A proxy in front of the gateway: the first two segments of a path name the client and the
 * scenario.
 */
export interface Front {
  readonly url: string;
  readonly sent: readonly SentRequest[];
  close(): void;
}

/** Records each request and forwards it unchanged, and the response piece by piece. */
export async function startFront(port: number): Promise<Front> {
  const sent: SentRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const [, client = '', scenario = '', ...rest] = (incoming.url ?? '').split('/');
    const path = `/${rest.join('/')}`;
    forward(incoming, outgoing, { port, path }).then(
      (body) => sent.push({ client, scenario, ...recorded(incoming, path, body) }),
      () => outgoing.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    sent,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Resolves with the request's body after it has been forwarded. */
async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  to: { readonly port: number; readonly path: string },
): Promise<string> {
  const { method, headers } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const upstream = request({ host: '127.0.0.1', ...to, method, headers, agent: false });
  upstream.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  upstream.on('error', () => outgoing.destroy());
  outgoing.on('close', () => upstream.destroy());
  Readable.from([body]).pipe(upstream);
  return body.toString();
}

function recorded({ method, headers }: IncomingMessage, path: string, body: string) {
  const ownHeaders: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) ownHeaders[name] = String(value);
  return {
    line: `${method} ${path}`,
    headers: ownHeaders,
    body: body === '' ? undefined : JSON.parse(body),
  };
}

function portOf(address: string | AddressInfo | null): number {
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('a server on a port has an address');
}
