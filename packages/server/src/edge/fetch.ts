import type { Edge } from './edge.ts';
import { contentLengthOf, type EdgeRequest } from './edge-request.ts';

/**
 * The whole service as a function: what a client's `fetch` option takes, with no socket between.
 */
export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** The edge behind the interface of `fetch`. */
export function createFetch(edge: Edge): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { status, body, headers } = await edge.handle(edgeRequestOf(request));
    // As over a socket: who has left does not see the answer.
    request.signal.throwIfAborted();
    return new Response(body, { status, headers: { ...headers } });
  };
}

function edgeRequestOf(request: Request): EdgeRequest {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  return {
    method: request.method,
    path: new URL(request.url).pathname,
    header,
    left: request.signal,
    async readBody(limitBytes) {
      const length = contentLengthOf(header);
      if (length !== undefined && length > limitBytes) return 'too-long';
      if (request.body === null) return undefined;
      const bytes = new Uint8Array(await request.arrayBuffer());
      return bytes.byteLength > limitBytes ? 'too-long' : bytes;
    },
  };
}
