import type { OneShot } from '../../lib/one-shot.ts';
import type { Ingress } from '../ingress.ts';
import type { IncomingRequest } from './request.ts';

/**
 * The whole service as a function: what a client's `fetch` option takes, with no socket between.
 */
export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** The ingress behind the interface of `fetch`. */
export function createFetch(ingress: Ingress): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { status, body, headers } = await ingress.handle(incomingRequestOf(request));
    // As over a socket: who has left does not see the answer.
    request.signal.throwIfAborted();
    return new Response(body, { status, headers: { ...headers } });
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
    header,
    // `Headers` has joined its lines already.
    isRepeated: () => false,
    announcedBytes,
    remote: undefined,
    whenTaken: (run) => run(),
    onKey: () => undefined,
    whenLeft(run) {
      signal.addEventListener('abort', run);
      if (signal.aborted) run();
    },
    async readBody(limitBytes, hasRoom, over) {
      if (announcedBytes !== undefined && announcedBytes > limitBytes) return 'too-long';
      if (request.body === null) return undefined;
      const reader = request.body.getReader();
      const isOver = come(over);
      const chunks: Uint8Array[] = [];
      for (let size = 0; ; ) {
        const next = await Promise.race([reader.read().catch(brokenOff), isOver]);
        if (next === 'left') return next;
        if (next.done) return Buffer.concat(chunks);
        size += next.value.byteLength;
        if (size > limitBytes) return 'too-long';
        if (!hasRoom(size)) return 'no-room';
        chunks.push(next.value);
      }
    },
  };
}

function brokenOff(): 'left' {
  return 'left';
}

function come(over: OneShot): Promise<'left'> {
  return new Promise((resolve) => {
    over.onFire(() => resolve('left'));
  });
}
