import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isRecord, joinPath } from '../lib/json-value.ts';
import { adapt } from './adapt.ts';
import { inspect } from './inspect.ts';
import type { Dialect } from './keywords.ts';
import { readPattern } from './pattern.ts';
import { pathOfPointer } from './problem.ts';

export interface SchemaText {
  readonly text: string;
  readonly dialect: Dialect;
}

export type Fit =
  | { readonly kind: 'fits' }
  /** `at`: the rule's location in the schema, never part of the value; empty for the root. */
  | { readonly kind: 'misfit'; readonly at: string };

/** Never throws; has no time limit. */
export type Validate = (value: unknown) => Fit;

export class PatternError extends Error {
  override readonly name = 'PatternError';
  readonly pattern: string;
  constructor(pattern: string, cause: unknown) {
    super('not a regular expression', { cause });
    this.pattern = pattern;
  }
}

/**
 * Call only after inspection. Throws the compiler's errors. `isLarge`: time grows only with the
 * schema's size. Otherwise checks stop at the first broken rule.
 */
export function compile(source: SchemaText, { isLarge }: { isLarge: boolean }): Validate {
  const { schema, paths } = plainSchema(source);
  // Without all errors, each check is nested in the previous one, which can be too deep. Each
  // schema has its own compiler, so ids and references cannot collide.
  const settings = {
    ...{ ...options, allErrors: isLarge || hasTuple(paths) },
    // In draft-07 a reference replaces all other keywords of its schema.
    ignoreKeywordsWithRef: source.dialect === 'draft-07',
  };
  const compiler = source.dialect === '2020-12' ? new Ajv2020(settings) : new Ajv(settings);
  useUniqueItems(compiler);
  const isValid = compiler.compile(schema);
  return (value) => {
    try {
      if (isValid(value)) return { kind: 'fits' };
      return { kind: 'misfit', at: brokenRule(isValid.errors?.at(-1), paths) };
    } catch {
      // The value is nested too deeply for the stack or for the comparison.
      return { kind: 'misfit', at: '' };
    }
  };
}

/**
 * Without all errors, the compiler reads an unset variable for tuples on arrays without items, and
 * skips later keywords.
 */
function hasTuple(paths: ReadonlyMap<object, string>): boolean {
  for (const schema of paths.keys()) {
    if ('prefixItems' in schema || ('items' in schema && Array.isArray(schema.items))) return true;
  }
  return false;
}

function brokenRule(error: ErrorObject | undefined, paths: ReadonlyMap<object, string>): string {
  if (error === undefined) return '';
  const schema: unknown = error.parentSchema;
  const path = typeof schema === 'object' && schema !== null ? paths.get(schema) : undefined;
  // The schema `false` has no keywords.
  return path === undefined ? pathOfPointer(error.schemaPath) : joinPath(path, error.keyword);
}

const options = {
  // Unknown keywords and formats are ignored.
  strict: false,
  validateFormats: false,
  strictNumbers: true,
  // Inspection has validated the schema, and only the dialect's keywords are needed.
  validateSchema: false,
  meta: false,
  logger: false,
  messages: false,
  // Errors then contain their schema: their path begins only at the last reference.
  verbose: true,
  // Only the value's own properties count, so not `toString`.
  ownProperties: true,
  // Copied references and improved code cost more than they save.
  inlineRefs: false,
  code: { optimize: false, regExp: Object.assign(openPattern, { code: 'new RegExp' }) },
} as const;

function openPattern(pattern: string): RegExp {
  try {
    const expression = readPattern(pattern);
    // V8 compiles a pattern at its first use. This finds too large patterns now.
    expression.test('');
    return expression;
  } catch (error) {
    throw new PatternError(pattern, error);
  }
}

const compilerKeywords = {
  'draft-07': ['nullable', '$async', 'id', '$anchor', '$dynamicAnchor'],
  '2020-12': ['nullable', '$async', 'id'],
} as const;

function plainSchema({ text, dialect }: SchemaText) {
  const schema = JSON.parse(text);
  const inspection = inspect(schema);
  if (inspection.kind === 'problem') throw new Error('the schema was not inspected');
  for (const part of inspection.paths.keys()) {
    for (const name of compilerKeywords[dialect]) Reflect.deleteProperty(part, name);
  }
  adapt([...inspection.paths.keys()].filter(isRecord), dialect);
  Reflect.deleteProperty(schema, '$id');
  return { schema, paths: inspection.paths };
}

/** Compares items by their text, because the compiler's own comparison is quadratic. */
function useUniqueItems(compiler: Pick<Ajv, 'removeKeyword' | 'addKeyword'>): void {
  compiler.removeKeyword('uniqueItems');
  compiler.addKeyword({
    ...{ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean' },
    compile: (isEnabled) => (isEnabled === true ? areUnique : () => true),
  });
}

function areUnique(items: readonly unknown[]): boolean {
  const texts = new Set<string>();
  for (const item of items) {
    if (texts.size === texts.add(sortedText(item)).size) return false;
  }
  return true;
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_name, part) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
