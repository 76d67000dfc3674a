import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { createMessageReader } from './messages.ts';

/** A pooler of the simplest kind: each transaction gets whichever connection is free. */
export interface Pooler {
  /** The database's URL, through the pooler. */
  readonly url: string;
  /** The number of times that a client got another connection than before. */
  switches(): number;
  close(): Promise<void>;
}

interface Upstream {
  readonly socket: Socket;
  /** The client whose transaction it runs. */
  client: Client | undefined;
}

interface Client {
  readonly socket: Socket;
  /** Requests that are not answered yet. */
  pending: number;
  last: Upstream | undefined;
}

/** Opens a pooler without support for prepared statements. */
export async function openPooler(databaseUrl: string): Promise<Pooler> {
  const target = new URL(databaseUrl);
  const upstreams = new Set<Upstream>();
  let switched = 0;
  const server = createServer((socket) => {
    const upstream: Upstream = { client: undefined, socket: connect() };
    const client: Client = { socket, pending: 1, last: upstream };
    upstream.client = client;
    upstreams.add(upstream);
    socket.setNoDelay(true);
    upstream.socket.setNoDelay(true);
    answer(upstream);
    const read = createMessageReader('client');
    socket.on('data', (chunk: Buffer) => {
      for (const { type, bytes } of read(chunk)) {
        // The end of a client does not end its connection.
        if (type === 'X') return;
        if (type === 'Q' || type === 'S') client.pending += 1;
        connectionOf(client).socket.write(bytes);
      }
    });
    socket.on('error', () => undefined);
    // A client that disconnects in its transaction also ends the connection.
    socket.on('close', () => {
      for (const { client: of, socket: its } of upstreams) if (of === client) its.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return { url: url.href, switches: () => switched, close };

  function connect(): Socket {
    return createConnection({ host: target.hostname, port: Number(target.port) });
  }

  /** The connection of a client's transaction; for a new one, not that of the last if possible. */
  function connectionOf(client: Client): Upstream {
    const free: Upstream[] = [];
    for (const upstream of upstreams) {
      if (upstream.client === client) return upstream;
      if (upstream.client === undefined && upstream !== client.last) free.push(upstream);
    }
    const chosen = free[0] ?? client.last;
    if (chosen === undefined) throw new Error('no connection is free');
    if (chosen !== client.last) switched += 1;
    chosen.client = client;
    client.last = chosen;
    // The least recently used one is first the next time.
    upstreams.delete(chosen);
    upstreams.add(chosen);
    return chosen;
  }

  function answer(upstream: Upstream) {
    const read = createMessageReader('server');
    upstream.socket.on('data', (chunk: Buffer) => {
      for (const { type, body, bytes } of read(chunk)) {
        const { client } = upstream;
        if (client === undefined) continue;
        client.socket.write(bytes);
        if (type !== 'Z') continue;
        client.pending -= 1;
        const isIdle = body.toString('latin1') === 'I';
        if (client.pending === 0 && isIdle) upstream.client = undefined;
      }
    });
    upstream.socket.on('error', () => undefined);
    upstream.socket.on('close', () => {
      upstreams.delete(upstream);
      upstream.client?.socket.destroy();
    });
  }

  async function close() {
    for (const upstream of upstreams) upstream.socket.destroy();
    server.close();
    await once(server, 'close');
  }
}
