import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';

/**
 * The network path of standbys to a node: it can swallow data in both directions for some of them.
 */
export interface Link {
  /** From now on no data passes for these standbys, and no connection closes. */
  cut(names: readonly string[]): void;
  /** All data passes again; cut connections are closed, as in a real network. */
  heal(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  name: string | undefined;
}

/** A standby sends its name in the first message, in clear text: TLS is off between the nodes. */
const applicationName = /application_name\0([^\0]*)\0/;

/** Forwards a port of 127.0.0.1 to another one. */
export async function openLink(port: number, targetPort: number): Promise<Link> {
  const pairs = new Set<Pair>();
  let isCut = new Set<string>();
  const server = createServer((near) => {
    const pair: Pair = { near, far: createConnection(targetPort, '127.0.0.1'), name: undefined };
    pairs.add(pair);
    forward(pair);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    cut(names) {
      isCut = new Set(names);
    },
    heal() {
      const were = isCut;
      isCut = new Set();
      for (const pair of pairs) if (were.has(pair.name ?? '')) end(pair);
    },
    async close() {
      for (const pair of pairs) end(pair);
      server.close();
      await once(server, 'close');
    },
  };

  function forward(pair: Pair) {
    const { near, far } = pair;
    near.on('data', (bytes: Buffer) => {
      pair.name ??= applicationName.exec(bytes.toString('latin1'))?.[1];
      if (!isCut.has(pair.name ?? '')) far.write(bytes);
    });
    far.on('data', (bytes: Buffer) => {
      if (!isCut.has(pair.name ?? '')) near.write(bytes);
    });
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      // While the path is cut, a closing of one side does not reach the other.
      socket.on('close', () => {
        if (!isCut.has(pair.name ?? '')) end(pair);
      });
    }
  }

  function end(pair: Pair) {
    pairs.delete(pair);
    pair.near.destroy();
    pair.far.destroy();
  }
}
