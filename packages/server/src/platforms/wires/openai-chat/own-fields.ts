import { type CarriedFields, type CarryName, carriedFieldsOf } from '../../../domain/carry.ts';
import { GrowingText } from '../../../lib/growing-text.ts';
import { isRecord } from '../../../lib/json-value.ts';

type Fields = Readonly<Record<string, unknown>>;

export function ownFieldsOf(fields: Fields): CarriedFields | undefined {
  const present = carriedFieldsOf(fields, names);
  if (present === undefined) return undefined;
  // Some servers send an empty list first.
  const filled = Object.entries(present).filter(([, value]) => !isEmptyList(value));
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}

const names = ['reasoning_details', 'thinking_blocks', 'extra_content'] as const;

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

export class OwnFields {
  readonly #texts = new Map<CarryName, GrowingText>();
  readonly #lists = new Map<string, Record<string, unknown>[]>();
  readonly #others: Record<string, unknown> = {};

  addText(name: CarryName, text: string) {
    const known = this.#texts.get(name) ?? new GrowingText();
    this.#texts.set(name, known);
    known.add(text);
  }

  add(fields: CarriedFields) {
    for (const [name, value] of Object.entries(fields)) {
      if (Array.isArray(value)) this.#addItems(name, value.filter(isRecord));
      else this.#others[name] = value;
    }
  }

  whole(): Fields {
    const texts = [...this.#texts].map(([name, text]) => [name, text.whole()] as const);
    return {
      ...Object.fromEntries(texts),
      ...this.#others,
      ...Object.fromEntries(this.#lists),
    };
  }

  #addItems(name: string, items: readonly Fields[]) {
    const list = this.#lists.get(name) ?? [];
    this.#lists.set(name, list);
    for (const item of items) {
      const last = list.at(-1);
      if (last !== undefined && isPieceOf(last, item)) join(last, item);
      else list.push({ ...item });
    }
  }
}

const pieceNames = ['text', 'thinking', 'summary', 'data'] as const;

function isPieceOf(last: Fields, item: Fields): boolean {
  if (item.type !== last.type || item.index !== last.index) return false;
  const isOther = typeof item.id === 'string' && typeof last.id === 'string' && item.id !== last.id;
  return !isOther && !isSigned(last);
}

function isSigned({ signature, data }: Fields): boolean {
  return [signature, data].some((value) => typeof value === 'string' && value !== '');
}

function join(last: Record<string, unknown>, item: Fields) {
  for (const [name, value] of Object.entries(item)) {
    const before = last[name];
    const isPiece = pieceNames.some((known) => known === name);
    if (isPiece && typeof before === 'string' && typeof value === 'string') {
      last[name] = before + value;
    } else if (value !== undefined && value !== null && value !== '') last[name] = value;
  }
}
