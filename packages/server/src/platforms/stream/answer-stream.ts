import type { Flow } from '../flow.ts';
import { isRecord, parseJson } from '../json.ts';
import type { AttemptStream, Delta } from '../port.ts';
import {
  type AnswerHead,
  answerBytesMax,
  type ByteReader,
  type Reading,
  refusalOfShape,
  refusals,
} from '../transport.ts';
import { type EventListener, EventReader } from './event-reader.ts';
import type { EventJson, Fold, Tell } from './fold.ts';

/** What one attempt's answer is followed with. */
export interface AnswerStreamParts {
  readonly follower: AttemptStream;
  readonly signal: AbortSignal;
  readonly openFold: (tell: Tell) => Fold;
  /** The most tokens that were asked for. */
  readonly maxTokens: number;
}

/** How a stream ended: with its last event, by the platform's word, or neither. */
export type StreamEnd =
  | { readonly kind: 'whole' }
  | { readonly kind: 'failed'; readonly event: EventJson; readonly isLastEvent: boolean }
  | { readonly kind: 'broken' };

/** What a token's events take beside its text, on the wires that write the most. */
const tokenBytes = 1_024;

const broken = { kind: 'broken' } as const;

/**
 * Follows one attempt's answer where it comes as a stream: from bytes to events, to what a fold
 * makes of them, and to who follows. A class, since each stream has one.
 */
export class AnswerStream implements EventListener, ByteReader {
  readonly #parts: AnswerStreamParts;
  readonly #fold: Fold;
  readonly #events = new EventReader(this);
  readonly #bytesMax: number;
  #head: AnswerHead | undefined;
  #end: StreamEnd = broken;
  #bytes = 0;
  #contentBytes = 0;
  /** The first half of a code point, of text and of reasoning. */
  readonly #halves = { text: '', reasoning: '' };
  #isHeldBack = false;
  #wasHeldBack = false;
  /** What is read came since it was last held back. */
  #isOfNow = true;
  /** Nothing is tried again once somebody was told something. */
  hasTold = false;
  hasToldText = false;

  constructor(parts: AnswerStreamParts) {
    this.#parts = parts;
    this.#bytesMax = answerBytesMax + parts.maxTokens * tokenBytes;
    this.#fold = parts.openFold((delta) => this.tell(delta));
  }

  /** Says of an answer's head whether the rest is a stream. */
  open(head: AnswerHead, flow: Flow): ByteReader | undefined {
    if (!isStream(head)) return undefined;
    this.#head = head;
    this.#parts.follower.onFlow({
      pause: () => {
        this.#isHeldBack = true;
        this.#wasHeldBack = true;
        this.#isOfNow = false;
        flow.pause();
      },
      resume: () => {
        this.#isHeldBack = false;
        flow.resume();
      },
    });
    return this;
  }

  /** The head of a stream; undefined where none came. */
  get head(): AnswerHead | undefined {
    return this.#head;
  }

  /** Whether it was held back since its last event: it may be for that that it broke. */
  get wasHeldBack(): boolean {
    return this.#wasHeldBack;
  }

  get fold(): Fold {
    return this.#fold;
  }

  read(chunk: Buffer): Reading {
    this.#isOfNow = !this.#isHeldBack;
    this.#bytes += chunk.length;
    return this.#bytes > this.#bytesMax ? refusals.tooLarge : this.#events.read(chunk);
  }

  /** How it ended; `isClean` where its bytes ended properly. */
  end(isClean: boolean): StreamEnd {
    if (!isClean || this.#end !== broken) return this.#end;
    const reading = this.#events.end();
    if (reading === undefined && this.#fold.isFinished()) return { kind: 'whole' };
    return this.#end;
  }

  onComment() {
    this.#onLife();
  }

  onEvent(data: Buffer, name: string): Reading {
    this.#onLife();
    if (this.#parts.signal.aborted) return 'end';
    if (data.length === 0) return undefined;
    if (isDone(data)) {
      if (this.#fold.isFinished()) this.#end = { kind: 'whole' };
      return 'end';
    }
    const refusal = refusalOfShape(data);
    if (refusal !== undefined) return refusal;
    const event = parseJson(data.toString())?.value;
    return isRecord(event) ? this.#take(event, name) : refusals.oddEvent;
  }

  #onLife() {
    if (this.#isOfNow) this.#wasHeldBack = false;
    this.#parts.follower.onEvent();
  }

  #take(event: EventJson, name: string): Reading {
    const step = this.#fold.read(event, name);
    if (this.#contentBytes > answerBytesMax) return refusals.tooLarge;
    if (step === 'more') return undefined;
    if (step === 'odd') return refusals.oddEvent;
    this.#end =
      step === 'end'
        ? { kind: 'whole' }
        : { kind: 'failed', event: step.failed, isLastEvent: step.isLastEvent };
    return 'end';
  }

  /** Tells who follows, of text only whole code points. */
  tell(delta: Delta) {
    if (delta.type === 'tool-call') return this.#hand(delta);
    this.#contentBytes += Buffer.byteLength(delta.text);
    if (delta.type === 'tool-input') return this.#hand(delta);
    const { type } = delta;
    const text = this.#halves[type] + delta.text;
    const wholeLength = endsInHalf(text) ? text.length - 1 : text.length;
    this.#halves[type] = text.slice(wholeLength);
    if (wholeLength > 0) this.#hand({ type, text: text.slice(0, wholeLength) });
  }

  #hand(delta: Delta) {
    this.hasTold = true;
    if (delta.type === 'text') this.hasToldText = true;
    this.#parts.follower.onDelta(delta);
  }
}

/** What says nothing of its kind may be one: some servers forget to. */
function isStream({ status, headers }: AnswerHead): boolean {
  const isOfAnotherKind = /json|html/i.test(headers['content-type'] ?? '');
  return status >= 200 && status < 300 && !isOfAnotherKind;
}

/** What ends most streams beside their last event. */
function isDone(data: Buffer): boolean {
  return data.length === 6 && data.toString() === '[DONE]';
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
