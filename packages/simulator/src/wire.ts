/** One request as read from a socket or from a `Request`: what every surface starts from. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly bodyText: string;
  /** UTF-8 bytes of the body as received. */
  readonly bodyBytes: number;
  header(name: string): string | undefined;
}

/** What a socket does to an answer: dies before its first byte, or within its body. */
export type SocketFault = 'reset' | 'reset-mid-body';

/** The client's end of a body that comes in pieces. */
export interface StreamSink {
  /** Sends a piece, and calls `then` in a later turn, when the connection has taken it. */
  write(piece: Uint8Array, then: () => void): void;
  /** All was sent; `onSent` is called once the connection has it. */
  end(onSent?: () => void): void;
  /** The connection dies within the body. */
  reset(): void;
}

/** A body that is generated while it is sent. Either of its functions is called, and once. */
export interface StreamBody {
  /** `leave` says that the client has left. */
  start(sink: StreamSink): { leave(): void };
  /** The client left before there was a head. */
  abandon(): void;
}

/** One answer before it becomes a `Response` or bytes on a socket. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** In the place of `body`. */
  readonly stream?: StreamBody;
  readonly fault?: SocketFault;
  /** To be called once the whole answer was handed over. */
  readonly onAnswered?: () => void;
}

/** Headers of every JSON answer. */
export function jsonHeaders(requestId: string): Record<string, string> {
  return { 'content-type': 'application/json', 'x-request-id': requestId };
}

/** The header of every stream. */
export const eventStream = { 'content-type': 'text/event-stream; charset=utf-8' } as const;

/** A JSON answer. */
export function jsonReply(requestId: string, status: number, value: unknown): Reply {
  return { status, headers: jsonHeaders(requestId), body: JSON.stringify(value) };
}

/** Whether a JSON value is an object, as against an array, a scalar or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The error that a broken connection gives; its `code` is what Node gives, `ECONNRESET`. */
export function connectionReset(): Error {
  return Object.assign(new Error('the simulated connection was reset'), { code: 'ECONNRESET' });
}
