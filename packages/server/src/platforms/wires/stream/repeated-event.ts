import { isRecord, parseJson } from '../../../lib/json-value.ts';
import type { EventJson } from '../codec/fold.ts';

/** Nearly all events differ from an earlier one in a single string, so only that text is parsed. */
export class RepeatedEvent {
  #last = nothing;
  #form: Form | undefined;
  #triesLeft = triesMax;

  /** Valid until the next read; undefined: parse it. */
  read(data: Buffer): EventJson | undefined {
    const form = this.#form;
    if (form === undefined) return undefined;
    const { head, tail } = form;
    const end = data.length - tail.length;
    if (end < head.length || head.compare(data, 0, head.length) !== 0) return undefined;
    if (tail.compare(data, end) !== 0) return undefined;
    const text = data.toString('utf8', head.length, end);
    if (isWritten(text)) return undefined;
    form.holder[form.name] = text;
    this.#triesLeft = triesMax;
    return form.event;
  }

  /** Call only for events of which only texts are used. */
  learn(data: Buffer) {
    if (this.#triesLeft === 0 || data.length > formBytesMax) return;
    const at = firstDifference(this.#last, data);
    if (at > 0) {
      this.#triesLeft -= 1;
      this.#form = formOf(data, at) ?? this.#form;
    }
    // A copy, because the data is a slice of everything that was read with it.
    this.#last = Buffer.from(data);
  }
}

interface Form {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly event: EventJson;
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

const triesMax = 8;
const formBytesMax = 4_096;
const nothing = Buffer.alloc(0);
const quote = 0x22;
const mark = 'the text of a delta';

/** `at` is in the changing text or next to it. */
function formOf(data: Buffer, at: number): Form | undefined {
  const begin = data.lastIndexOf(quote, at - 1) + 1;
  const end = data.indexOf(quote, at);
  if (begin === 0 || end === -1) return undefined;
  const [head, tail] = [Buffer.from(data.subarray(0, begin)), Buffer.from(data.subarray(end))];
  // The text between may be a part of a string, or a name: only the parser can decide.
  const event = parseJson(`${head}${mark}${tail}`)?.value;
  if (!isRecord(event) || !isOnce(mark, JSON.stringify(event))) return undefined;
  const location = findMark(event);
  return location === undefined ? undefined : { head, tail, event, ...location };
}

function isOnce(part: string, text: string): boolean {
  return text.indexOf(part) === text.lastIndexOf(part);
}

function findMark(value: unknown): Pick<Form, 'holder' | 'name'> | undefined {
  if (!isHolder(value)) return undefined;
  for (const [name, item] of Object.entries(value)) {
    const nested = item === mark ? { holder: value, name } : findMark(item);
    if (nested !== undefined) return nested;
  }
  return undefined;
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function firstDifference(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one[at] === other[at]) at += 1;
  return at === one.length && at === other.length ? 0 : at;
}

function isWritten(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === quote || code === 0x5c) return true;
  }
  return false;
}
