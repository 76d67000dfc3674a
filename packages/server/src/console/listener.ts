import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Console } from './console.ts';
import { ConsoleError } from './console-error.ts';
import type { ConsoleRequest, ConsoleResponse, LoginUse } from './http.ts';

/**
 * Answers a request of the admin listener; false where it is not the console's. `keep` is called
 * for a response to a login.
 */
export function serveConsole(
  console: Console,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  keep?: (response: ServerResponse, use: LoginUse) => void,
): boolean {
  const [path = ''] = (incoming.url ?? '').split('?', 1);
  if (!console.takes(path)) return false;
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const onLogin = (use: LoginUse) => keep?.(outgoing, use);
  void answer(console, { ...requestOf(incoming, gone.signal), onLogin }, outgoing);
  return true;
}

async function answer(console: Console, request: ConsoleRequest, outgoing: ServerResponse) {
  const response = await console.handle(request);
  if (outgoing.destroyed) return;
  await send(response, request, outgoing).catch(() => outgoing.destroy());
}

function requestOf(incoming: IncomingMessage, gone: AbortSignal): ConsoleRequest {
  const { method = '', url = '', socket } = incoming;
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const body = (bytesMax: number) => read(incoming, bytesMax);
  return { method, url, headers, body, gone, address: socket.remoteAddress ?? '' };
}

async function read(incoming: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) {
      throw new ConsoleError('TOO_LARGE', `The body has more than ${bytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function send(
  { status, headers, body }: ConsoleResponse,
  { gone, method }: ConsoleRequest,
  outgoing: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(headers)) {
    outgoing.setHeader(name, typeof value === 'string' ? value : [...value]);
  }
  if (typeof body === 'string' || body instanceof Uint8Array) {
    outgoing.setHeader('content-length', Buffer.byteLength(body));
    outgoing.writeHead(status);
    outgoing.end(method === 'HEAD' ? undefined : body);
    return;
  }
  outgoing.writeHead(status);
  outgoing.flushHeaders();
  for await (const part of body) {
    if (gone.aborted) return;
    if (!outgoing.write(part)) await drained(outgoing, gone);
  }
  outgoing.end();
}

function drained(outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    outgoing.once('drain', resolve);
    gone.addEventListener('abort', () => resolve(), { once: true });
  });
}
