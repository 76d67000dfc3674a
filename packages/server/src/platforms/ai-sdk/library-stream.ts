import type { Flow } from '../http/flow.ts';
import {
  type AnswerHead,
  type ByteReader,
  type ReadResult,
  refusalOfShape,
  refusals,
} from '../http/transport.ts';
import { isDone } from '../wires/stream/answer-stream.ts';
import { type EventListener, EventReader } from '../wires/stream/event-reader.ts';
import { type Follower, streamBytesFor } from '../wires/stream/follower.ts';

/** Above this many waiting bytes, the platform's stream pauses. */
const waitingBytesMax = 65_536;

/**
 * Checks events before the library parses them, so no huge or deep event delays all calls. A
 * library that does not read pauses the platform.
 */
export class LibraryStream implements ByteReader, EventListener {
  readonly body: ReadableStream<Uint8Array>;
  readonly #follower: Follower;
  readonly #bytesMax: number;
  readonly #events = new EventReader(this);
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  lastEvent: Buffer | undefined;
  #bytes = 0;
  #isCancelled = false;
  isDone = false;

  constructor(flow: Flow, follower: Follower, maxTokens: number) {
    this.#follower = follower;
    this.#bytesMax = streamBytesFor(maxTokens);
    this.#flow = flow;
    this.body = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => flow.resume(),
        cancel: () => {
          this.#isCancelled = true;
          flow.resume();
        },
      },
      { highWaterMark: waitingBytesMax, size: (chunk) => chunk?.byteLength ?? 0 },
    );
  }

  readonly #flow: Flow;

  read(chunk: Buffer): ReadResult {
    if (this.#isCancelled) return 'end';
    this.#follower.onBytes();
    this.#bytes += chunk.length;
    if (this.#bytes > this.#bytesMax || this.#follower.isFull()) return refusals.tooLarge;
    const result = this.#events.read(chunk);
    if (result !== undefined && result !== 'end') return result;
    this.#controller?.enqueue(chunk);
    if ((this.#controller?.desiredSize ?? 0) <= 0) this.#flow.pause();
    return result;
  }

  onComment() {
    this.#follower.onEvent();
  }

  onEvent(data: Buffer): ReadResult {
    this.#follower.onEvent();
    if (!isDone(data)) {
      this.lastEvent = data;
      return refusalOfShape(data);
    }
    this.isDone = true;
    return 'end';
  }

  close() {
    if (!this.#isCancelled) this.#controller?.close();
  }

  fail(error: Error) {
    if (!this.#isCancelled) this.#controller?.error(error);
  }
}

export function isEventStream({ status, headers }: AnswerHead): boolean {
  const type = headers['content-type'] ?? '';
  return status >= 200 && status < 300 && /^text\/event-stream\b/i.test(type);
}
