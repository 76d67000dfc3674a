import type { OneShot } from '../../lib/one-shot.ts';
import type { IncomingRequest } from '../exchange/request.ts';
import type { AnswerStream } from '../exchange/sink.ts';
import type { Ingress } from '../ingress.ts';

export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

export function createFetch(ingress: Ingress): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { status, body, headers, stream } = await ingress.handle(incomingRequestOf(request));
    // As over a socket: a disconnected client gets no response.
    request.signal.throwIfAborted();
    const content = stream === undefined ? body : contentOf(stream, request.signal);
    return new Response(content, { status, headers: { ...headers } });
  };
}

function incomingRequestOf(request: Request): IncomingRequest {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const length = header('content-length');
  const announcedBytes =
    length !== undefined ? Number(length) : request.body === null ? 0 : undefined;
  const { signal } = request;
  return {
    method: request.method,
    path: new URL(request.url).pathname,
    query: new URL(request.url).search.slice(1) || undefined,
    header,
    // `Headers` already joined repeated lines.
    isRepeated: () => false,
    announcedBytes,
    remote: undefined,
    whenAccepted: (run) => run(),
    onKey: () => undefined,
    whenDisconnected(run) {
      signal.addEventListener('abort', run);
      if (signal.aborted) run();
    },
    async readBody(limitBytes, room, over) {
      if (announcedBytes !== undefined && announcedBytes > limitBytes) return 'too-long';
      if (request.body === null) return undefined;
      const reader = request.body.getReader();
      const isOver = disconnectionBy(over);
      const chunks: Uint8Array[] = [];
      for (let size = 0; ; ) {
        const next = await Promise.race([reader.read().catch(brokenOff), isOver]);
        if (next === 'left') return next;
        if (next.done) {
          const bytes = Buffer.concat(chunks);
          return { bytes, byteLength: bytes.byteLength, values: undefined };
        }
        size += next.value.byteLength;
        if (size > limitBytes) return 'too-long';
        room.arrivedBytes = size;
        if (size > room.heldBytes && !room.hasRoom(size)) return 'no-room';
        chunks.push(next.value);
      }
    },
  };
}

function brokenOff(): 'left' {
  return 'left';
}

function disconnectionBy(over: OneShot): Promise<'left'> {
  return new Promise((resolve) => {
    over.onFire(() => resolve('left'));
  });
}

/** Pulled bytes count as accepted by a socket. */
function contentOf(stream: AnswerStream, signal: AbortSignal): ReadableStream<Uint8Array> {
  const unread: { readonly text: string; readonly onAccepted: () => void }[] = [];
  let isEnded = false;
  let wake = noop;
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    signal.addEventListener('abort', () => controller.error(signal.reason));
    stream.open({
      write(text, _bytes, onAccepted) {
        unread.push({ text, onAccepted });
        wake();
      },
      end() {
        isEnded = true;
        wake();
      },
      destroy: () => controller.error(new TypeError('terminated')),
      isBehind: () => false,
    });
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    while (unread.length === 0 && !isEnded) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const next = unread.shift();
    if (next === undefined) return controller.close();
    controller.enqueue(Buffer.from(next.text));
    next.onAccepted();
  };
  return new ReadableStream({ start, pull, cancel: stream.leave }, { highWaterMark: 0 });
}

function noop() {}
