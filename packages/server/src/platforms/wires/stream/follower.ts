import type { Flow } from '../../http/flow.ts';
import { answerBytesMax } from '../../http/transport.ts';
import type { Delta, ModelContent, ToolInput } from '../../model/content.ts';
import type { AttemptStream } from '../../model/port.ts';
import { writtenInput } from '../../model/written-calls.ts';
import type { Finish } from '../../statements/finish-reasons.ts';

/** What a token's events take beside its text, on the wires that write the most. */
const tokenBytes = 1_024;

/** The most bytes of a stream, its events included, that was asked for so many tokens. */
export function streamBytesFor(maxTokens: number): number {
  return answerBytesMax + maxTokens * tokenBytes;
}

/** The follower of one attempt's answer, and what it was told of it. */
export class Follower {
  readonly #stream: AttemptStream;
  #contentBytes = 0;
  /** The first half of a code point, of text and of reasoning. */
  readonly #halves = { text: '', reasoning: '' };
  /** Tool calls that were told of, and whether with any of their JSON. */
  readonly #inputs = new Map<number, boolean>();
  #isHeldBack = false;
  /** What is read came since the platform was last held back. */
  #isOfNow = true;
  /** Held back since the last event: it may be for that that a stream broke. */
  wasHeldBack = false;
  /** The platform has begun its answer. */
  hasContent = false;
  /** A caller was shown some of it: nothing is tried again. */
  hasShown = false;
  /** Text has come in pieces, be it half a code point. */
  hasText = false;

  constructor(stream: AttemptStream) {
    this.#stream = stream;
  }

  /** Gives the follower what holds the platform back. */
  begin(flow: Flow) {
    this.#stream.onFlow({
      pause: () => {
        this.#isHeldBack = true;
        this.#isOfNow = false;
        this.wasHeldBack = true;
        flow.pause();
      },
      resume: () => {
        this.#isHeldBack = false;
        flow.resume();
      },
    });
  }

  /** Bytes have come. */
  onBytes() {
    this.#isOfNow = !this.#isHeldBack;
  }

  /** An event has come. */
  onEvent() {
    if (this.#isOfNow) this.wasHeldBack = false;
    this.#stream.onEvent();
  }

  /** True once more was said than is taken. */
  isFull(): boolean {
    return this.#contentBytes > answerBytesMax;
  }

  /** Tells the follower, of text only whole code points. */
  tell(delta: Delta) {
    if (delta.type === 'tool-call' || delta.type === 'event') return this.#hand(delta);
    this.#contentBytes += Buffer.byteLength(delta.text);
    if (delta.type === 'tool-input') return this.#handInput(delta);
    if (delta.type === 'own') return this.#hand(delta);
    const { type } = delta;
    if (type === 'text') this.hasText = true;
    const text = this.#halves[type] + delta.text;
    const wholeLength = endsInHalf(text) ? text.length - 1 : text.length;
    this.#halves[type] = text.slice(wholeLength);
    if (wholeLength > 0) this.#hand({ ...delta, text: text.slice(0, wholeLength) });
  }

  /** Tells the tool calls of the whole answer, with what no piece had of them. */
  tellCalls(answer: { readonly content: readonly ModelContent[]; readonly finish: Finish }) {
    let index = 0;
    for (const part of answer.content) {
      if (part.type !== 'tool-call') continue;
      const { toolCallId, toolName } = part;
      const text = writtenInput(part.input, answer.finish);
      const hasInput = this.#inputs.get(index);
      const call = hasInput === undefined ? { toolCallId, toolName } : {};
      if (hasInput !== true) this.tell({ type: 'tool-input', index, ...call, text });
      this.#hand(part);
      index += 1;
    }
  }

  #handInput(delta: ToolInput) {
    const { index, text } = delta;
    if (text !== '' || !this.#inputs.has(index)) this.#inputs.set(index, text !== '');
    this.#hand(delta);
  }

  #hand(delta: Delta) {
    this.hasContent = true;
    if (this.#stream.onDelta(delta) !== false) this.hasShown = true;
  }
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
