import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createApp, type SimulatorApp, type SimulatorOptions } from './app.ts';
import type { SimulatorClock } from './lib/clock.ts';
import type { Exchange, Reply, StreamBody } from './lib/wire.ts';
import { type Simulator, simulatorOf } from './simulator.ts';

export interface ServeOptions extends Partial<SimulatorOptions> {
  /** 0 selects a free one. */
  readonly port: number;
  /** By default 127.0.0.1. */
  readonly host?: string;
}

export interface ServedSimulator {
  /** Without a path. */
  readonly url: string;
  readonly simulator: Simulator;
  close(): Promise<void>;
}

const bodyBytesMax = 64 * 1024 * 1024;
const keepAliveMs = 75_000;

/** Rejects if the port is not available. */
export async function serveSimulator({
  port,
  host = '127.0.0.1',
  clock = machineClock,
  random = Math.random,
  ...rest
}: ServeOptions): Promise<ServedSimulator> {
  const app = createApp({ ...rest, clock, random });
  // Node closes idle connections after 5 s, which a client's pool would see as random resets.
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (incoming, outgoing) => {
    serveOne(app, incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  const boundPort = await listen(server, port, host);
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${boundPort}`,
    simulator: simulatorOf(app),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const machineClock: SimulatorClock = {
  now: () => Date.now(),
  after(delayMs, run) {
    // Only the listener keeps the process alive: a closed simulator owes no response.
    const timer = setTimeout(run, delayMs).unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function serveOne(app: SimulatorApp, incoming: IncomingMessage, outgoing: ServerResponse) {
  const body = await readBody(incoming);
  if (body === undefined) {
    incoming.destroy();
    return;
  }
  const reply = await app.answer(exchangeOf(app, incoming, body));
  // The client disconnected while the model was at work: it is billed, and nothing is sent.
  if (outgoing.destroyed) reply.stream?.abandon();
  else if (reply.stream === undefined) send(reply, incoming, outgoing);
  else sendStream(reply, reply.stream, outgoing);
}

/** Undefined if the client disconnected within it or sent too much. */
function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bodyBytesMax) resolve(undefined);
      else chunks.push(chunk);
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks)));
    incoming.on('close', () => resolve(undefined));
    incoming.on('error', () => resolve(undefined));
  });
}

function exchangeOf(app: SimulatorApp, incoming: IncomingMessage, body: Buffer): Exchange {
  const [path = '/', query = ''] = (incoming.url ?? '/').split('?');
  return {
    requestId: app.nextRequestId(),
    method: incoming.method ?? 'GET',
    path,
    query,
    bodyText: body.toString(),
    bodyBytes: body.length,
    header(name) {
      const value = incoming.headers[name];
      return typeof value === 'string' ? value : value?.join(', ');
    },
  };
}

function send(reply: Reply, { socket }: IncomingMessage, outgoing: ServerResponse): void {
  const { status, headers, fault, onAnswered } = reply;
  if (fault === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  const body = Buffer.from(reply.body);
  outgoing.writeHead(status, { ...headers, 'content-length': body.length });
  if (fault === 'reset-mid-body') {
    // Half of the body is sent first, so the client is within it.
    outgoing.write(body.subarray(0, body.length / 2), () => socket.destroy());
    return;
  }
  outgoing.end(body, onAnswered);
}

/** Sends a piece when the connection has accepted the previous one. */
function sendStream({ status, headers }: Reply, stream: StreamBody, outgoing: ServerResponse) {
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  outgoing.socket?.setNoDelay(true);
  const running = stream.start({
    write(piece, then) {
      outgoing.write(piece, (error) => {
        // The turn between sends the piece separately.
        if (error === undefined || error === null) setImmediate(then);
      });
    },
    end: (onSent) => outgoing.end(onSent),
    reset: () => outgoing.destroy(),
  });
  outgoing.on('close', running.leave);
}
