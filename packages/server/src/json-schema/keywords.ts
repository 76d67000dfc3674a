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
  /** Schema and response size do not limit the check's time. */
  costly(): void;
}

export interface Keyword {
  readonly value: SchemaFacts;
  /** For a value of the right form: returns any other problem. */
  note?(value: unknown, visitor: KeywordVisitor): string | undefined;
}

/** Every other name in a schema is ignored. */
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
  // References below an `$id` are relative to it, not to the document.
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
  // Comparing items needs the text of each.
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
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
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

/** One schema for all items, or one for each of the first items. */
function noteItems(value: unknown, visitor: KeywordVisitor): string | undefined {
  return (Array.isArray(value) ? several('named') : one('within')).note?.(value, visitor);
}

function noteDependencies(value: unknown, visitor: KeywordVisitor): undefined {
  for (const [name, item] of entriesOf(value)) {
    if (Array.isArray(item)) visitor.compared(item);
    else visitor.schema(item, 'itself', `.${name}`);
  }
}

/** V8 parses patterns without interruption, and needs up to 0.2 ms a character. */
const patternCharactersMax = 4_096;

function notePattern(text: string, visitor: KeywordVisitor): string | undefined {
  if (text.length > patternCharactersMax) {
    return `contains a pattern of more than ${patternCharactersMax} characters`;
  }
  visitor.pattern(text);
  if (!isLinearPattern(text)) {
    // Even parsing the pattern might take long, so a thread does it.
    visitor.costly();
    return undefined;
  }
  try {
    readPattern(text);
    return undefined;
  } catch {
    /* V8's message adds nothing useful. */
    return 'is not a valid regular expression';
  }
}
