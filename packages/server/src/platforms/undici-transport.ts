import type { Dispatcher } from 'undici';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Connection, type Connections, createConnections } from './connections.ts';
import {
  type AnswerHead,
  answerBytesMax,
  codeOf,
  type OnHead,
  type Refusal,
  refusalOfHead,
  refusalOfShape,
  refusals,
  type SendOutcome,
  type SendResponse,
  type Transport,
  type TransportFailureKind,
} from './transport.ts';

/** Where the connections go, and their bounds. */
export interface UndiciTransportOptions {
  /** `http:` or `https:`; its path stands before every request's path. */
  readonly baseUrl: string;
  /** Connections at most; further requests wait for one. */
  readonly connectionsMax?: number;
  readonly connectMs?: number;
  readonly answerBytesMax?: number;
  /** Told of bytes that the platform sent although nothing had been asked for. */
  readonly onUnsolicited?: (() => void) | undefined;
  /** The machine's own, but in tests: sockets live by it, whatever the service goes by. */
  readonly clock?: Pick<Clock, 'monotonic' | 'after'>;
}

const connectionsMax = 10_000;

/** So that three attempts at an address that swallows packets end before the call's deadline. */
const connectMs = 5_000;

/**
 * Below the 5 s after which many servers close an idle connection: a close that crosses a request
 * on its way looks like a lost one, and a lost one may have been billed.
 */
const idleMs = 4_000;

/** A transport over sockets: HTTP/1.1, kept alive, one request at a time on a connection. */
export function createUndiciTransport(options: UndiciTransportOptions): Transport {
  const { origin, pathname } = new URL(options.baseUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const mostBytes = options.answerBytesMax ?? answerBytesMax;
  const connections = createConnections({
    origin,
    connectionsMax: options.connectionsMax ?? connectionsMax,
    connectMs: options.connectMs ?? connectMs,
    idleMs,
    onUnsolicited: options.onUnsolicited ?? (() => undefined),
    clock: options.clock ?? systemClock,
  });
  return {
    send: (request) =>
      new Promise((resolve) => {
        const { method, headers, body, signal, onHead } = request;
        const bytesMax = Math.min(request.answerBytesMax ?? answerBytesMax, mostBytes);
        const path = basePath + request.path;
        const exchange = new Exchange({ signal, onHead, bytesMax, connections, resolve });
        if (signal.aborted) return exchange.abort();
        signal.addEventListener('abort', exchange);
        connections.take(request.app ?? '', (connection) => {
          // It was waited for, and the wait was cut.
          if (signal.aborted) return connections.giveBack(connection);
          connection.client.dispatch({ path, method, headers, body }, exchange.on(connection));
        });
      }),
    close: connections.close,
  };
}

interface ExchangeParts {
  // Not the whole request: its body is long, and waits in the library's buffer already.
  readonly signal: AbortSignal;
  readonly onHead: OnHead | undefined;
  readonly bytesMax: number;
  readonly connections: Connections;
  readonly resolve: (outcome: SendOutcome) => void;
}

/**
 * Follows one request through the library; settles its promise exactly once, and gives the
 * connection back when the library has done with it, which may be later. Collects the answer, and
 * refuses it as soon as that can be known. A class: every call makes one, and a closure for each of
 * these would take more time and memory than all that they do.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #parts: ExchangeParts;
  #connection: Connection | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #isDone = false;
  #head: AnswerHead | undefined;
  #bytes = 0;
  /** Most answers come in one piece. */
  #first: Buffer | undefined;
  #others: Buffer[] | undefined;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
  }

  /** Takes a connection: what is dispatched to it is to be told to this. */
  on(connection: Connection): this {
    this.#connection = connection;
    return this;
  }

  /** Cuts the exchange, whatever it is doing. */
  abort() {
    this.#fail('aborted', { code: 'ABORTED', message: 'the call was cut' });
    this.#controller?.abort(new Error('cut'));
  }

  /** The signal has aborted. */
  handleEvent() {
    this.abort();
  }

  /** Called right before the head is written, in the same tick: from here on it counts as sent. */
  onRequestStart(started: Dispatcher.DispatchController) {
    // Aborting here keeps the request from being written. A second start would send a call twice
    // that may be billed twice; the library is not known to do it.
    if (this.#isDone || this.#controller !== undefined) {
      return started.abort(new Error('not to be sent'));
    }
    this.#controller = started;
  }

  onResponseStart(_: unknown, status: number, headers: LibraryHeaders) {
    // 1xx are notices before the answer.
    if (status < 200) return;
    this.#head = { status, headers: flatten(headers) };
    this.#parts.onHead?.(this.#head);
    this.#refuse(refusalOfHead(this.#head.headers, this.#parts.bytesMax));
  }

  onResponseData(_: unknown, chunk: Buffer) {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#parts.bytesMax) return this.#refuse(refusals.tooLarge);
    if (this.#first === undefined) this.#first = chunk;
    else if (this.#others === undefined) this.#others = [chunk];
    else this.#others.push(chunk);
  }

  onResponseEnd() {
    if (this.#head !== undefined) this.#take({ ...this.#head, body: this.#body() });
    this.#giveBack();
  }

  onResponseError(_: unknown, error: Error) {
    this.#giveBack();
    const code = codeOf(error) ?? error.name;
    this.#fail(isMisplaced(error) ? 'unusable' : kindOf(code), { code, message: error.message });
  }

  #body(): Buffer {
    if (this.#first === undefined) return Buffer.alloc(0);
    return this.#others === undefined ? this.#first : Buffer.concat([this.#first, ...this.#others]);
  }

  #take(whole: SendResponse) {
    const refusal = refusalOfShape(whole.body);
    if (refusal !== undefined) this.#fail('unusable', refusal);
    else if (this.#end()) this.#parts.resolve(whole);
  }

  #giveBack() {
    if (this.#connection !== undefined) this.#parts.connections.giveBack(this.#connection);
    this.#connection = undefined;
  }

  #refuse(refusal: Refusal | undefined) {
    if (refusal === undefined) return;
    this.#fail('unusable', refusal);
    this.#controller?.abort(new Error(refusal.message));
  }

  #fail(kind: TransportFailureKind, { code, message }: Refusal) {
    if (!this.#end()) return;
    const wasSent = this.#controller !== undefined;
    this.#parts.resolve({ kind, wasSent, causeCode: code, message, answer: this.#head });
  }

  #end(): boolean {
    if (this.#isDone) return false;
    this.#isDone = true;
    this.#parts.signal.removeEventListener('abort', this);
    return true;
  }
}

type LibraryHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The library refuses `100 Continue`, which nobody asked for, and a change of protocol. An answer
 * was on its way: asked again, the platform would bill it again, and say the same.
 */
function isMisplaced({ message }: Error): boolean {
  return message === 'bad response' || message === 'bad upgrade';
}

function kindOf(code: string): TransportFailureKind {
  switch (code) {
    case 'EMFILE':
    case 'ENFILE':
      return 'no-descriptors';
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'unusable';
    default:
      return 'lost';
  }
}

/** Most answers repeat no header: then there is nothing to join. */
function flatten(headers: LibraryHeaders): Readonly<Record<string, string>> {
  if (isFlat(headers)) return headers;
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

function isFlat(headers: LibraryHeaders): headers is Readonly<Record<string, string>> {
  for (const name in headers) if (typeof headers[name] !== 'string') return false;
  return true;
}
