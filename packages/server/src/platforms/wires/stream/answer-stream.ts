import { isRecord, parseJson } from '../../../lib/json-value.ts';
import type { Flow } from '../../http/flow.ts';
import {
  type AnswerHead,
  type ByteReader,
  type ReadResult,
  refusalOfShape,
  refusals,
} from '../../http/transport.ts';
import { readError } from '../../redaction/error-body.ts';
import type { EventJson, Fold } from '../codec/fold.ts';
import type { RelayedEvents } from '../codec/relay.ts';
import { type EventListener, EventReader } from './event-reader.ts';
import { kindOfBody, withoutNaN } from './first-bytes.ts';
import { type Follower, streamBytesFor } from './follower.ts';
import { RepeatedEvent } from './repeated-event.ts';

export interface AnswerStreamParts {
  readonly follower: Follower;
  readonly signal: AbortSignal;
  readonly fold: Fold;
  readonly maxTokens: number;
  readonly events?: RelayedEvents | undefined;
}

export type StreamEnd =
  | { readonly kind: 'whole' }
  | { readonly kind: 'failed'; readonly event: unknown; readonly isLastEvent: boolean }
  | { readonly kind: 'broken' };

interface OpenedStream {
  readonly head: AnswerHead;
  readonly flow: Flow;
  readonly isJson: boolean;
}

const broken = { kind: 'broken' } as const;

/** Connects bytes, events, fold and follower. A class for speed: each stream has one. */
export class AnswerStream implements EventListener, ByteReader {
  readonly #parts: AnswerStreamParts;
  readonly #events = new EventReader(this);
  readonly #repeated: RepeatedEvent | undefined;
  #head: AnswerHead | undefined;
  #opened: OpenedStream | undefined;
  #end: StreamEnd = broken;
  #lastEvent: Parameters<RelayedEvents['last']>[0];
  #bytes = 0;

  constructor(parts: AnswerStreamParts) {
    this.#parts = parts;
    this.#repeated = parts.events === undefined ? new RepeatedEvent() : undefined;
  }

  /** Undefined when the head excludes a stream; else the first bytes decide. */
  open(head: AnswerHead, flow: Flow): ByteReader | undefined {
    const type = head.headers['content-type'] ?? '';
    if (head.status < 200 || head.status >= 300 || /html/i.test(type)) return undefined;
    const isJson = /json/i.test(type);
    this.#opened = { head, flow, isJson };
    if (!isJson) this.#begin(head, flow);
    return this;
  }

  get head(): AnswerHead | undefined {
    return this.#head;
  }

  /** Sent at settlement; undefined unless relayed. */
  get lastEvents(): string | undefined {
    return this.#parts.events?.last(this.#lastEvent);
  }

  read(chunk: Buffer): ReadResult {
    if (this.#opened !== undefined && !this.#isStream(this.#opened, chunk)) return 'collect';
    this.#parts.follower.onBytes();
    this.#bytes += chunk.length;
    if (this.#bytes > streamBytesFor(this.#parts.maxTokens)) return refusals.tooLarge;
    return this.#events.read(chunk);
  }

  end(isClean: boolean): StreamEnd {
    if (!isClean || this.#end !== broken) return this.#end;
    const result = this.#events.end();
    if (result === undefined && this.#parts.fold.isFinished()) return { kind: 'whole' };
    return this.#end;
  }

  #begin(head: AnswerHead, flow: Flow) {
    this.#head = head;
    this.#parts.follower.begin(flow);
  }

  #isStream({ head, flow, isJson }: OpenedStream, chunk: Buffer): boolean {
    const kind = kindOfBody(chunk);
    if (kind === undefined) return true;
    this.#opened = undefined;
    const isStream = kind === 'events' || (kind === 'other' && !isJson);
    if (!isStream) this.#head = undefined;
    else if (isJson) this.#begin(head, flow);
    return isStream;
  }

  onComment() {
    this.#parts.follower.onEvent();
  }

  onEvent(data: Buffer, name: string): ReadResult {
    this.#parts.follower.onEvent();
    if (this.#parts.signal.aborted) return 'end';
    if (data.length === 0) return undefined;
    if (isDone(data)) return this.#done();
    const repeated = this.#repeated?.read(data);
    if (repeated !== undefined) return this.#take(repeated, '', name);
    const refusal = refusalOfShape(data);
    if (refusal !== undefined) return refusal;
    const text = data.toString();
    const event = (parseJson(text) ?? parseJson(withoutNaN(text)))?.value;
    const error = this.#errorIn(event, name, text);
    if (error !== undefined) {
      this.#end = { kind: 'failed', event: error, isLastEvent: false };
      return 'end';
    }
    if (!isRecord(event)) return this.#readWord(text, name);
    if (this.#parts.fold.isDelta(event)) this.#repeated?.learn(data);
    return this.#take(event, text, name);
  }

  /** A choice's error counts only before content. */
  #errorIn(event: unknown, name: string, text: string): unknown {
    const error = readError(event);
    if (error === undefined) return name === 'error' ? { error: event ?? text } : undefined;
    return error.isOfChoice && this.#parts.follower.hasContent ? undefined : event;
  }

  #done(): ReadResult {
    const { fold, events } = this.#parts;
    // A caller of relayed events waits for the last event of the wire.
    const isWhole = events === undefined ? fold.isAnswer() : fold.isFinished();
    if (isWhole) this.#end = { kind: 'whole' };
    return 'end';
  }

  /** Data other than an object: a sign of life, or the end. */
  #readWord(text: string, name: string): ReadResult {
    const word = text.trim().toLowerCase().replaceAll('"', '');
    if (word === '[done]') return this.#done();
    return word === '' || signsOfLife.has(word) || signsOfLife.has(name)
      ? undefined
      : refusals.unexpectedEvent;
  }

  #take(event: EventJson, data: string, name: string): ReadResult {
    const { fold, follower, events } = this.#parts;
    const step = fold.read(event, name, data);
    if (follower.isFull()) return refusals.tooLarge;
    if (step === 'more') {
      const text = events?.next(event, data, name);
      if (text !== undefined) follower.emit({ type: 'event', text });
      return undefined;
    }
    if (events !== undefined) this.#lastEvent = { json: event, data, name };
    this.#end =
      step === 'end'
        ? { kind: 'whole' }
        : { kind: 'failed', event: step.failed, isLastEvent: step.isLastEvent };
    return 'end';
  }
}

const signsOfLife = new Set(['ping', 'pong', 'keepalive', 'keep-alive', 'heartbeat']);

export function isDone(data: Buffer): boolean {
  return data.length === 6 && data.toString() === '[DONE]';
}
