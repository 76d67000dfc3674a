import { GrowingText } from '../../lib/growing-text.ts';
import { fieldOf, isRecord } from '../../lib/json-value.ts';
import { hasError } from '../error-body.ts';
import { isPricedTier } from '../evidence/evidence.ts';
import { Statements } from '../evidence/statements.ts';
import type { Delta, ReportedUsage } from '../port.ts';
import type { EventJson, Fold, Step, Tell } from '../stream/fold.ts';
import { readUsage } from './read-usage.ts';
import { ToolCalls } from './tool-calls.ts';

/**
 * Puts the chunks of a chat completion together, to the completion that it would have been at once.
 * Of several choices the first is taken. Servers differ: roles and finish reasons may be empty
 * until they mean something, and counts may stand in any chunk, whatever else is in it.
 */
export class ChunkFold implements Fold {
  readonly #tell: Tell;
  readonly #counts = new Statements(readUsage);
  readonly #calls: ToolCalls;
  readonly #parts = new ContentParts();
  readonly #reasoning = new GrowingText();
  #refusal = '';
  #finish: string | undefined;

  /** `turn` is how many messages came before. */
  constructor(turn: number, tell: Tell) {
    this.#tell = tell;
    this.#calls = new ToolCalls(turn, (piece) => this.#hand(piece));
  }

  read(chunk: EventJson, name: string, text: string): Step {
    if (hasError(chunk)) return { failed: chunk, isLastEvent: false };
    if (name === 'error' || chunk.object === 'error')
      return { failed: { error: chunk }, isLastEvent: false };
    const isFine = this.#readChoices(chunk.choices);
    this.#readCounts(chunk, text);
    return isFine ? 'more' : 'odd';
  }

  isDelta(chunk: EventJson): boolean {
    return !hasError(chunk) && !isStated(chunk.usage);
  }

  isFinished(): boolean {
    return this.#finish !== undefined;
  }

  answer(): EventJson {
    const calls = this.#calls.list();
    const message = {
      role: 'assistant',
      content: this.#parts.content(),
      reasoning_content: this.#reasoning.whole(),
      refusal: this.#refusal,
      tool_calls: calls.length === 0 ? undefined : calls,
    };
    return { choices: [{ message, finish_reason: this.#finish }] };
  }

  final(): ReportedUsage {
    return this.#counts.final();
  }

  stated(): ReportedUsage | undefined {
    return this.#counts.stated();
  }

  /** Counts that are given twice, the second time as `null`, are read too. */
  #readCounts(chunk: EventJson, text: string) {
    const { usage, service_tier: tier } = chunk;
    if (
      isStated(usage) ||
      (usage === null && text.indexOf('"usage"') !== text.lastIndexOf('"usage"'))
    )
      this.#counts.add(chunk, text);
    else if (!isPricedTier(tier)) this.#counts.doubt(otherTier);
  }

  /** False, as from the readers below, for what is not what its name says. */
  #readChoices(choices: unknown): boolean {
    if (!isStated(choices)) return true;
    if (!Array.isArray(choices)) return false;
    return choices.every((choice) => !isFirst(choice) || this.#readChoice(choice));
  }

  #readChoice(choice: unknown): boolean {
    if (!isRecord(choice)) return false;
    const { delta, finish_reason: finish } = choice;
    if (isStated(finish) && typeof finish !== 'string') return false;
    if (typeof finish === 'string' && finish !== '') this.#finish = finish;
    if (!isStated(delta)) return true;
    return isRecord(delta) && this.#readDelta(delta);
  }

  #readDelta(delta: EventJson): boolean {
    // Servers differ in its name.
    const reasoning = delta.reasoning_content ?? delta.reasoning ?? '';
    if (typeof reasoning !== 'string') return false;
    if (reasoning !== '') {
      this.#reasoning.add(reasoning);
      this.#hand({ type: 'reasoning', text: reasoning });
    }
    if (!this.#readContent(delta.content)) return false;
    const { refusal, tool_calls: calls } = delta;
    if (typeof refusal === 'string' && refusal !== '') {
      this.#refusal += refusal;
      this.#hand({ type: 'text', text: refusal });
    }
    if (!isStated(calls)) return true;
    return this.#calls.add(calls);
  }

  #readContent(content: unknown): boolean {
    if (typeof content === 'string') return this.#addPart('text', content);
    if (!isStated(content)) return true;
    if (!Array.isArray(content)) return false;
    this.#parts.isList = true;
    return content.every((part) => {
      if (!isRecord(part) || typeof part.type !== 'string') return false;
      const { type, text, thinking } = part;
      if (type === 'text' && typeof text === 'string') return this.#addPart('text', text);
      if (type !== 'thinking' || !Array.isArray(thinking)) return true;
      return this.#addPart('reasoning', thinking.map(textOf).join(''));
    });
  }

  #addPart(type: 'text' | 'reasoning', text: string): true {
    if (text === '') return true;
    this.#parts.add(type, text);
    this.#hand({ type, text });
    return true;
  }

  #hand(piece: Delta) {
    this.#counts.outdate();
    this.#tell(piece);
  }
}

const otherTier = { reason: 'other-tier', name: 'service_tier' } as const;

/** What is said, in parts where it came as parts. */
class ContentParts {
  isList = false;
  readonly #parts: { readonly type: 'text' | 'reasoning'; readonly text: GrowingText }[] = [];

  add(type: 'text' | 'reasoning', text: string) {
    let part = this.#parts.at(-1);
    if (part?.type !== type) {
      part = { type, text: new GrowingText() };
      this.#parts.push(part);
    }
    part.text.add(text);
  }

  content(): unknown {
    if (!this.isList) return this.#parts[0]?.text.whole() ?? null;
    return this.#parts.map(({ type, text: said }) => {
      const text = said.whole();
      return type === 'text'
        ? { type, text }
        : { type: 'thinking', thinking: [{ type: 'text', text }] };
    });
  }
}

function isStated(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Some servers do not number them. */
function isFirst(choice: unknown): boolean {
  return (fieldOf(choice, 'index') ?? 0) === 0;
}

function textOf(part: unknown): string {
  const text = fieldOf(part, 'text');
  return fieldOf(part, 'type') === 'text' && typeof text === 'string' ? text : '';
}
