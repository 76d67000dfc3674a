import type { CarriedFields, CarryName } from '../../../domain/carry.ts';
import { GrowingText } from '../../../lib/growing-text.ts';
import { isRecord } from '../../../lib/json-value.ts';
import { doubtsAboutTerms } from '../../evidence/evidence.ts';
import { hasUsage, readUsage } from '../../evidence/read-usage.ts';
import { Statements } from '../../evidence/statements.ts';
import type { Delta } from '../../model/content.ts';
import type { ReportedUsage } from '../../model/port.ts';
import { hasError } from '../../redaction/error-body.ts';
import type { EmitDelta, EventJson, Fold, Step } from '../codec/fold.ts';
import { OwnFields, ownFieldsOf } from './own-fields.ts';
import { type AddText, callsOf, messageOf, readContent, type TextType } from './read-message.ts';
import { ToolCalls } from './tool-calls.ts';

/**
 * Rebuilds the unstreamed completion from the first choice. Servers differ: roles and finish
 * reasons may be empty at first, and counts may be in any chunk. Skips what it cannot read.
 */
export class ChunkFold implements Fold {
  readonly #emit: EmitDelta;
  readonly #counts = new Statements(readUsage);
  readonly #calls: ToolCalls;
  readonly #parts = new ContentParts();
  readonly #own = new OwnFields();
  #finish: string | undefined;
  readonly #addText: AddText;
  readonly #store: (fields: CarriedFields) => void;
  /** The chunk's other fields: clients must read its reasoning once, whole or as text. */
  #pendingFields: CarriedFields | undefined;
  #index: unknown;
  #hasMessage = false;
  #hasContent = false;

  /** `turn`: the number of messages before. */
  constructor(turn: number, emit: EmitDelta) {
    this.#emit = emit;
    this.#calls = new ToolCalls(turn, (piece) => this.#hand(piece));
    this.#addText = (type, piece, name) => {
      if (name === undefined) this.#parts.add(type, piece);
      else this.#own.addText(name, piece);
      if (piece === '') return;
      if (type === 'reasoning') this.#handReasoning(piece, name);
      else this.#hand({ type: 'text', text: piece });
    };
    this.#store = (fields) => {
      this.#own.add(fields);
      this.#pendingFields = fields;
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
    return !hasError(chunk) && !isPresent(chunk.usage) && !hasUsage(chunk) && !hasOwn(chunk);
  }

  isFinished(): boolean {
    return this.#finish !== undefined;
  }

  isAnswer(): boolean {
    return this.isFinished() || this.#hasContent || this.reportedSoFar() !== undefined;
  }

  answer(): EventJson {
    const content = { content: this.#parts.list(), tool_calls: this.#calls.list() };
    const message = { ...this.#own.whole(), ...content };
    const read = this.#hasMessage ? { message } : {};
    return { choices: [{ ...read, finish_reason: this.#finish }] };
  }

  final(): ReportedUsage {
    return this.#counts.final();
  }

  reportedSoFar(): ReportedUsage | undefined {
    return this.#counts.reportedSoFar();
  }

  #readCounts(chunk: EventJson, text: string) {
    // An event that differs from an earlier delta only in its text has no counts, like that delta.
    if (text === '') return;
    const { usage } = chunk;
    // Most deltas lack this name, or it is null, and need no more search.
    const at = text.indexOf('sage');
    const mayHave = usage === null ? text.indexOf('sage', at + 1) !== -1 : at !== -1;
    if (isPresent(usage) || (mayHave && (usage === null || hasUsage(chunk))))
      this.#counts.add(chunk, text);
    else this.#counts.doubt(doubtsAboutTerms(chunk));
  }

  #readChoice(choice: unknown) {
    if (!isRecord(choice)) return;
    // Some servers omit the index.
    const { index, delta, finish_reason: finish } = choice;
    this.#index ??= index ?? 0;
    if (this.#index !== (index ?? 0)) return;
    if (typeof finish === 'string' && finish !== '') this.#finish = finish;
    // Some servers repeat the whole message after its parts.
    if (!isRecord(delta) && this.#hasContent) return;
    const message = isRecord(delta) ? delta : messageOf(choice);
    if (message === undefined) return;
    this.#hasMessage = true;
    readContent(message, this.#addText, this.#store);
    if (this.#pendingFields !== undefined) this.#handPending(this.#pendingFields);
    for (const piece of callsOf(message)) this.#calls.add(piece);
  }

  #handReasoning(text: string, name: CarryName | undefined) {
    if (this.#pendingFields === undefined || name === undefined)
      this.#hand({ type: 'reasoning', text, name });
    else this.#handPending({ [name]: text, ...this.#pendingFields });
  }

  #handPending(fields: CarriedFields) {
    this.#pendingFields = undefined;
    this.#hand({ type: 'own', text: JSON.stringify(fields) });
  }

  #hand(piece: Delta) {
    this.#hasContent = true;
    this.#counts.outdate();
    this.#emit(piece);
  }
}

function hasOwn({ choices }: EventJson): boolean {
  if (!Array.isArray(choices)) return false;
  return choices.some((choice) => {
    const message = messageOf(choice) ?? {};
    return [message, ...callsOf(message)].some((fields) => ownFieldsOf(fields) !== undefined);
  });
}

class ContentParts {
  readonly #parts: { readonly type: TextType; readonly text: GrowingText }[] = [];

  add(type: TextType, text: string) {
    let part = this.#parts.at(-1);
    if (part?.type !== type) {
      part = { type, text: new GrowingText() };
      this.#parts.push(part);
    }
    part.text.add(text);
  }

  list(): readonly object[] {
    return this.#parts.map(({ type, text: grown }) => {
      const text = grown.whole();
      if (type === 'reasoning') return { type: 'thinking', thinking: [{ type: 'text', text }] };
      return type === 'refusal' ? { type, refusal: text } : { type, text };
    });
  }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
