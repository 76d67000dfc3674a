import type { Json, Wire } from '../../../test/calls/support/wires.ts';

/** Ways in which a platform can break a row of a table. */
export const ways = [
  ...(['wrong type', 'twice', 'negative', 'huge', 'wrong place'] as const),
  ...(['after content', 'null', 'fraction', 'empty', 'nested'] as const),
] as const;

export type Way = (typeof ways)[number];

/** A platform's response; its texts are JSON, and may contain a name twice. */
export interface Response {
  readonly whole: string;
  readonly events: readonly string[];
}

/** A broken row, as it appears in an API format. */
export interface Broken {
  /** The table and the row. */
  readonly name: string;
  readonly way: Way;
  readonly on: (wire: Wire) => Response;
  /** Whether its cost cannot be exact there: by the rule of docs/ledger.md, "Evidence". */
  readonly isDoubtful: (wire: Wire, isStream: boolean) => boolean;
}

/** Two values of one name, one after the other. */
export class Twice {
  readonly first: unknown;
  readonly second: unknown;

  constructor(first: unknown, second: unknown) {
    this.first = first;
    this.second = second;
  }
}

/** The JSON of a value that may have a name twice. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (member === undefined) return [];
    const values = member instanceof Twice ? [member.first, member.second] : [member];
    return values.map((one) => `${JSON.stringify(name)}:${textOf(one)}`);
  });
  return `{${members.join(',')}}`;
}

/**
 * A broken number in the position of a number; `twice` has the valid number first, and another
 * second.
 */
export function brokenNumber(way: Way, good: number, other: number): unknown {
  switch (way) {
    case 'wrong type':
      return 'x';
    case 'twice':
      return new Twice(good, other);
    case 'negative':
      return -good;
    case 'huge':
      return 1e300;
    case 'fraction':
      return good + 0.5;
    default:
      return emptyOr(way, good);
  }
}

/**
 * A broken word in the position of a word; `twice` has the valid word first, and another second.
 */
export function brokenWord(way: Way, good: string, other: string): unknown {
  switch (way) {
    case 'wrong type':
      return 7;
    case 'twice':
      return new Twice(good, other);
    case 'negative':
      return -1;
    case 'huge':
      return good.repeat(1_000);
    case 'fraction':
      return 0.5;
    default:
      return emptyOr(way, good);
  }
}

function emptyOr(way: Way, good: unknown): unknown {
  if (way === 'null') return null;
  if (way === 'empty') return '';
  return way === 'nested' ? { value: good } : good;
}

/** An object with a value at a path, in which `0` is the first item of a list. */
export function placed(path: string, value: unknown): Json {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { [name]: value };
  const below = placed(rest.join('.'), value);
  return { [name]: rest[0] === '0' ? [below['0']] : below };
}

/**
 * A response of a wire format with a `usage` and more at its top, complete or in its last event.
 */
export function answered(wire: Wire, usage: unknown, top: Json): Response {
  const { whole, events } = wire.answer(usage, top);
  const textOfEvent = (event: unknown) => (typeof event === 'string' ? event : textOf(event));
  return { whole: textOf(whole), events: events.map(textOfEvent) };
}

/** The same with an event behind the content; a complete response has it at its end. */
export function answeredThen(wire: Wire, usage: unknown, late: Json): Response {
  const { whole, events } = answered(wire, usage, {});
  const at = events.length - (wire.model === 'responses' ? 1 : 2);
  return {
    whole: `${whole.slice(0, -1)},${textOf(late).slice(1)}`,
    events: events.toSpliced(at, 0, lateEvent(wire, late)),
  };
}

function lateEvent({ model }: Wire, late: Json): string {
  if (model === 'responses') return textOf({ type: 'response.in_progress', response: late });
  return textOf(model === 'messages' ? { type: 'message_delta', delta: {}, ...late } : late);
}

/** The valid counts of a response in this wire format, next to the broken row. */
export function countsOf({ model }: Wire): Json {
  return model === 'chat'
    ? { prompt_tokens: 1_000, completion_tokens: 10 }
    : { input_tokens: 1_000, output_tokens: 10 };
}
