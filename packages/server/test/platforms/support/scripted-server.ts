import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** One request, as its bytes arrived. */
export interface RawRequest {
  /** The request line and the headers. */
  readonly head: string;
  readonly body: string;
}

/** The server's reaction to a complete request; it writes its response byte by byte. */
export type Script = (socket: Socket, request: RawRequest) => void;

/** A server on a socket that follows its script exactly, including protocol errors. */
export interface ScriptedServer {
  readonly port: number;
  readonly url: string;
  readonly requests: readonly RawRequest[];
  /** Connections accepted so far. */
  accepted(): number;
  /** Connections that are open now. */
  open(): number;
  /** Ends the connections that are open, and waits until the clients have ended theirs. */
  endConnections(): Promise<void>;
  /** Resolves when no connection is open. */
  noConnections(): Promise<void>;
  close(): Promise<void>;
}

/** Starts on a free port of the loopback address; `onConnection` acts before any byte is read. */
export async function startScriptedServer(
  script: Script,
  onConnection: (socket: Socket) => void = () => undefined,
): Promise<ScriptedServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A reset by the client is what some tests are about.
    socket.on('error', () => socket.destroy());
    onConnection(socket);
    readRequests(socket, (request) => {
      requests.push(request);
      script(socket, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    accepted: () => accepted,
    open: () => sockets.size,
    async endConnections() {
      for (const socket of sockets) socket.end();
      await noConnections();
    },
    noConnections,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };

  async function noConnections() {
    while (sockets.size > 0) {
      for (const socket of sockets) {
        await new Promise((resolve) => socket.once('close', resolve));
        break;
      }
    }
  }
}

export async function unusedPort(): Promise<number> {
  const server = await startScriptedServer(() => undefined);
  await server.close();
  return server.port;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function readRequests(socket: Socket, onRequest: (request: RawRequest) => void) {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, Buffer.from(chunk)]);
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = received.subarray(0, headEnd).toString();
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const end = headEnd + 4 + length;
    if (received.length < end) return;
    const body = received.subarray(headEnd + 4, end).toString();
    received = received.subarray(end);
    onRequest({ head, body });
  });
}

/** A response as text; its length is included unless the headers define how it ends. */
export function answerText(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const names = Object.keys(headers);
  const endsOtherwise = names.some((name) => /^(content-length|transfer-encoding)$/.test(name));
  const length = endsOtherwise ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`HTTP/1.1 ${status} Scripted`, ...lines, '', body].join('\r\n');
}

/** A script that always gives the same response. */
export function answering(
  status: number,
  body: string,
  headers?: Readonly<Record<string, string>>,
): Script {
  return (socket) => void socket.write(answerText(status, body, headers));
}
