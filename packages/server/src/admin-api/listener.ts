import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../lib/clock.ts';
import { ConsoleError } from '../operations/context/console-error.ts';
import type { Console } from './console.ts';
import type { ConsoleRequest, ConsoleResponse, LoginUse } from './http/http.ts';

/** Returns false for other requests. `protect` is called for a response to a login. */
export function serveConsole(
  console: Console,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  protect?: (response: ServerResponse, use: LoginUse) => void,
  clock: Pick<Clock, 'after'> = systemClock,
): boolean {
  const [path = ''] = (incoming.url ?? '').split('?', 1);
  if (!console.takes(path)) return false;
  const disconnected = new AbortController();
  outgoing.once('close', () => disconnected.abort());
  const onLogin = (use: LoginUse) => protect?.(outgoing, use);
  const request = { ...requestOf(incoming, disconnected.signal, clock), onLogin };
  void answer(console, request, { incoming, outgoing, clock });
  return true;
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly clock: Pick<Clock, 'after'>;
}

async function answer(console: Console, request: ConsoleRequest, exchange: Exchange) {
  const response = await console.handle(request);
  const { outgoing } = exchange;
  if (outgoing.destroyed) return;
  await send(response, request, exchange).catch(() => outgoing.destroy());
}

function requestOf(
  incoming: IncomingMessage,
  disconnected: AbortSignal,
  clock: Pick<Clock, 'after'>,
): ConsoleRequest {
  const { method = '', url = '', socket } = incoming;
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const chunks = (bytesMax: number) => read(incoming, { bytesMax, clock, isPatient: true });
  const body = (bytesMax: number) => whole(read(incoming, { bytesMax, clock }));
  return { method, url, headers, body, chunks, disconnected, address: socket.remoteAddress ?? '' };
}

/** For a whole body, or for each part of a body read in parts. */
const bodyMs = 15_000;

interface ReadOptions {
  readonly bytesMax: number;
  readonly clock: Pick<Clock, 'after'>;
  readonly isPatient?: boolean;
}

async function whole(parts: AsyncIterable<Buffer>): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const part of parts) chunks.push(part);
  return Buffer.concat(chunks);
}

async function* read(incoming: IncomingMessage, { bytesMax, clock, isPatient }: ReadOptions) {
  const parts: AsyncIterator<Buffer> = incoming.iterator({ destroyOnReturn: false });
  let fail: (error: Error) => void = () => {};
  const timedOut = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  timedOut.catch(() => {});
  const startTimer = () =>
    clock.after(bodyMs, () => fail(new ConsoleError('TIMED_OUT', 'The body arrived too slowly')));
  let timer = startTimer();
  let bytes = 0;
  try {
    for (;;) {
      const part = await Promise.race([parts.next(), timedOut]);
      if (part.done === true) return;
      bytes += part.value.byteLength;
      if (bytes > bytesMax) {
        throw new ConsoleError('TOO_LARGE', `The body is larger than ${bytesMax} bytes`);
      }
      yield part.value;
      if (isPatient !== true) continue;
      timer.cancel();
      timer = startTimer();
    }
  } finally {
    timer.cancel();
  }
}

async function send(
  { status, headers, body }: ConsoleResponse,
  { disconnected, method }: ConsoleRequest,
  { incoming, outgoing, clock }: Exchange,
): Promise<void> {
  const isEarly = !incoming.complete;
  if (isEarly) outgoing.setHeader('connection', 'close');
  for (const [name, value] of Object.entries(headers)) {
    outgoing.setHeader(name, typeof value === 'string' ? value : [...value]);
  }
  if (typeof body === 'string' || body instanceof Uint8Array) {
    outgoing.setHeader('content-length', Buffer.byteLength(body));
    outgoing.writeHead(status);
    if (method !== 'HEAD') outgoing.write(body);
    if (isEarly) await dropRest(incoming, { clock, disconnected });
    outgoing.end();
    return;
  }
  outgoing.writeHead(status);
  outgoing.flushHeaders();
  for await (const part of body) {
    if (disconnected.aborted) return;
    if (!outgoing.write(part)) await waitForDrain(outgoing, disconnected);
  }
  outgoing.end();
}

/** If the connection closes, a client that is still sending misses its response. */
function dropRest(
  incoming: IncomingMessage,
  { clock, disconnected }: Pick<Exchange, 'clock'> & Pick<ConsoleRequest, 'disconnected'>,
): Promise<void> {
  return new Promise((resolve) => {
    clock.after(lingerMs, resolve);
    disconnected.addEventListener('abort', () => resolve(), { once: true });
    incoming.once('end', resolve);
    incoming.resume();
  });
}

const lingerMs = 2_000;

function waitForDrain(outgoing: ServerResponse, disconnected: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    outgoing.once('drain', resolve);
    disconnected.addEventListener('abort', () => resolve(), { once: true });
  });
}
