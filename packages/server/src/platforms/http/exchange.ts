import type { Dispatcher } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import { findExcess } from '../../lib/json-size.ts';
import type { RequestWork } from '../../lib/work.ts';
import type { Connection, Connections, ConnectionUser } from './connection.ts';
import { isMisplaced, kindOf } from './exchange-errors.ts';
import type { Flow } from './flow.ts';
import {
  type AnswerHead,
  answerBounds,
  type ByteReader,
  codeOf,
  type OpenReader,
  type Refusal,
  type RequestIdHolder,
  refusalOfHead,
  refusals,
  requestIdOf,
  type SendOutcome,
  type SendResponse,
  type TransportFailureKind,
} from './transport.ts';

export interface ExchangeParts {
  readonly signal: AbortSignal;
  readonly requestIdHolder: RequestIdHolder | undefined;
  readonly work?: RequestWork | undefined;
  readonly openReader: OpenReader | undefined;
  readonly bytesMax: number;
  readonly connections: Pick<Connections, 'giveBack'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly resolve: (outcome: SendOutcome) => void;
}

/**
 * A connection is reused if at most this much follows a stream's end and the response ends this
 * soon.
 */
const restBytesMax = 65_536;
const restMs = 1_000;

/**
 * Settles exactly once, and returns the connection when the library has finished, maybe later.
 * Rejects a response as early as possible. A class because closures per call would cost more time
 * and memory.
 */
export class Exchange implements Dispatcher.DispatchHandler, ConnectionUser, Flow {
  endWait: (() => void) | undefined;
  /** Cleared after sending: the long body is in the library's buffer. */
  #request: Dispatcher.DispatchOptions | undefined;
  readonly #parts: ExchangeParts;
  #connection: Connection | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #isDone = false;
  #head: AnswerHead | undefined;
  #bytes = 0;
  #first: Buffer | undefined;
  #others: Buffer[] | undefined;
  #reader: ByteReader | undefined;
  #isHeldBack = false;
  #restTimer: { cancel(): void } | undefined;

  constructor(request: Dispatcher.DispatchOptions, parts: ExchangeParts) {
    this.#request = request;
    this.#parts = parts;
  }

  /** Sends nothing if canceled during the wait. */
  use(connection: Connection) {
    this.#connection = connection;
    const request = this.#request;
    this.#request = undefined;
    if (request === undefined || this.#parts.signal.aborted) return this.#giveBack();
    connection.client.dispatch(request, this);
  }

  abort() {
    this.endWait?.();
    this.#fail('aborted', { code: 'ABORTED', message: 'the call was canceled' });
    this.#controller?.abort(new Error('cut'));
  }

  handleEvent() {
    this.abort();
  }

  /** Called in the tick that writes the head: from here the request counts as sent. */
  onRequestStart(started: Dispatcher.DispatchController) {
    // Aborting here keeps the request from being written. A second start would send a call twice,
    // and both might be billed. The library is not known to do it.
    if (this.#isDone || this.#controller !== undefined) {
      return started.abort(new Error('the request must not be sent'));
    }
    this.#controller = started;
  }

  onResponseStart(
    started: Pick<Dispatcher.DispatchController, 'rawHeaders'>,
    status: number,
    headers: LibraryHeaders,
  ) {
    // They are slices of the first bytes, up to 64 KiB, and would keep all of them alive.
    started.rawHeaders = null;
    // 1xx are notices before the response.
    if (status < 200) return;
    this.#head = { status, headers: isFlat(headers) ? headers : flattenHeaders(headers) };
    if (this.#parts.requestIdHolder)
      this.#parts.requestIdHolder.requestId = requestIdOf(this.#head.headers);
    const refusal = refusalOfHead(this.#head.headers, this.#parts.bytesMax);
    if (refusal !== undefined) return this.#refuse(refusal);
    this.#reader = this.#parts.openReader?.(this.#head, this);
  }

  onResponseData(_: unknown, chunk: Buffer) {
    if (this.#reader !== undefined) return this.#hand(this.#reader, chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > this.#parts.bytesMax) return this.#refuse(refusals.tooLarge);
    if (this.#first === undefined) this.#first = chunk;
    else if (this.#others === undefined) this.#others = [chunk];
    else this.#others.push(chunk);
  }

  onResponseEnd() {
    const first = this.#first ?? nothing;
    const body = this.#others === undefined ? first : Buffer.concat([first, ...this.#others]);
    if (this.#head !== undefined) this.#take({ ...this.#head, body });
    this.#restTimer?.cancel();
    this.#giveBack();
  }

  onResponseError(_: unknown, error: Error) {
    this.#restTimer?.cancel();
    this.#giveBack();
    const code = codeOf(error) ?? error.name;
    this.#fail(isMisplaced(error) ? 'unusable' : kindOf(code), { code, message: error.message });
  }

  /** Effective from the next read. */
  pause() {
    if (this.#isDone) return;
    this.#isHeldBack = true;
    this.#controller?.pause();
  }

  /** Deferred, because the library cannot resume one response while it handles another. */
  resume() {
    if (!this.#isHeldBack) return;
    this.#isHeldBack = false;
    queueMicrotask(() => {
      if (!this.#isHeldBack) this.#controller?.resume();
    });
  }

  #hand(reader: ByteReader, chunk: Buffer) {
    if (this.#isDone) return this.#skip(chunk);
    const { work } = this.#parts;
    const startedMs = work?.nowMs() ?? 0;
    const result = reader.read(chunk);
    work?.note('response', startedMs);
    // The reader may have canceled the exchange.
    if (result === undefined || this.#isDone) return;
    if (result === 'collect') {
      this.#reader = undefined;
      this.onResponseData(undefined, chunk);
      return;
    }
    if (result !== 'end') return this.#refuse(result);
    if (this.#head !== undefined) this.#take({ ...this.#head, body: nothing });
    this.#isHeldBack = false;
    this.#controller?.resume();
    this.#restTimer = this.#parts.clock.after(restMs, () => this.#cutRest());
  }

  /** Bytes after a stream's last event belong to no call. */
  #skip(chunk: Buffer) {
    this.#bytes += chunk.length;
    if (this.#bytes > restBytesMax) this.#cutRest();
  }

  #cutRest() {
    this.#controller?.abort(new Error('the platform sent bytes after the end of the response'));
  }

  #take(whole: SendResponse) {
    const isIntricate = findExcess(whole.body, answerBounds) !== undefined;
    if (isIntricate) this.#fail('unusable', refusals.tooIntricate);
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

const nothing = Buffer.alloc(0);

type LibraryHeaders = Readonly<Record<string, string | string[] | undefined>>;

function flattenHeaders(headers: LibraryHeaders): Readonly<Record<string, string>> {
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
