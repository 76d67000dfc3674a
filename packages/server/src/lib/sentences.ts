import { didYouMean, listed } from './nearest.ts';

export interface SchemaFacts {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaFacts[];
  readonly properties?: Readonly<Record<string, SchemaFacts>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaFacts | boolean;
  readonly patternProperties?: unknown;
  readonly items?: SchemaFacts;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  /** The gateway's keyword: the clause after "must be", such as "one line of visible text". */
  readonly rule?: string;
}

export function kindOf(schema: SchemaFacts): string {
  if (schema.type !== undefined) return schema.const === undefined ? schema.type : 'literal';
  if (schema.anyOf !== undefined) return 'union';
  if (schema.enum !== undefined) return 'enum';
  return schema.const === undefined ? 'any' : 'literal';
}

const names: Readonly<Record<string, string>> = {
  string: 'a string',
  array: 'a list',
  object: 'an object',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

/** The required type of a value in words, without the limits of a number. */
export function typeName(schema: SchemaFacts): string {
  const { anyOf = [], enum: words = [] } = schema;
  switch (kindOf(schema)) {
    case 'literal':
      return JSON.stringify(schema.const);
    case 'enum':
      return words.map((word) => JSON.stringify(word)).join(' or ');
    case 'union':
      return [...new Set(anyOf.map(typeName))].join(' or ');
    default:
      return names[kindOf(schema)] ?? 'another value';
  }
}

/** The limits of a number, in words that follow its kind. */
export function rangeOf({ minimum, maximum, exclusiveMinimum }: SchemaFacts): string {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  if (minimum === undefined) return maximum === undefined ? '' : ` of at most ${maximum}`;
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}

export function mustBe(what: string, shown: string): string {
  return `must be ${what}; it is ${shown}`;
}

interface WrongWord {
  readonly word: unknown;
  readonly shown?: string;
  /** The group of the words, such as `the platforms `. */
  readonly group?: string | undefined;
}

/** The sentence for a word outside the list; names at most `max` words. */
export function mustBeOneOf(
  words: readonly string[],
  { word, shown = show(word), group = '' }: WrongWord,
  max = words.length,
): string {
  const hint = typeof word === 'string' ? didYouMean(word, words) : '';
  return `${mustBe(`one of ${group}${listed(words, max)}`, shown)}${hint && `; ${hint}`}`;
}

export function unknownName(
  noun: 'field' | 'key',
  name: string,
  names: readonly string[],
  max = names.length,
): string {
  const [all, hint] = [listed(names, max), didYouMean(name, names)];
  const cure = all === '' ? 'remove it' : `write one of ${all}`;
  return `is an unknown ${noun}; ${hint === '' ? cure : `${hint} The ${noun}s are ${all}`}`;
}

export function tooMany(max: number, noun: string, count: number): string {
  return `takes at most ${max} ${noun}; it has ${count}`;
}

/** Shows a value in a message: short, and never a whole prompt. */
export function show(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quote(value, 40);
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

export function quote(text: string, charactersMax: number): string {
  return JSON.stringify(clip(text, charactersMax));
}

/** The beginning of a text, without half of a character. */
export function clip(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax).toWellFormed()}…` : text;
}
