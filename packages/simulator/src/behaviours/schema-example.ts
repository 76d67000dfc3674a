import querystring from 'node:querystring';
import { isRecord } from '../lib/wire.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Walk {
  readonly root: unknown;
  /** Values so far: a schema that requires millions is truncated. */
  count: number;
}

interface Position {
  readonly name: string;
  readonly index: number;
  readonly depth: number;
  /** Following one of these `$ref`s again would never end. */
  readonly refs: readonly string[];
}

const valuesMax = 10_000;
const depthMax = 32;
const textCharactersMax = 100_000;

/**
 * Deterministic. Supports the common keywords; only `examples`, `default`, `const` or `enum` can
 * match a `pattern`.
 */
export function exampleOf(schema: unknown): unknown {
  const walk = { root: schema, count: 0 };
  return exampleAt(walk, schema, { name: 'text', index: 0, depth: 0, refs: [] });
}

function exampleAt(walk: Walk, schema: unknown, position: Position): unknown {
  walk.count++;
  if (walk.count > valuesMax || position.depth > depthMax) return null;
  const { merged, refs } = flatten(walk, schema, position.refs);
  const here = { ...position, refs };
  if ('const' in merged) return merged.const;
  const listed = [merged.enum, merged.examples].find(isFilledArray);
  if (listed !== undefined) return listed[position.index % listed.length];
  if ('default' in merged) return merged.default;
  switch (typeOf(merged)) {
    case 'object':
      return objectOf(walk, merged, here);
    case 'array':
      return arrayOf(walk, merged, here);
    case 'integer':
      return numberOf(merged, here, 1);
    case 'number':
      return numberOf(merged, here, 0);
    case 'boolean':
      return position.index % 2 === 0;
    case 'null':
      return null;
    default:
      return textOf(merged, here);
  }
}

/** Merges all requirements: of `$ref`, of `allOf`, and of one branch of `anyOf` and `oneOf`. */
function flatten(walk: Walk, schema: unknown, refs: readonly string[]) {
  const parts: Schema[] = [];
  const followed: string[] = [];
  const queue = [schema];
  for (const part of queue) {
    if (!isRecord(part) || queue.length > valuesMax) continue;
    parts.push(part);
    const reference = part.$ref;
    if (typeof reference === 'string' && !followed.includes(reference)) {
      followed.push(reference);
      queue.push(resolve(walk.root, reference));
    }
    if (Array.isArray(part.allOf)) queue.push(...part.allOf);
    for (const branches of [part.anyOf, part.oneOf]) {
      if (isFilledArray(branches)) queue.push(branchOf(branches, [...refs, ...followed]));
    }
  }
  return { merged: parts.reduce(merge, {}), refs: [...refs, ...followed] };
}

function branchOf(branches: readonly unknown[], refs: readonly string[]): unknown {
  return branches.find((branch) => !leadsBack(branch, refs)) ?? branches[0];
}

function leadsBack(schema: unknown, refs: readonly string[]): boolean {
  return isRecord(schema) && typeof schema.$ref === 'string' && refs.includes(schema.$ref);
}

function resolve(root: unknown, reference: string): unknown {
  let value = root;
  for (const part of reference.replace(/^#\/?/, '').split('/')) {
    if (part === '') continue;
    const key = querystring.unescape(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isRecord(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

function merge(into: Schema, part: Schema): Schema {
  const merged: Record<string, unknown> = { ...into, ...part };
  if (isRecord(into.properties) && isRecord(part.properties)) {
    merged.properties = mergeProperties(into.properties, part.properties);
  }
  if (Array.isArray(into.required) && Array.isArray(part.required)) {
    merged.required = [...new Set([...into.required, ...part.required])];
  }
  if (Array.isArray(into.enum) && Array.isArray(part.enum)) {
    const allowed = new Set(part.enum);
    merged.enum = into.enum.filter((value) => allowed.has(value));
  }
  for (const key of ['minimum', 'exclusiveMinimum', 'minLength', 'minItems']) {
    const [one, other] = [into[key], part[key]];
    if (typeof one === 'number' && typeof other === 'number') merged[key] = Math.max(one, other);
  }
  for (const key of ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']) {
    const [one, other] = [into[key], part[key]];
    if (typeof one === 'number' && typeof other === 'number') merged[key] = Math.min(one, other);
  }
  return merged;
}

function mergeProperties(one: Schema, other: Schema): Schema {
  const entries = new Map(Object.entries(one));
  for (const [name, schema] of Object.entries(other)) {
    entries.set(name, entries.has(name) ? { allOf: [entries.get(name), schema] } : schema);
  }
  return Object.fromEntries(entries);
}

function typeOf(schema: Schema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? type[0];
  if (type !== undefined) return type;
  if ('properties' in schema || 'required' in schema) return 'object';
  if ('items' in schema || 'prefixItems' in schema || 'minItems' in schema) return 'array';
  if ('minimum' in schema || 'maximum' in schema || 'multipleOf' in schema) return 'number';
  return 'string';
}

function objectOf(walk: Walk, schema: Schema, position: Position): unknown {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = new Set<string>();
  if (Array.isArray(schema.required)) {
    for (const name of schema.required) if (typeof name === 'string') required.add(name);
  }
  const entries: [string, unknown][] = [];
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const own = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
    if (!required.has(name) && (own === false || leadsBack(own, position.refs))) continue;
    entries.push([name, exampleAt(walk, own, { ...position, name, depth: position.depth + 1 })]);
  }
  // fromEntries makes own properties even of a name like __proto__.
  return Object.fromEntries(entries);
}

function arrayOf(walk: Walk, schema: Schema, position: Position): unknown[] {
  const tuple = [schema.prefixItems, schema.items].find(isFilledArray) ?? [];
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  const least = Math.max(numberIn(schema, 'minItems') ?? 0, tuple.length);
  const preferred = least === 0 && rest !== false && !leadsBack(rest, position.refs) ? 1 : least;
  const length = Math.min(preferred, numberIn(schema, 'maxItems') ?? preferred);
  const items: unknown[] = [];
  while (items.length < length && walk.count < valuesMax) {
    const index = items.length;
    const own = index < tuple.length ? tuple[index] : rest;
    items.push(exampleAt(walk, own, { ...position, index, depth: position.depth + 1 }));
  }
  return items;
}

/** `grain` is 1 for whole numbers, 0 for any. */
function numberOf(schema: Schema, position: Position, grain: number): number {
  const above = numberIn(schema, 'exclusiveMinimum');
  const below = numberIn(schema, 'exclusiveMaximum');
  const step = numberIn(schema, 'multipleOf') ?? grain;
  const least = Math.max(numberIn(schema, 'minimum') ?? -Infinity, above ?? -Infinity);
  const most = Math.min(numberIn(schema, 'maximum') ?? Infinity, below ?? Infinity);
  if (step === 0) {
    if (least < 1 && most > 1) return 1 + (most - least > position.index + 2 ? position.index : 0);
    if (least === -Infinity) return most - 1;
    return most === Infinity ? least + 1 + position.index : (least + most) / 2;
  }
  let value = Math.ceil(Math.max(least, Math.min(1, most)) / step) * step;
  if (value === above) value += step;
  if (value > most || value === below) value = Math.floor(most / step) * step;
  if (value === below) value -= step;
  const next = value + position.index * step;
  return next > most || next === below ? value : next;
}

const textsByFormat: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  time: '00:00:00Z',
  'date-time': '2026-01-01T00:00:00Z',
  duration: 'P1D',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function textOf(schema: Schema, position: Position): string {
  const { format } = schema;
  if (typeof format === 'string' && Object.hasOwn(textsByFormat, format)) {
    return textsByFormat[format] ?? '';
  }
  const text = position.index === 0 ? position.name : `${position.index + 1} ${position.name}`;
  const least = Math.min(numberIn(schema, 'minLength') ?? 0, textCharactersMax);
  const characters = Array.from(text.padEnd(least, '.'));
  return characters.slice(0, numberIn(schema, 'maxLength') ?? characters.length).join('');
}

function numberIn(schema: Schema, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
}

function isFilledArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}
