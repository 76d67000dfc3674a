import { isRecord, joinPath as join, type ValueProblem as Problem } from './json-value.ts';
import {
  clip,
  kindOf,
  mustBe,
  mustBeOneOf,
  rangeOf,
  type SchemaFacts,
  show,
  tooMany,
  typeName,
  unknownName,
} from './sentences.ts';

export function joinPath(path: string, at: string | number): string {
  return join(path, typeof at === 'number' ? at : clip(at, 80));
}

export interface Steps {
  remaining: number;
}

/** A body written by a person shows its first problem much earlier. */
const stepsMax = 1_000;
/** Reported if the mismatch is not found within the steps. */
export const beyondSteps: Problem = { path: '', text: 'does not match the schema of the route' };

export type Fits = (schema: object, value: unknown) => boolean;

/**
 * The first problem of a value by a JSON Schema. `fits` is a compiled check: a list takes no step
 * for an item that fits. `steps` is a parameter for tests; `path` is the value's.
 */
export function explain(
  schema: object,
  value: unknown,
  { path = '', steps = { remaining: stepsMax }, fits = hasNoProblem }: Partial<Position> = {},
): Problem | undefined {
  return explainAt(schema, value, { path, steps, fits });
}

function hasNoProblem(schema: object, value: unknown): boolean {
  return explain(schema, value) === undefined;
}

interface Position {
  readonly path: string;
  readonly steps: Steps;
  readonly fits: Fits;
}

function within(position: Position, at: string | number): Position {
  return { ...position, path: joinPath(position.path, at) };
}

function explainAt(schema: object, value: unknown, position: Position): Problem | undefined {
  const { path, steps } = position;
  if (steps.remaining === 0) return beyondSteps;
  steps.remaining -= 1;
  const facts: SchemaFacts = schema;
  switch (kindOf(facts)) {
    case 'union':
      return explainUnion(facts, value, position);
    case 'object':
      return explainObject(facts, value, position);
    case 'array':
      return explainArray(facts, value, position);
    case 'string':
      return explainString(facts, value, path);
    case 'integer':
    case 'number':
      return explainNumber(facts, value, path);
    case 'enum':
      if (facts.enum?.includes(value)) return undefined;
      return { path, text: mustBeOneOf(facts.enum?.map(String) ?? [], { word: value }) };
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrong(facts, value, path);
    case 'literal':
      return value === facts.const ? undefined : wrong(facts, value, path);
    default:
      return undefined;
  }
}

/** Uses the `rule` next to a keyword, such as "one line of visible text", or the kind. */
function wrong(facts: SchemaFacts, value: unknown, path: string, range = ''): Problem {
  return { path, text: mustBe(facts.rule ?? `${typeName(facts)}${range}`, show(value)) };
}

function explainUnion(
  schema: SchemaFacts,
  value: unknown,
  position: Position,
): Problem | undefined {
  const { anyOf: branches = [] } = schema;
  const tag = tagOf(branches);
  if (tag !== undefined && isRecord(value)) return explainTagged(branches, tag, value, position);
  const branch = branches.find((candidate) => hasKindOf(candidate, value));
  return branch === undefined
    ? wrong(schema, value, position.path)
    : explainAt(branch, value, position);
}

function tagOf(branches: readonly SchemaFacts[]): string | undefined {
  const entries = Object.entries(branches[0]?.properties ?? {});
  return entries.find(([, property]) => kindOf(property) === 'literal')?.[0];
}

function explainTagged(
  branches: readonly SchemaFacts[],
  tag: string,
  value: Readonly<Record<string, unknown>>,
  position: Position,
): Problem | undefined {
  const words: string[] = [];
  for (const branch of branches) {
    const property = branch.properties?.[tag];
    if (property === undefined || kindOf(property) !== 'literal') continue;
    if (property.const === value[tag]) return explainAt(branch, value, position);
    words.push(JSON.stringify(property.const));
  }
  const shown = value[tag] === undefined ? 'missing' : show(value[tag]);
  return { path: joinPath(position.path, tag), text: mustBe(`one of ${words.join(', ')}`, shown) };
}

function explainObject(
  schema: SchemaFacts,
  value: unknown,
  position: Position,
): Problem | undefined {
  const { path } = position;
  if (!isRecord(value)) return wrong(schema, value, path);
  const { properties = {}, required = [], patternProperties, additionalProperties = true } = schema;
  const others = patternProperties === undefined ? additionalProperties : true;
  const names = Object.keys(properties);
  for (const name of Object.keys(value)) {
    if (others === true || names.includes(name)) continue;
    if (others === false) {
      return { path: joinPath(path, name), text: unknownName('field', name, names) };
    }
    const problem = explainItem(others, value[name], position, name);
    if (problem !== undefined) return problem;
  }
  for (const name of required) {
    if (Object.hasOwn(value, name)) continue;
    const { const: constant } = properties[name] ?? {};
    const text =
      constant === undefined ? 'is missing' : mustBe(JSON.stringify(constant), 'missing');
    return { path: joinPath(path, name), text };
  }
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue;
    const problem = explainAt(property, value[name], within(position, name));
    if (problem !== undefined) return problem;
  }
  return explainAlternatives(schema.anyOf, value, position);
}

function explainAlternatives(
  anyOf: readonly SchemaFacts[] | undefined,
  value: Readonly<Record<string, unknown>>,
  { path, fits }: Position,
): Problem | undefined {
  if (anyOf === undefined || anyOf.some((one) => fits(one, value))) return undefined;
  const names = anyOf.flatMap(({ required = [] }) => required);
  return { path, text: `has neither ${names.join(' nor ')}` };
}

/** Takes no step for one of many values if it fits. */
function explainItem(schema: object, value: unknown, position: Position, at: string | number) {
  return position.fits(schema, value) ? undefined : explainAt(schema, value, within(position, at));
}

function explainArray(
  schema: SchemaFacts,
  value: unknown,
  position: Position,
): Problem | undefined {
  const { path } = position;
  if (!Array.isArray(value)) return wrong(schema, value, path);
  const { minItems = 0, maxItems = Infinity, items, uniqueItems } = schema;
  if (value.length < minItems) {
    return { path, text: `needs at least ${minItems} entry; it has none` };
  }
  if (value.length > maxItems) {
    return { path, text: tooMany(maxItems, 'entries', value.length) };
  }
  for (const [index, item] of value.entries()) {
    if (items === undefined) break;
    const problem = explainItem(items, item, position, index);
    if (problem !== undefined) return problem;
  }
  if (uniqueItems !== true || new Set(value).size === value.length) return undefined;
  return { path, text: 'must not contain the same value twice' };
}

function explainString(schema: SchemaFacts, value: unknown, path: string): Problem | undefined {
  if (typeof value !== 'string') return wrong({ type: 'string' }, value, path);
  const { minLength = 0, maxLength = Infinity, pattern, rule } = schema;
  const characters = minLength === 0 && maxLength === Infinity ? 0 : charactersIn(value);
  if (characters < minLength) return { path, text: 'must not be empty' };
  if (characters > maxLength) return { path, text: tooMany(maxLength, 'characters', characters) };
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined;
  return rule === undefined
    ? { path, text: `has an invalid value: ${show(value)}` }
    : wrong(schema, value, path);
}

function charactersIn(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

function explainNumber(schema: SchemaFacts, value: unknown, path: string): Problem | undefined {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity } = schema;
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  if (!isNumber || (schema.type === 'integer' && !Number.isInteger(value))) {
    return wrong(schema, value, path);
  }
  const isWithin = value >= minimum && value > exclusiveMinimum && value <= maximum;
  return isWithin ? undefined : wrong(schema, value, path, rangeOf(schema));
}

function hasKindOf(schema: SchemaFacts, value: unknown): boolean {
  switch (kindOf(schema)) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
    case 'number':
      return typeof value === 'number';
    case 'null':
      return value === null;
    case 'literal':
      return value === schema.const;
    case 'enum':
      return schema.enum?.includes(value) === true;
    case 'any':
      return true;
    default:
      return typeof value === kindOf(schema);
  }
}
