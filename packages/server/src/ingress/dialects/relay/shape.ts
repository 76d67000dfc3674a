import { hasLongNumber, holdsLongNumber } from '../../../lib/json-size.ts';
import type { JsonEdit } from '../../../lib/json-text.ts';
import { isRecord, joinPath } from '../../../lib/json-value.ts';
import { invalid } from '../../body/parse.ts';

/**
 * What a part of a relayed body may be. What is not in it is not sent: a closed list, since a field
 * that is not known may cost what no hold covers.
 */
export type Shape =
  /** Counts as bytes, and as nothing else, whatever it is. */
  | 'any'
  /** The same, and where it is a text, one of JSON. */
  | 'json-text'
  /** Base64 of an image. */
  | 'image'
  /** A URL that holds its image. */
  | 'image-url'
  /** Refused, unless it is null or false. */
  | { readonly refused: string }
  /** Input that its bytes do not bound: refused, or reserved as the whole context. */
  | { readonly unbounded: string }
  /** One of these: another value has another price. */
  | { readonly only: readonly unknown[] }
  /** One of these words: no other means anything. */
  | { readonly words: readonly string[] }
  /** For how long input is cached; `isDefault`: also the input that names no lifetime itself. */
  | { readonly lifetime: Lifetimes; readonly isDefault?: true }
  | { readonly list: Shape; readonly orText?: true }
  | {
      readonly fields: Readonly<Record<string, Shape>>;
      /** The field that must be a text; the others may be missing. */
      readonly named?: string;
      readonly tokens?: number;
    }
  | { readonly kindOf: (type: unknown) => Shape | 'server-tool' | undefined };

/** The lifetimes that a cache has. */
export interface Lifetimes {
  readonly short: string;
  readonly long: string;
  /** Whether responses state how much was cached for each. */
  readonly areStated: boolean;
}

/** What becomes of what a shape does not have. */
export interface ShapeRules {
  readonly unknownFields: 'refuse' | 'ignore';
  readonly serverTools: 'refuse' | 'remove';
  readonly unboundedInput: 'refuse' | 'hold-context';
}

/** What a body holds that its cost depends on, and what is taken out of it. */
export interface Inspected {
  readonly edits: JsonEdit[];
  images: number;
  imageBytes: number;
  /** Input that the platform adds for tools of its own. */
  addedTokens: number;
  /** Whether its bytes do not bound its tokens. */
  isUnbounded: boolean;
  /** The first field that requests the long lifetime of the cache. */
  longField: string | undefined;
  /** Whether responses state how much was cached for it. */
  isLongStated: boolean;
  /** Whether a field requests the short one. */
  hasShort: boolean;
  /** Whether the long one is that of all input that names none. */
  isLongDefault: boolean;
}

type Path = readonly (string | number)[];

/** Looks at every part of a body. Throws INVALID with the path of what is refused. */
export function inspect(shape: Shape, body: unknown, rules: ShapeRules): Inspected {
  const found: Inspected = {
    ...{ edits: [], images: 0, imageBytes: 0, addedTokens: 0, isUnbounded: false },
    ...{ longField: undefined, isLongStated: false, hasShort: false, isLongDefault: false },
  };
  look({ rules, found }, shape, body, []);
  return found;
}

interface Look {
  readonly rules: ShapeRules;
  readonly found: Inspected;
}

function look(by: Look, shape: Shape, value: unknown, path: Path): void {
  if (shape === 'any' || value === null || value === undefined) return;
  if (shape === 'json-text') {
    const isLong = typeof value === 'string' && hasLongNumber(value);
    if (isLong) throw invalid(named(path), holdsLongNumber);
  } else if (typeof shape === 'string') lookAtText(by, shape, value, path);
  else if ('refused' in shape) {
    if (value !== false) throw invalid(named(path), shape.refused);
  } else if ('unbounded' in shape) lookAtUnbounded(by, shape, path);
  else if ('only' in shape) {
    if (!shape.only.includes(value)) throw invalid(named(path), onlyOf(shape.only));
  } else if ('words' in shape) {
    const isWord = shape.words.some((word) => word === value);
    if (!isWord) throw invalid(named(path), `must be ${alternatives(shape.words)}`);
  } else if ('lifetime' in shape) lookAtLifetime(by, shape, value, path);
  else if ('list' in shape) {
    if (shape.orText === true && typeof value === 'string') return;
    if (!Array.isArray(value)) throw invalid(named(path), 'must be a list');
    for (const [index, item] of value.entries()) look(by, shape.list, item, [...path, index]);
  } else if ('kindOf' in shape) lookAtKind(by, shape, value, path);
  else lookAtFields(by, shape, value, path);
}

function lookAtUnbounded(
  { rules, found }: Look,
  { unbounded }: Extract<Shape, { unbounded: unknown }>,
  path: Path,
) {
  if (rules.unboundedInput === 'refuse') throw invalid(named(path), unbounded);
  found.isUnbounded = true;
}

const remoteImage = {
  unbounded: 'must be a data: URL; what another one holds is not known here',
} as const;

function lookAtText(by: Look, shape: string, value: unknown, path: Path) {
  const { found } = by;
  if (typeof value !== 'string') throw invalid(named(path), 'must be a string');
  if (shape === 'image-url' && !value.startsWith('data:')) {
    lookAtUnbounded(by, remoteImage, path);
  }
  found.images += 1;
  found.imageBytes += Buffer.byteLength(value);
}

function lookAtLifetime(
  { found }: Look,
  { lifetime: { short, long, areStated }, isDefault }: Extract<Shape, { lifetime: unknown }>,
  value: unknown,
  path: Path,
) {
  if (value !== short && value !== long) throw invalid(named(path), `must be ${short} or ${long}`);
  if (value === short) {
    found.hasShort = true;
    return;
  }
  found.longField ??= named(path);
  found.isLongStated = areStated;
  if (isDefault) found.isLongDefault = true;
}

function lookAtKind(
  by: Look,
  shape: Extract<Shape, { kindOf: unknown }>,
  value: unknown,
  path: Path,
) {
  if (!isRecord(value)) throw invalid(named(path), 'must be an object');
  const kind = shape.kindOf(value.type);
  if (kind === undefined) return unknown(by, [...path, 'type'], path);
  if (kind !== 'server-tool') return look(by, kind, value, path);
  if (by.rules.serverTools === 'refuse') {
    throw invalid(named([...path, 'type']), 'runs at the platform, where no hold covers its cost');
  }
  by.found.edits.push({ path, json: undefined });
}

function lookAtFields(
  by: Look,
  shape: Extract<Shape, { fields: unknown }>,
  value: unknown,
  path: Path,
) {
  if (!isRecord(value)) throw invalid(named(path), 'must be an object');
  if (shape.named !== undefined && typeof value[shape.named] !== 'string') {
    throw invalid(named([...path, shape.named]), 'must be a string');
  }
  by.found.addedTokens += shape.tokens ?? 0;
  for (const [name, field] of Object.entries(value)) {
    const inner = [...path, name];
    const known = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (known === undefined) unknown(by, inner, inner);
    else look(by, known, field, inner);
  }
}

/** What `path` names is not known; `part` is taken out with it. */
function unknown({ rules, found }: Look, path: Path, part: Path) {
  if (rules.unknownFields === 'refuse') {
    throw invalid(named(path), 'is not known here, and nothing unknown is sent on; leave it out');
  }
  found.edits.push({ path: part, json: undefined });
}

function onlyOf(values: readonly unknown[]): string {
  return `must be ${alternatives(values)}: others have a price of their own`;
}

function alternatives(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' or ');
}

function named(path: Path): string {
  return path.reduce<string>((whole, step) => joinPath(whole, step), '');
}
