import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Check } from 'typebox/value';
import { isRecord } from './json-value.ts';

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

/**
 * The first problem of a value that a schema refused, in words for people. Items of a list that fit
 * are passed over by a compiled check, so its length takes no steps. `steps` tells tests how many
 * it took.
 */
export function explain(
  schema: TSchema,
  value: unknown,
  steps: Steps = { left: stepsMax },
): Problem | undefined {
  return explainAt(schema, value, { path: '', steps });
}

/** Where a value is, and what it may still cost. */
interface Place {
  readonly path: string;
  readonly steps: Steps;
}

function within({ path, steps }: Place, at: string | number): Place {
  return { path: joinPath(path, at), steps };
}

function explainAt(schema: TSchema, value: unknown, place: Place): Problem | undefined {
  const { path, steps } = place;
  if (steps.left === 0) return beyondSteps;
  steps.left -= 1;
  if (Type.IsUnion(schema)) return explainUnion(schema.anyOf, value, place);
  if (Type.IsObject(schema)) return explainObject(schema, value, place);
  if (Type.IsArray(schema)) return explainArray(schema, value, place);
  if (Type.IsString(schema)) return explainString(schema, value, path);
  if (Type.IsEnum(schema) && !fits(schema, value)) {
    return { path, text: `must be one of ${schema.enum.join(', ')}; it is ${show(value)}` };
  }
  if (Type.IsInteger(schema) || Type.IsNumber(schema)) return explainNumber(schema, value, path);
  if (Reflect.get(schema, 'type') === 'object' && !isRecord(value)) {
    return { path, text: `must be an object; it is ${show(value)}` };
  }
  if (Type.IsBoolean(schema) && typeof value !== 'boolean') {
    return { path, text: `must be true or false; it is ${show(value)}` };
  }
  if (!Type.IsLiteral(schema) || value === schema.const) return undefined;
  return { path, text: `must be ${JSON.stringify(schema.const)}; it is ${show(value)}` };
}

function explainUnion(branches: readonly TSchema[], value: unknown, place: Place) {
  const tag = tagOf(branches);
  if (tag !== undefined && isRecord(value)) return explainTagged(branches, tag, value, place);
  const branch = branches.find((candidate) => hasTypeOf(candidate, value));
  if (branch !== undefined) return explainAt(branch, value, place);
  const { path } = place;
  const names = [...new Set(branches.map(typeName))].join(' or ');
  return { path, text: `must be ${names}; it is ${show(value)}` };
}

/** The property whose constant tells the branches apart: `role` of a message, `type` of a part. */
function tagOf(branches: readonly TSchema[]): string | undefined {
  const [first] = branches;
  if (first === undefined || !Type.IsObject(first)) return undefined;
  return Object.entries(first.properties).find(([, property]) => Type.IsLiteral(property))?.[0];
}

function explainTagged(
  branches: readonly TSchema[],
  tag: string,
  value: Readonly<Record<string, unknown>>,
  place: Place,
): Problem | undefined {
  const known: string[] = [];
  for (const branch of branches) {
    const property = Type.IsObject(branch) ? branch.properties[tag] : undefined;
    if (property === undefined || !Type.IsLiteral(property)) continue;
    if (property.const === value[tag]) return explainAt(branch, value, place);
    known.push(JSON.stringify(property.const));
  }
  const found = value[tag] === undefined ? 'it is missing' : `it is ${show(value[tag])}`;
  return { path: joinPath(place.path, tag), text: `must be one of ${known.join(', ')}; ${found}` };
}

function explainObject(schema: Type.TObject, value: unknown, place: Place): Problem | undefined {
  const { path } = place;
  if (!isRecord(value)) return { path, text: `must be an object; it is ${show(value)}` };
  const known = Object.keys(schema.properties);
  const isOpen = Reflect.get(schema, 'additionalProperties') !== false;
  for (const name of Object.keys(value)) {
    if (isOpen || known.includes(name)) continue;
    const text = `is an unknown field; known here are ${known.join(', ')}`;
    return { path: joinPath(path, name), text };
  }
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    const property = schema.properties[name];
    const wanted = Type.IsLiteral(property) ? `must be ${JSON.stringify(property.const)}; it ` : '';
    return { path: joinPath(path, name), text: `${wanted}is missing` };
  }
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(value, name)) continue;
    const problem = explainAt(property, value[name], within(place, name));
    if (problem !== undefined) return problem;
  }
  return explainAlternatives(schema, value, path);
}

/** An object that needs one of several fields: `anyOf` names them, each with what it must be. */
function explainAlternatives(
  schema: Type.TObject,
  value: Readonly<Record<string, unknown>>,
  path: string,
): Problem | undefined {
  const anyOf: unknown = Reflect.get(schema, 'anyOf');
  if (!Array.isArray(anyOf) || Check({ anyOf }, value)) return undefined;
  const names = anyOf.flatMap(({ required }) => required);
  return { path, text: `has neither ${names.join(' nor ')}` };
}

function explainArray(schema: Type.TArray, value: unknown, place: Place): Problem | undefined {
  const { path } = place;
  if (!Array.isArray(value)) return { path, text: `must be a list; it is ${show(value)}` };
  const minItems = limit(schema, 'minItems', 0);
  const maxItems = limit(schema, 'maxItems', Number.POSITIVE_INFINITY);
  if (value.length < minItems)
    return { path, text: `needs at least ${minItems} entry; it has none` };
  if (value.length > maxItems) {
    return { path, text: `takes at most ${maxItems} entries; it has ${value.length}` };
  }
  for (const [index, item] of value.entries()) {
    if (fits(schema.items, item)) continue;
    const problem = explainAt(schema.items, item, within(place, index));
    if (problem !== undefined) return problem;
  }
  const isUnique = Reflect.get(schema, 'uniqueItems') !== true || fits(schema, value);
  return isUnique ? undefined : { path, text: 'must not name anything twice' };
}

function explainString(schema: Type.TString, value: unknown, path: string): Problem | undefined {
  if (fits(schema, value)) return undefined;
  if (typeof value !== 'string') return { path, text: `must be a string; it is ${show(value)}` };
  const maxLength = limit(schema, 'maxLength', Infinity);
  const characters = charactersIn(value);
  if (characters < limit(schema, 'minLength', 0)) return { path, text: 'must not be empty' };
  if (characters > maxLength) {
    return { path, text: `takes at most ${maxLength} characters; it has ${characters}` };
  }
  return explainRule(schema, value, path) ?? { path, text: `has an invalid value: ${show(value)}` };
}

/** By the `rule` that stands next to a pattern or a bound, such as "one line of visible text". */
function explainRule(schema: TSchema, value: unknown, path: string): Problem | undefined {
  const rule: unknown = Reflect.get(schema, 'rule');
  if (typeof rule !== 'string') return undefined;
  return { path, text: `must be ${rule}; it is ${show(value)}` };
}

function charactersIn(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

function explainNumber(
  schema: Type.TInteger | Type.TNumber,
  value: unknown,
  path: string,
): Problem | undefined {
  const wanted = Type.IsInteger(schema) ? 'a whole number' : 'a number';
  if (fits(schema, value)) return undefined;
  const ruled = explainRule(schema, value, path);
  if (ruled !== undefined) return ruled;
  const isWrong = typeof value !== 'number' || !Number.isFinite(value);
  if (isWrong || (Type.IsInteger(schema) && !Number.isInteger(value))) {
    return { path, text: `must be ${wanted}; it is ${show(value)}` };
  }
  const minimum = limit(schema, 'minimum', Number.NEGATIVE_INFINITY);
  const maximum = limit(schema, 'maximum', Number.POSITIVE_INFINITY);
  return { path, text: `must be ${wanted} from ${minimum} to ${maximum}; it is ${show(value)}` };
}

const validators = new WeakMap<TSchema, { Check(value: unknown): boolean }>();
/** Whether a value fits a schema, which is compiled when it is first asked for. */
function fits(schema: TSchema, value: unknown): boolean {
  const known = validators.get(schema);
  if (known !== undefined) return known.Check(value);
  validators.set(schema, Compile(schema));
  return fits(schema, value);
}

/** A bound that a schema may set; the library types it on none of its schemas. */
function limit(schema: TSchema, name: string, otherwise: number): number {
  const value = Reflect.get(schema, name);
  return typeof value === 'number' ? value : otherwise;
}

function hasTypeOf(schema: TSchema, value: unknown): boolean {
  if (Type.IsString(schema)) return typeof value === 'string';
  if (Type.IsArray(schema)) return Array.isArray(value);
  if (Type.IsObject(schema)) return isRecord(value);
  if (Type.IsInteger(schema) || Type.IsNumber(schema)) return typeof value === 'number';
  if (Type.IsBoolean(schema)) return typeof value === 'boolean';
  if (Type.IsNull(schema)) return value === null;
  return Type.IsLiteral(schema) && value === schema.const;
}

function typeName(schema: TSchema): string {
  if (Type.IsString(schema)) return 'a string';
  if (Type.IsEnum(schema)) return schema.enum.map((word) => JSON.stringify(word)).join(' or ');
  if (Type.IsArray(schema)) return 'a list';
  if (Type.IsObject(schema)) return 'an object';
  if (Type.IsInteger(schema)) return 'a whole number';
  if (Type.IsNumber(schema)) return 'a number';
  if (Type.IsBoolean(schema)) return 'true or false';
  if (Type.IsNull(schema)) return 'null';
  return Type.IsLiteral(schema) ? JSON.stringify(schema.const) : 'another value';
}

/** A value as a message may show it: short, and never a whole prompt. */
function show(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
