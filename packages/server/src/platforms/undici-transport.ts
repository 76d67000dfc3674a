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
  type SendResponse,
  type Transport,
  TransportFailure,
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
      new Promise((resolve, reject) => {
        const { method, headers, body, signal, onHead } = request;
        const bytesMax = Math.min(request.answerBytesMax ?? answerBytesMax, mostBytes);
        const path = basePath + request.path;
        const parts = { signal, onHead, bytesMax, connections, resolve, reject };
        const { onAbort, handlerOn } = exchange(parts);
        if (signal.aborted) return onAbort();
        signal.addEventListener('abort', onAbort);
        connections.take(request.app ?? '', (connection) => {
          // It was waited for, and the wait was cut.
          if (signal.aborted) return connections.giveBack(connection);
          connection.client.dispatch({ path, method, headers, body }, handlerOn(connection));
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
  readonly resolve: (response: SendResponse) => void;
  readonly reject: (failure: TransportFailure) => void;
}

/**
 * Follows one request through the library; settles its promise exactly once, and gives the
 * connection back when the library has done with it, which may be later.
 */
function exchange({ signal, onHead, bytesMax, connections, resolve, reject }: ExchangeParts) {
  let connection: Connection | undefined;
  let controller: Dispatcher.DispatchController | undefined;
  let isDone = false;
  const answer = createAnswer(bytesMax, onHead);
  const handler: Dispatcher.DispatchHandler = {
    // Called right before the head is written, in the same tick: from here on it counts as sent.
    onRequestStart(started) {
      // Aborting here keeps the request from being written. A second start would send a call twice
      // that may be billed twice; the library is not known to do it.
      if (isDone || controller !== undefined) return started.abort(new Error('not to be sent'));
      controller = started;
    },
    onResponseStart: (_, status, headers) => refuse(answer.start(status, headers)),
    onResponseData: (_, chunk) => refuse(answer.add(chunk)),
    onResponseEnd() {
      const whole = answer.whole();
      if (whole !== undefined) take(whole);
      giveBack();
    },
    onResponseError(_, error) {
      giveBack();
      const code = codeOf(error) ?? error.name;
      fail(isMisplaced(error) ? 'unusable' : kindOf(code), { code, message: error.message });
    },
  };
  return { onAbort, handlerOn };

  function handlerOn(taken: Connection) {
    connection = taken;
    return handler;
  }
  function take(whole: SendResponse) {
    const refusal = refusalOfShape(whole.body);
    if (refusal !== undefined) fail('unusable', refusal);
    else if (end()) resolve(whole);
  }
  function giveBack() {
    if (connection !== undefined) connections.giveBack(connection);
    connection = undefined;
  }
  function onAbort() {
    fail('aborted', { code: 'ABORTED', message: 'the call was cut' });
    controller?.abort(new Error('cut'));
  }
  function refuse(refusal: Refusal | undefined) {
    if (refusal === undefined) return;
    fail('unusable', refusal);
    controller?.abort(new Error(refusal.message));
  }
  function fail(kind: TransportFailureKind, { code, message }: Refusal) {
    if (!end()) return;
    const wasSent = controller !== undefined;
    const parts = { kind, wasSent, causeCode: code, message, answer: answer.head() };
    reject(new TransportFailure(parts));
  }
  function end(): boolean {
    if (isDone) return false;
    isDone = true;
    signal.removeEventListener('abort', onAbort);
    return true;
  }
}

/** Collects an answer; says why it is not taken as soon as that can be known. */
function createAnswer(bytesMax: number, onHead: OnHead | undefined) {
  let head: AnswerHead | undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    head: () => head,
    start(status: number, headers: LibraryHeaders): Refusal | undefined {
      // 1xx are notices before the answer.
      if (status < 200) return undefined;
      head = { status, headers: flatten(headers) };
      onHead?.(head);
      return refusalOfHead(head.headers, bytesMax);
    },
    add(chunk: Buffer): Refusal | undefined {
      bytes += chunk.length;
      if (bytes > bytesMax) return refusals.tooLarge;
      chunks.push(chunk);
      return undefined;
    },
    whole(): SendResponse | undefined {
      const [first] = chunks;
      const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
      return head === undefined ? undefined : { ...head, body };
    },
  };
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
