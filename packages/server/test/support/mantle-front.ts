import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Simulator } from '@model-gateway/simulator';

/** The content of one request of the gateway. */
export interface FrontRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A simulator on a socket, which can be unreachable, and which records its callers. */
export interface MantleFront {
  readonly url: string;
  readonly requests: readonly FrontRequest[];
  /** While it is unreachable, connections are accepted and dropped. */
  isAway: boolean;
  close(): Promise<void>;
}

/** Starts on a free port. */
export async function startMantleFront(simulator: Pick<Simulator, 'fetch'>): Promise<MantleFront> {
  const requests: FrontRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    if (front.isAway) {
      incoming.socket.destroy();
      return;
    }
    const { url = '/', headers } = incoming;
    requests.push({ path: url, headers });
    const response = await simulator.fetch(await requestOf(incoming)).catch(() => undefined);
    // An exception of the simulator is a dying connection.
    if (response === undefined) {
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const front: MantleFront = {
    url: `http://127.0.0.1:${port}`,
    requests,
    isAway: false,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return front;
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const { url = '/', method = 'GET', headers: raw } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    if (typeof value === 'string') headers.set(name, value);
  }
  const parts = { method, headers };
  const body = Buffer.concat(chunks);
  return new Request(`http://front.test${url}`, body.length === 0 ? parts : { ...parts, body });
}
