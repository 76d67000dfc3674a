export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly bodyText: string;
  /** UTF-8, as received. */
  readonly bodyBytes: number;
  header(name: string): string | undefined;
}

/** The connection dies before the first byte, or within the body. */
export type SocketFault = 'reset' | 'reset-mid-body';

export interface StreamSink {
  /** Calls `then` in a later turn, when the connection has accepted the piece. */
  write(piece: Uint8Array, then: () => void): void;
  /** Calls `onSent` once the connection has everything. */
  end(onSent?: () => void): void;
  /** The connection dies within the body. */
  reset(): void;
}

/** Generated during sending. Exactly one function is called, once. */
export interface StreamBody {
  start(sink: StreamSink): { leave(): void };
  /** The client disconnected before there was a head. */
  abandon(): void;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** In place of `body`. */
  readonly stream?: StreamBody;
  readonly fault?: SocketFault;
  /** Called once the whole response was delivered. */
  readonly onAnswered?: () => void;
}

export function jsonHeaders(requestId: string): Record<string, string> {
  return { 'content-type': 'application/json', 'x-request-id': requestId };
}

export const eventStream = { 'content-type': 'text/event-stream; charset=utf-8' } as const;

export function jsonReply(requestId: string, status: number, value: unknown): Reply {
  return { status, headers: jsonHeaders(requestId), body: JSON.stringify(value) };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `code` is `ECONNRESET`, as in Node. */
export function connectionReset(): Error {
  return Object.assign(new Error('the simulated connection was reset'), { code: 'ECONNRESET' });
}
