import { isRecord } from './json-value.ts';
import { kindOf, type SchemaFacts, typeName } from './schema-kind.ts';

/** What is wrong with a body, and where. */
export interface Problem {
  /** Such as `messages[0].content`; empty for the body itself. */
  readonly path: string;
  readonly text: string;
}

/** The path of a field or an item; a name that is too long to be repeated is cut. */
export function joinPath(path: string, at: string | number): string {
  if (typeof at === 'number') return `${path}[${at}]`;
  const name = at.length > 80 ? `${at.slice(0, 80)}…` : at;
  return path === '' ? name : `${path}.${name}`;
}

/** How many more values an explanation may look at. */
export interface Steps {
  left: number;
}

/** A body that people write has its first problem long before. */
const stepsMax = 1_000;
const beyondSteps: Problem = { path: '', text: 'does not fit the route' };

/** Whether a value fits a schema. */
export type Fits = (schema: object, value: unknown) => boolean;

/**
 * The first problem of a value by a JSON Schema, in words for people. `fits` is a compiled check: a
 * list then takes no step for an item that fits. `steps` tells tests how many it took.
 */
export function explain(
  schema: object,
  value: unknown,
  { steps = { left: stepsMax }, fits = hasNoProblem }: { steps?: Steps; fits?: Fits } = {},
): Problem | undefined {
  return explainAt(schema, value, { path: '', steps, fits });
}

function hasNoProblem(schema: object, value: unknown): boolean {
  return explain(schema, value) === undefined;
}

/** Where a value is, and what it may still cost. */
interface Place {
  readonly path: string;
  readonly steps: Steps;
  readonly fits: Fits;
}

function within(place: Place, at: string | number): Place {
  return { ...place, path: joinPath(place.path, at) };
}

function explainAt(schema: object, value: unknown, place: Place): Problem | undefined {
  const { path, steps } = place;
  if (steps.left === 0) return beyondSteps;
  steps.left -= 1;
  const facts: SchemaFacts = schema;
  switch (kindOf(facts)) {
    case 'union':
      return explainUnion(facts.anyOf ?? [], value, place);
    case 'object':
      return explainObject(facts, value, place);
    case 'array':
      return explainArray(facts, value, place);
    case 'string':
      return explainString(facts, value, path);
    case 'integer':
    case 'number':
      return explainNumber(facts, value, path);
    case 'enum':
      if (facts.enum?.some((word) => word === value)) return undefined;
      return { path, text: `must be one of ${facts.enum?.join(', ')}; it is ${show(value)}` };
    case 'boolean':
      if (typeof value === 'boolean') return undefined;
      return { path, text: `must be true or false; it is ${show(value)}` };
    case 'literal':
      if (value === facts.const) return undefined;
      return { path, text: `must be ${JSON.stringify(facts.const)}; it is ${show(value)}` };
    default:
      return undefined;
  }
}

function explainUnion(branches: readonly SchemaFacts[], value: unknown, place: Place) {
  const tag = tagOf(branches);
  if (tag !== undefined && isRecord(value)) return explainTagged(branches, tag, value, place);
  const branch = branches.find((candidate) => hasKindOf(candidate, value));
  if (branch !== undefined) return explainAt(branch, value, place);
  const { path } = place;
  const names = [...new Set(branches.map(typeName))].join(' or ');
  return { path, text: `must be ${names}; it is ${show(value)}` };
}

/** The property whose constant tells the branches apart: `role` of a message, `type` of a part. */
function tagOf(branches: readonly SchemaFacts[]): string | undefined {
  const entries = Object.entries(branches[0]?.properties ?? {});
  return entries.find(([, property]) => kindOf(property) === 'literal')?.[0];
}

function explainTagged(
  branches: readonly SchemaFacts[],
  tag: string,
  value: Readonly<Record<string, unknown>>,
  place: Place,
): Problem | undefined {
  const known: string[] = [];
  for (const branch of branches) {
    const property = branch.properties?.[tag];
    if (property === undefined || kindOf(property) !== 'literal') continue;
    if (property.const === value[tag]) return explainAt(branch, value, place);
    known.push(JSON.stringify(property.const));
  }
  const found = value[tag] === undefined ? 'it is missing' : `it is ${show(value[tag])}`;
  return { path: joinPath(place.path, tag), text: `must be one of ${known.join(', ')}; ${found}` };
}

function explainObject(schema: SchemaFacts, value: unknown, place: Place): Problem | undefined {
  const { path } = place;
  if (!isRecord(value)) return { path, text: `must be an object; it is ${show(value)}` };
  const { properties = {}, required = [] } = schema;
  const known = Object.keys(properties);
  const isOpen = schema.additionalProperties !== false || schema.patternProperties !== undefined;
  for (const name of Object.keys(value)) {
    if (isOpen || known.includes(name)) continue;
    const text = `is an unknown field; known here are ${known.join(', ')}`;
    return { path: joinPath(path, name), text };
  }
  for (const name of required) {
    if (Object.hasOwn(value, name)) continue;
    const constant = properties[name]?.const;
    const wanted = constant === undefined ? '' : `must be ${JSON.stringify(constant)}; it `;
    return { path: joinPath(path, name), text: `${wanted}is missing` };
  }
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue;
    const problem = explainAt(property, value[name], within(place, name));
    if (problem !== undefined) return problem;
  }
  return explainAlternatives(schema.anyOf, value, place);
}

/** An object that needs one of several fields: `anyOf` names them, each with what it must be. */
function explainAlternatives(
  anyOf: readonly SchemaFacts[] | undefined,
  value: Readonly<Record<string, unknown>>,
  { path, fits }: Place,
): Problem | undefined {
  if (anyOf === undefined || anyOf.some((one) => fits(one, value))) return undefined;
  const names = anyOf.flatMap(({ required = [] }) => required);
  return { path, text: `has neither ${names.join(' nor ')}` };
}

function explainArray(schema: SchemaFacts, value: unknown, place: Place): Problem | undefined {
  const { path, fits } = place;
  if (!Array.isArray(value)) return { path, text: `must be a list; it is ${show(value)}` };
  const { minItems = 0, maxItems = Infinity, items = {}, uniqueItems } = schema;
  if (value.length < minItems) {
    return { path, text: `needs at least ${minItems} entry; it has none` };
  }
  if (value.length > maxItems) {
    return { path, text: `takes at most ${maxItems} entries; it has ${value.length}` };
  }
  for (const [index, item] of value.entries()) {
    if (fits(items, item)) continue;
    const problem = explainAt(items, item, within(place, index));
    if (problem !== undefined) return problem;
  }
  if (uniqueItems !== true || new Set(value).size === value.length) return undefined;
  return { path, text: 'must not name anything twice' };
}

function explainString(schema: SchemaFacts, value: unknown, path: string): Problem | undefined {
  if (typeof value !== 'string') return { path, text: `must be a string; it is ${show(value)}` };
  const { minLength = 0, maxLength = Infinity, pattern } = schema;
  const characters = charactersIn(value);
  if (characters < minLength) return { path, text: 'must not be empty' };
  if (characters > maxLength) {
    return { path, text: `takes at most ${maxLength} characters; it has ${characters}` };
  }
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined;
  return explainRule(schema, value, path) ?? { path, text: `has an invalid value: ${show(value)}` };
}

/** By the `rule` that stands next to a pattern or a bound, such as "one line of visible text". */
function explainRule({ rule }: SchemaFacts, value: unknown, path: string): Problem | undefined {
  return rule === undefined ? undefined : { path, text: `must be ${rule}; it is ${show(value)}` };
}

function charactersIn(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

function explainNumber(schema: SchemaFacts, value: unknown, path: string): Problem | undefined {
  const isWhole = kindOf(schema) === 'integer';
  const wanted = isWhole ? 'a whole number' : 'a number';
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  const isOfKind = isNumber && (!isWhole || Number.isInteger(value));
  if (isOfKind && value >= minimum && value <= maximum) return undefined;
  const bounds = isOfKind ? ` from ${minimum} to ${maximum}` : '';
  const text = `must be ${wanted}${bounds}; it is ${show(value)}`;
  return explainRule(schema, value, path) ?? { path, text };
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
    default:
      return typeof value === kindOf(schema);
  }
}

/** A value as a message may show it: short, and never a whole prompt. */
function show(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
