import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';

/** A load balancer with a test's target, whose responses it can drop. */
export interface Relay {
  readonly url: string;
  /** The target of new connections; undefined makes them wait for the next target. */
  aim(url: string | undefined): void;
  /** Forwards requests and drops responses, until switched back. */
  swallowAnswers(isSwallowing: boolean): void;
  connections(): number;
  close(): Promise<void>;
}

/** Opens a relay without a target. */
export async function openRelay(): Promise<Relay> {
  const clients = new Set<Socket>();
  let isSwallowing = false;
  let target = Promise.withResolvers<string>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('error', () => undefined);
    client.on('close', () => clients.delete(client));
    void target.promise.then((url) => join(client, new URL(url), () => isSwallowing));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    aim(url) {
      if (url !== undefined) target.resolve(url);
      target = Promise.withResolvers();
      if (url !== undefined) target.resolve(url);
    },
    swallowAnswers(isNow) {
      isSwallowing = isNow;
    },
    connections: () => clients.size,
    async close() {
      for (const client of clients) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function join(client: Socket, url: URL, isSwallowing: () => boolean) {
  const upstream = createConnection({ host: url.hostname, port: Number(url.port) });
  upstream.on('error', () => undefined);
  client.on('data', (chunk: Buffer) => void upstream.write(chunk));
  upstream.on('data', (chunk: Buffer) => {
    if (!isSwallowing()) client.write(chunk);
  });
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => client.destroy());
}
