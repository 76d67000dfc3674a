import type { CarriedFields, CarryName } from '../../../domain/carry.ts';
import { GrowingText } from '../../../lib/growing-text.ts';
import { isRecord } from '../../../lib/json-value.ts';
import { doubtsAboutTerms } from '../../evidence/evidence.ts';
import { hasUsage, readUsage } from '../../evidence/read-usage.ts';
import { Statements } from '../../evidence/statements.ts';
import type { Delta } from '../../model/content.ts';
import type { ReportedUsage } from '../../model/port.ts';
import { hasError } from '../../redaction/error-body.ts';
import type { EventJson, Fold, Step, Tell } from '../codec/fold.ts';
import { OwnFields, ownFieldsOf } from './own-fields.ts';
import { callsOf, messageOf, readContent, type SaidType, type Say } from './read-message.ts';
import { ToolCalls } from './tool-calls.ts';

/**
 * Rebuilds the unstreamed completion from the first choice. Servers differ: roles and finish
 * reasons may be empty at first, and counts may be in any chunk. Skips what it cannot read.
 */
export class ChunkFold implements Fold {
  readonly #tell: Tell;
  readonly #counts = new Statements(readUsage);
  readonly #calls: ToolCalls;
  readonly #parts = new ContentParts();
  readonly #own = new OwnFields();
  #finish: string | undefined;
  readonly #say: Say;
  readonly #keep: (fields: CarriedFields) => void;
  /** The chunk's other fields: clients must read its reasoning once, whole or as text. */
  #kept: CarriedFields | undefined;
  #index: unknown;
  #hasMessage = false;
  #hasSaid = false;

  /** `turn`: how many messages came before. */
  constructor(turn: number, tell: Tell) {
    this.#tell = tell;
    this.#calls = new ToolCalls(turn, (piece) => this.#hand(piece));
    this.#say = (type, said, name) => {
      if (name === undefined) this.#parts.add(type, said);
      else this.#own.addText(name, said);
      if (said === '') return;
      if (type === 'reasoning') this.#handReasoning(said, name);
      else this.#hand({ type: 'text', text: said });
    };
    this.#keep = (fields) => {
      this.#own.add(fields);
      this.#kept = fields;
    };
  }

  read(chunk: EventJson, name: string, text: string): Step {
    if (hasError(chunk)) return { failed: chunk, isLastEvent: false };
    if (name === 'error' || chunk.object === 'error')
      return { failed: { error: chunk }, isLastEvent: false };
    const { choices } = chunk;
    if (Array.isArray(choices)) for (const choice of choices) this.#readChoice(choice);
    this.#readCounts(chunk, text);
    return 'more';
  }

  isDelta(chunk: EventJson): boolean {
    return !hasError(chunk) && !isStated(chunk.usage) && !hasUsage(chunk) && !hasOwn(chunk);
  }

  isFinished(): boolean {
    return this.#finish !== undefined;
  }

  isAnswer(): boolean {
    return this.isFinished() || this.#hasSaid || this.stated() !== undefined;
  }

  answer(): EventJson {
    const said = { content: this.#parts.list(), tool_calls: this.#calls.list() };
    const message = { ...this.#own.whole(), ...said };
    const read = this.#hasMessage ? { message } : {};
    return { choices: [{ ...read, finish_reason: this.#finish }] };
  }

  final(): ReportedUsage {
    return this.#counts.final();
  }

  stated(): ReportedUsage | undefined {
    return this.#counts.stated();
  }

  #readCounts(chunk: EventJson, text: string) {
    // What differs from an earlier delta in its text has no counts, as that had none.
    if (text === '') return;
    const { usage } = chunk;
    // Most deltas have no such name, or one that is null, and are not searched for more.
    const at = text.indexOf('sage');
    const mayHave = usage === null ? text.indexOf('sage', at + 1) !== -1 : at !== -1;
    if (isStated(usage) || (mayHave && (usage === null || hasUsage(chunk))))
      this.#counts.add(chunk, text);
    else this.#counts.doubt(doubtsAboutTerms(chunk));
  }

  #readChoice(choice: unknown) {
    if (!isRecord(choice)) return;
    // Some servers do not number them.
    const { index, delta, finish_reason: finish } = choice;
    this.#index ??= index ?? 0;
    if (this.#index !== (index ?? 0)) return;
    if (typeof finish === 'string' && finish !== '') this.#finish = finish;
    // A whole message behind its pieces says them again.
    if (!isRecord(delta) && this.#hasSaid) return;
    const said = isRecord(delta) ? delta : messageOf(choice);
    if (said === undefined) return;
    this.#hasMessage = true;
    readContent(said, this.#say, this.#keep);
    if (this.#kept !== undefined) this.#handKept(this.#kept);
    for (const piece of callsOf(said)) this.#calls.add(piece);
  }

  #handReasoning(text: string, name: CarryName | undefined) {
    if (this.#kept === undefined || name === undefined)
      this.#hand({ type: 'reasoning', text, name });
    else this.#handKept({ [name]: text, ...this.#kept });
  }

  #handKept(fields: CarriedFields) {
    this.#kept = undefined;
    this.#hand({ type: 'own', text: JSON.stringify(fields) });
  }

  #hand(piece: Delta) {
    this.#hasSaid = true;
    this.#counts.outdate();
    this.#tell(piece);
  }
}

function hasOwn({ choices }: EventJson): boolean {
  if (!Array.isArray(choices)) return false;
  return choices.some((choice) => {
    const said = messageOf(choice) ?? {};
    return [said, ...callsOf(said)].some((fields) => ownFieldsOf(fields) !== undefined);
  });
}

class ContentParts {
  readonly #parts: { readonly type: SaidType; readonly text: GrowingText }[] = [];

  add(type: SaidType, text: string) {
    let part = this.#parts.at(-1);
    if (part?.type !== type) {
      part = { type, text: new GrowingText() };
      this.#parts.push(part);
    }
    part.text.add(text);
  }

  list(): readonly object[] {
    return this.#parts.map(({ type, text: said }) => {
      const text = said.whole();
      if (type === 'reasoning') return { type: 'thinking', thinking: [{ type: 'text', text }] };
      return type === 'refusal' ? { type, refusal: text } : { type, text };
    });
  }
}

function isStated(value: unknown): boolean {
  return value !== undefined && value !== null;
}
