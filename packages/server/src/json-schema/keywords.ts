import { isRecord } from '../lib/json-value.ts';
import { isLinearPattern, readPattern } from './pattern.ts';

/** The versions of JSON Schema that are understood. */
export type Dialect = 'draft-07' | '2020-12';

/**
 * What a schema is applied to: the value itself; the one thing in the value that has its name or
 * its index; any of the things in it; nothing, unless something refers to it.
 */
export type Scope = 'itself' | 'named' | 'within' | 'nothing';

/** What a keyword's value is made known to: the schemas and patterns in it. */
export interface Found {
  schema(schema: unknown, scope: Scope, suffix?: string): void;
  reference(text: string): void;
  pattern(text: string): void;
  /** Values that an answer is compared with. */
  compared(values: unknown): void;
  /** The time that it takes cannot be told from the size of schema and answer. */
  costly(): void;
}

/** Says what is wrong with a keyword's value, if anything, and what it holds. */
export type KeywordRule = (value: unknown, found: Found) => string | undefined;

/** The keywords of a dialect; every other name in a schema is ignored. */
export function keywordsOf(dialect: Dialect): ReadonlyMap<string, KeywordRule> {
  return dialect === 'draft-07' ? draft07 : draft2020;
}

const text = must('be a string', (value) => typeof value === 'string');
const flag = must('be true or false', (value) => typeof value === 'boolean');
const list = must('be a list', Array.isArray);
const number = must('be a number', (value) => typeof value === 'number');
const count = must('be a whole number of at least 0', (value) => isNumber(value, 0, true));
const positive = must('be a number above 0', (value) => isNumber(value, Number.MIN_VALUE));

const shared: Readonly<Record<string, KeywordRule>> = {
  $id: nestedId,
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
  enum: oneOfValues,
  const: constant,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: positive,
  minLength: count,
  maxLength: count,
  pattern,
  minItems: count,
  maxItems: count,
  uniqueItems: unique,
  contains: one('within'),
  minProperties: count,
  maxProperties: count,
  required,
  properties: byName('named'),
  patternProperties: byPattern,
  additionalProperties: one('within'),
  propertyNames: one('within'),
  dependencies,
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

const draft07: ReadonlyMap<string, KeywordRule> = new Map(
  Object.entries({ ...shared, items, additionalItems: one('within') }),
);

const draft2020: ReadonlyMap<string, KeywordRule> = new Map(
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
    dependentRequired: stringsByName,
    contentSchema: one('nothing'),
    writeOnly: flag,
    deprecated: flag,
  }),
);

function must(what: string, isRight: (value: unknown) => boolean): KeywordRule {
  return (value) => (isRight(value) ? undefined : `must ${what}`);
}

function costly(rule: KeywordRule): KeywordRule {
  return (value, found) => {
    found.costly();
    return rule(value, found);
  };
}

function one(scope: Scope): KeywordRule {
  return (value, found) => void found.schema(value, scope);
}

function several(scope: Scope): KeywordRule {
  return (value, found) => {
    if (!Array.isArray(value) || value.length === 0) return 'must be a list of at least one schema';
    for (const [index, item] of value.entries()) found.schema(item, scope, `[${index}]`);
    return undefined;
  };
}

function byName(scope: Scope): KeywordRule {
  return (value, found) => {
    if (!isRecord(value)) return 'must be an object of schemas';
    const names = Object.keys(value);
    if (scope === 'named') found.compared(names);
    for (const name of names) found.schema(value[name], scope, `.${name}`);
    return undefined;
  };
}

function byPattern(value: unknown, found: Found): string | undefined {
  const problem = byName('within')(value, found);
  if (problem !== undefined || !isRecord(value)) return problem;
  for (const name of Object.keys(value)) {
    const ofPattern = pattern(name, found);
    if (ofPattern !== undefined) return ofPattern;
  }
  return undefined;
}

/** One for all items, or one for each of the first. */
function items(value: unknown, found: Found): string | undefined {
  return Array.isArray(value) ? several('named')(value, found) : one('within')(value, found);
}

function dependencies(value: unknown, found: Found): string | undefined {
  if (!isRecord(value)) return 'must be an object of schemas, or of lists of names';
  for (const [name, item] of Object.entries(value)) {
    if (!Array.isArray(item)) found.schema(item, 'itself', `.${name}`);
    else if (isStringSet(item)) found.compared(item);
    else return 'must hold schemas, or lists of different strings';
  }
  return undefined;
}

function stringsByName(value: unknown, found: Found): string | undefined {
  const isRight = isRecord(value) && Object.values(value).every(isStringSet);
  if (!isRight) return 'must be an object of lists of different strings';
  found.compared(value);
  return undefined;
}

function required(value: unknown, found: Found): string | undefined {
  if (!isStringSet(value)) return 'must be a list of different strings';
  found.compared(value);
  return undefined;
}

function oneOfValues(value: unknown, found: Found): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return 'must be a list of at least one value';
  found.compared(value);
  return undefined;
}

function constant(value: unknown, found: Found): undefined {
  found.compared(value);
}

/** Telling items apart takes the text of each. */
function unique(value: unknown, found: Found): string | undefined {
  if (value === true) found.costly();
  return flag(value, found);
}

/** References below it start from it, and not from the document. */
function nestedId(value: unknown, found: Found): string | undefined {
  found.costly();
  return text(value, found);
}

function reference(value: unknown, found: Found): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  found.reference(value);
  return undefined;
}

/** Nothing can stop V8 while it reads one pattern: that takes up to 0.2 ms a character. */
const patternCharactersMax = 4_096;

function pattern(value: unknown, found: Found): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > patternCharactersMax) {
    return `holds a pattern of more than ${patternCharactersMax} characters`;
  }
  found.pattern(value);
  if (!isLinearPattern(value)) {
    // Reading it may already be what takes long, so that is left to a thread.
    found.costly();
    return undefined;
  }
  try {
    readPattern(value);
    return undefined;
  } catch {
    /* The sentence is all that there is to say. */
    return 'holds no regular expression';
  }
}

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

function type(value: unknown): string | undefined {
  const names = Array.isArray(value) ? value : [value];
  const isRight =
    names.length > 0 && isStringSet(names) && names.every((name) => types.includes(name));
  return isRight ? undefined : `must be ${types.join(', ')}, or a list of some of them`;
}

function isStringSet(value: unknown): value is readonly string[] {
  if (!Array.isArray(value)) return false;
  return value.every((item) => typeof item === 'string') && new Set(value).size === value.length;
}

function isNumber(value: unknown, least: number, isWhole = false): boolean {
  return typeof value === 'number' && value >= least && (!isWhole || Number.isInteger(value));
}
