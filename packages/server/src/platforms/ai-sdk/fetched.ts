import type { AnswerHead, SendResponse } from '../http/transport.ts';

/** The part of `Response` that libraries read, without its cost. */
export interface FetchedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: FetchedBody;
  text(): Promise<string>;
  json(): Promise<unknown>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

interface FetchedBody {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value: Uint8Array | undefined }>;
    cancel(): Promise<void>;
    releaseLock(): void;
  };
  cancel(): Promise<void>;
}

export function fetchedStream(
  { status, headers }: AnswerHead,
  stream: ReadableStream<Uint8Array>,
): FetchedResponse {
  const whole = () => new Response(stream);
  return {
    ok: true,
    status,
    statusText: '',
    headers: new Headers(headers),
    body: stream,
    text: () => whole().text(),
    json: () => whole().json(),
    arrayBuffer: () => whole().arrayBuffer(),
  };
}

export function fetchedOf({ status, headers, body }: SendResponse): FetchedResponse {
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText: '',
    headers: new Headers(headers),
    body: { getReader: () => readerOf(body), cancel: () => Promise.resolve() },
    text: () => Promise.resolve(body.toString()),
    json: async () => JSON.parse(body.toString()),
    arrayBuffer: () => Promise.resolve(Uint8Array.from(body).buffer),
  };
}

function readerOf(body: Buffer) {
  let isRead = body.length === 0;
  return {
    read() {
      if (isRead) return Promise.resolve({ done: true, value: undefined });
      isRead = true;
      return Promise.resolve({ done: false, value: new Uint8Array(body) });
    },
    cancel: () => Promise.resolve(),
    releaseLock: () => undefined,
  };
}
