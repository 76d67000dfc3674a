import { createWire, type Wire } from './wire.ts';

/** A stream that was read over a socket, as far as it arrived. */
export interface ReadStream {
  readonly status: number;
  readonly wire: Wire;
  /** Whether its end came, or its connection broke. */
  readonly isWhole: boolean;
}

/** Requests a stream from a service on a URL, and reads it as it arrives. */
export async function readStream(
  url: string,
  request: {
    readonly apiKey: string;
    readonly body: object;
    readonly path?: string;
    readonly key?: string;
    readonly signal?: AbortSignal;
    readonly onWire?: (wire: Wire) => void;
  },
): Promise<ReadStream> {
  const { apiKey, body, path = '/v1/chat/stream', key, signal, onWire } = request;
  const wire = createWire();
  onWire?.(wire);
  let status = 0;
  try {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        ...{ 'x-api-key': apiKey, 'content-type': 'application/json' },
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
    status = response.status;
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      await response.text();
      return { status, wire, isWhole: true };
    }
    for await (const bytes of response.body ?? []) wire.push(bytes);
  } catch (error) {
    if (!(error instanceof TypeError) && signal?.aborted !== true) throw error;
    return { status, wire, isWhole: false };
  }
  wire.end();
  return { status, wire, isWhole: true };
}
