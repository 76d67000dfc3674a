import { isRecord } from '../lib/json-value.ts';
import type { SchemaFacts } from '../lib/sentences.ts';
import { isLinearPattern, readPattern } from './pattern.ts';

export type Dialect = 'draft-07' | '2020-12';

/**
 * `itself`: the value; `named`: one part by name or index; `within`: any part; `nothing`: only
 * references use it.
 */
export type Scope = 'itself' | 'named' | 'within' | 'nothing';

export interface KeywordVisitor {
  schema(schema: unknown, scope: Scope, suffix?: string): void;
  reference(text: string): void;
  pattern(text: string): void;
  compared(values: unknown): void;
  /** Time is not bounded by schema and answer size. */
  costly(): void;
}

/** What a keyword's value must be, and what there is in it. */
export interface Keyword {
  readonly value: SchemaFacts;
  /** Of a value that fits: what is wrong with it all the same, if anything. */
  note?(value: unknown, visitor: KeywordVisitor): string | undefined;
}

/** The keywords of a dialect; every other name in a schema is ignored. */
export function keywordsOf(dialect: Dialect): ReadonlyMap<string, Keyword> {
  return dialect === 'draft-07' ? draft07 : draft2020;
}

const any: SchemaFacts = {};
const text: Keyword = { value: { type: 'string' } };
const flag: Keyword = { value: { type: 'boolean' } };
const list: Keyword = { value: { type: 'array' } };
const number: Keyword = { value: { type: 'number' } };
const count: Keyword = { value: { type: 'integer', minimum: 0 } };
const positive: Keyword = { value: { type: 'number', exclusiveMinimum: 0 } };
const someOf = { type: 'array', minItems: 1 } as const;
const strings = { type: 'array', items: { type: 'string' }, uniqueItems: true } as const;
const compared = (value: unknown, visitor: KeywordVisitor) => void visitor.compared(value);
const expression: Keyword = {
  ...text,
  note: (value, visitor) => notePattern(String(value), visitor),
};
const reference: Keyword = {
  ...text,
  note: (value, visitor) => void visitor.reference(String(value)),
};

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const type: Keyword = {
  value: {
    anyOf: [{ enum: types }, { ...someOf, items: { enum: types }, uniqueItems: true }],
    rule: `${types.join(', ')}, or a list of some of them`,
  },
};

const shared: Readonly<Record<string, Keyword>> = {
  // References below it start from it, and not from the document.
  $id: costly(text),
  $schema: text,
  $comment: text,
  $ref: reference,
  title: text,
  description: text,
  format: text,
  contentMediaType: text,
  contentEncoding: text,
  readOnly: flag,
  examples: list,
  type,
  enum: { value: someOf, note: compared },
  const: { value: any, note: compared },
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: positive,
  minLength: count,
  maxLength: count,
  pattern: expression,
  minItems: count,
  maxItems: count,
  // Telling items apart takes the text of each.
  uniqueItems: { ...flag, note: (value, visitor) => void (value === true && visitor.costly()) },
  contains: one('within'),
  minProperties: count,
  maxProperties: count,
  required: { value: strings, note: compared },
  properties: byName('named'),
  patternProperties: { value: { type: 'object' }, note: noteByPattern },
  additionalProperties: one('within'),
  propertyNames: one('within'),
  dependencies: {
    value: { type: 'object', additionalProperties: { anyOf: [strings, any] } },
    note: noteDependencies,
  },
  definitions: byName('nothing'),
  not: one('itself'),
  if: one('itself'),
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema has named it so.
  then: one('itself'),
  else: one('itself'),
  allOf: several('itself'),
  anyOf: several('itself'),
  oneOf: several('itself'),
};

const draft07: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({
    ...shared,
    items: { value: { anyOf: [someOf, any] }, note: noteItems },
    additionalItems: one('within'),
  }),
);

const draft2020: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({
    ...shared,
    $defs: byName('nothing'),
    $anchor: costly(text),
    $dynamicAnchor: costly(text),
    $dynamicRef: costly(reference),
    prefixItems: several('named'),
    items: one('within'),
    unevaluatedItems: costly(one('within')),
    unevaluatedProperties: costly(one('within')),
    minContains: count,
    maxContains: count,
    dependentSchemas: byName('itself'),
    dependentRequired: {
      value: { type: 'object', additionalProperties: strings },
      note: compared,
    },
    contentSchema: one('nothing'),
    writeOnly: flag,
    deprecated: flag,
  }),
);

function costly(keyword: Keyword): Keyword {
  return {
    ...keyword,
    note(value, visitor) {
      visitor.costly();
      return keyword.note?.(value, visitor);
    },
  };
}

function one(scope: Scope): Keyword {
  return { value: any, note: (value, visitor) => void visitor.schema(value, scope) };
}

function several(scope: Scope): Keyword {
  return {
    value: someOf,
    note(value, visitor) {
      for (const [index, item] of [value].flat().entries()) {
        visitor.schema(item, scope, `[${index}]`);
      }
      return undefined;
    },
  };
}

function byName(scope: Scope): Keyword {
  return {
    value: { type: 'object' },
    note(value, visitor) {
      const entries = entriesOf(value);
      if (scope === 'named') visitor.compared(entries.map(([name]) => name));
      for (const [name, schema] of entries) visitor.schema(schema, scope, `.${name}`);
      return undefined;
    },
  };
}

function entriesOf(value: unknown): readonly [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

function noteByPattern(value: unknown, visitor: KeywordVisitor): string | undefined {
  byName('within').note?.(value, visitor);
  for (const [name] of entriesOf(value)) {
    const ofPattern = notePattern(name, visitor);
    if (ofPattern !== undefined) return ofPattern;
  }
  return undefined;
}

/** One for all items, or one for each of the first. */
function noteItems(value: unknown, visitor: KeywordVisitor): string | undefined {
  return (Array.isArray(value) ? several('named') : one('within')).note?.(value, visitor);
}

function noteDependencies(value: unknown, visitor: KeywordVisitor): undefined {
  for (const [name, item] of entriesOf(value)) {
    if (Array.isArray(item)) visitor.compared(item);
    else visitor.schema(item, 'itself', `.${name}`);
  }
}

/** V8's parsing of a pattern cannot be interrupted: up to 0.2 ms a character. */
const patternCharactersMax = 4_096;

function notePattern(text: string, visitor: KeywordVisitor): string | undefined {
  if (text.length > patternCharactersMax) {
    return `contains a pattern of more than ${patternCharactersMax} characters`;
  }
  visitor.pattern(text);
  if (!isLinearPattern(text)) {
    // Reading it may already be what takes long, so that is left to a thread.
    visitor.costly();
    return undefined;
  }
  try {
    readPattern(text);
    return undefined;
  } catch {
    /* The sentence is all that there is to say. */
    return 'is not a valid regular expression';
  }
}
