import type { Flow } from '../../http/flow.ts';
import { answerBytesMax } from '../../http/transport.ts';
import type { Delta, ModelContent, ToolInput } from '../../model/content.ts';
import type { AttemptStream } from '../../model/port.ts';
import { writtenInput } from '../../model/written-calls.ts';
import type { Finish } from '../../statements/finish-reasons.ts';

/** Event overhead per token on the most verbose wires. */
const tokenBytes = 1_024;

export function streamBytesFor(maxTokens: number): number {
  return answerBytesMax + maxTokens * tokenBytes;
}

export class Follower {
  readonly #stream: AttemptStream;
  #contentBytes = 0;
  readonly #halves = { text: '', reasoning: '' };
  readonly #inputs = new Map<number, boolean>();
  #isHeldBack = false;
  /** The data arrived after the platform's last pause. */
  #isOfNow = true;
  /** Since the last event: the pause may have broken the stream. */
  wasHeldBack = false;
  hasContent = false;
  /** The caller saw a part: no retry. */
  hasShown = false;
  /** Includes half a code point. */
  hasText = false;

  constructor(stream: AttemptStream) {
    this.#stream = stream;
  }

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

  onBytes() {
    this.#isOfNow = !this.#isHeldBack;
  }

  onEvent() {
    if (this.#isOfNow) this.wasHeldBack = false;
    this.#stream.onEvent();
  }

  isFull(): boolean {
    return this.#contentBytes > answerBytesMax;
  }

  emit(delta: Delta) {
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

  emitCalls(answer: { readonly content: readonly ModelContent[]; readonly finish: Finish }) {
    let index = 0;
    for (const part of answer.content) {
      if (part.type !== 'tool-call') continue;
      const { toolCallId, toolName } = part;
      const text = writtenInput(part.input, answer.finish);
      const hasInput = this.#inputs.get(index);
      const call = hasInput === undefined ? { toolCallId, toolName } : {};
      if (hasInput !== true) this.emit({ type: 'tool-input', index, ...call, text });
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
