import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { createMessageReader, createSqlReader } from './messages.ts';

/** A network between the store and its server that a test can break. */
export interface TcpProxy {
  /** The database's URL, through the proxy. */
  readonly url: string;
  /** Called for each statement on its way to the server. */
  onSql: (sql: string, link: Link) => void;
  /** Messages of clients in the order of sending; an empty line means a wait for a response. */
  readonly trace: string[];
  /** Cuts every connection, and rejects new ones until switched back. */
  refuse(isRefusing: boolean): void;
  refused(): number;
  /** Drops all bytes, and closes nothing, until switched back. */
  swallow(isSwallowing: boolean): void;
  close(): Promise<void>;
}

/** One connection through the proxy. */
export interface Link {
  /** Lets the sent bytes reach the server, and drops its response. */
  cutAfterSending(): void;
  /** Closes both ends at once. */
  cut(): void;
}

/** Opens a proxy to the server of a database. */
export async function openProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl);
  const links = new Set<Link>();
  let isRefusing = false;
  let refused = 0;
  let isSwallowing = false;
  const server = createServer((client) => {
    if (isRefusing) {
      refused += 1;
      return client.destroy();
    }
    const upstream = createConnection({ host: target.hostname, port: Number(target.port) });
    const wire = createWire(client, upstream, proxy, () => isSwallowing);
    links.add(wire);
    client.on('close', () => links.delete(wire));
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  const proxy: TcpProxy = {
    url: url.href,
    onSql: () => undefined,
    trace: [],
    refuse(isNow) {
      isRefusing = isNow;
      if (isNow) for (const link of links) link.cut();
    },
    refused: () => refused,
    swallow(isNow) {
      isSwallowing = isNow;
    },
    async close() {
      for (const link of links) link.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

function createWire(
  client: Socket,
  upstream: Socket,
  proxy: TcpProxy,
  isSwallowing: () => boolean,
): Link {
  let isDeaf = false;
  let hasAnswered = false;
  const read = createMessageReader('client');
  const sqlOf = createSqlReader();
  const wire: Link = {
    cut() {
      client.destroy();
      // Bytes on their way to the server still arrive.
      if (!isDeaf) upstream.destroy();
    },
    cutAfterSending() {
      isDeaf = true;
      // The server reads the bytes before the end, and cannot respond.
      upstream.end();
      client.destroy();
    },
  };
  client.setNoDelay(true);
  upstream.setNoDelay(true);
  client.on('data', (chunk: Buffer) => {
    if (isSwallowing() || isDeaf) return;
    if (hasAnswered) proxy.trace.push('');
    hasAnswered = false;
    upstream.write(chunk);
    for (const message of read(chunk)) {
      const sql = sqlOf(message);
      proxy.trace.push(sql === '' ? message.type : sql);
      if (sql !== '') proxy.onSql(sql, wire);
    }
  });
  upstream.on('data', (chunk: Buffer) => {
    if (isSwallowing() || isDeaf) return;
    hasAnswered = true;
    client.write(chunk);
  });
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    from.on('error', () => undefined);
    from.on('close', () => {
      if (!isDeaf) to.destroy();
    });
  }
  return wire;
}
