import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A platform of one vendor on a socket. */
export interface Vendor {
  readonly url: string;
  billedPicoUsd(): bigint;
  close(): void;
}

/** A vendor's reaction to a request: a rejection, or a response and its bill. */
export type Reply =
  | { readonly status: number; readonly error: unknown }
  | { readonly usage: TokenCounts; readonly whole: object; readonly events: readonly string[] };

/** The bill of one response. */
export interface TokenCounts {
  readonly input: number;
  readonly output: number;
}

/** Prices of every vendor's model, as in the gateway's rows. */
export const prices = { inputUsdPerMillion: '0.15', outputUsdPerMillion: '0.6' };
const picoUsd = { input: 150_000n, output: 600_000n };

/** Serves one path, whole and streamed. */
export async function startVendor<Body extends { readonly stream?: boolean }>(
  path: string,
  replyTo: (body: Body, bytes: number) => Reply,
): Promise<Vendor> {
  let billed = 0n;
  const server = createServer((incoming, outgoing) => {
    serveOne(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('a port has an address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    billedPicoUsd: () => billed,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };

  async function serveOne(incoming: IncomingMessage, outgoing: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    if (incoming.url !== path) return answer(outgoing, 404, { error: { message: 'no such path' } });
    const body: Body = JSON.parse(bytes.toString());
    const reply = replyTo(body, bytes.length);
    if ('error' in reply) return answer(outgoing, reply.status, reply.error);
    const { usage, whole, events } = reply;
    billed += BigInt(usage.input) * picoUsd.input + BigInt(usage.output) * picoUsd.output;
    if (body.stream !== true) return answer(outgoing, 200, whole);
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) outgoing.write(event);
    outgoing.end();
  }
}

function answer(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify(body));
}
