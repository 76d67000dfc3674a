import { meaningfulFields } from '../../../domain/row-fields.ts';
import { hasLongNumber, holdsLongNumber } from '../../../lib/json-size.ts';
import { isRecord, joinPath, writeJson } from '../../../lib/json-value.ts';
import { invalid } from '../../body/parse.ts';
import type { Inspected, Shape, ShapeRules } from './shape.ts';

type Path = readonly (string | number)[];

/** Throws INVALID with the refused path. */
export function inspect(shape: Shape, body: unknown, rules: ShapeRules): Inspected {
  const found: Inspected = {
    ...{ edits: [], dropped: [], schemas: [], images: 0, imageBytes: 0, addedTokens: 0 },
    isUnbounded: false,
    ...{ longField: undefined, isLongStated: false, hasShort: false, isLongDefault: false },
  };
  const fault = look({ rules, found, isPast: false }, shape, body, []);
  if (fault !== undefined) throw invalid(named(fault.path), fault.text);
  return found;
}

interface Look {
  readonly rules: ShapeRules;
  readonly found: Inspected;
  readonly isPast: boolean;
}

/** Refuses the body, unless its part can be left out. */
interface Fault {
  readonly path: Path;
  readonly text: string;
  /** `unknown`: an unknown kind of part; `unbounded`: bytes do not bound its cost. */
  readonly kind: 'unknown' | 'unbounded' | 'wrong';
}

function look(by: Look, shape: Shape, value: unknown, path: Path): Fault | undefined {
  if (shape === 'any' || value === null || value === undefined) return undefined;
  if (shape === 'unsent') return leaveOut(by, path);
  if (shape === 'json-text') {
    const isLong = typeof value === 'string' && hasLongNumber(value);
    return isLong ? wrong(path, holdsLongNumber) : undefined;
  }
  if (shape === 'media-type') {
    const type = typeof value === 'string' ? value.toLowerCase() : value;
    if (type !== value) by.found.edits.push({ path, json: writeJson(type) });
    return undefined;
  }
  if (shape === 'image') return lookAtImage(by, value, path);
  if ('imageUrl' in shape) return lookAtImage(by, value, path, shape.imageUrl);
  if ('refused' in shape) {
    if (value === false) return undefined;
    return { path, text: shape.refused, kind: shape.isAlways ? 'wrong' : 'unbounded' };
  }
  if ('unbounded' in shape) return lookAtUnbounded(by, shape.unbounded, path);
  if ('only' in shape) {
    return shape.only.includes(value) ? undefined : wrong(path, onlyOf(shape.only));
  }
  if ('words' in shape) {
    const isWord = shape.words.some((word) => word === value);
    return isWord ? undefined : wrong(path, `must be ${alternatives(shape.words)}`);
  }
  if ('lifetime' in shape) return lookAtLifetime(by, shape, value, path);
  if ('list' in shape) return lookAtList(by, shape, value, path);
  if ('kindOf' in shape) return lookAtKind(by, shape, value, path);
  return lookAtFields(by, shape, value, path);
}

function lookAtUnbounded({ rules, found }: Look, text: string, path: Path): Fault | undefined {
  if (rules.unboundedInput === 'refuse') return { path, text, kind: 'unbounded' };
  found.isUnbounded = true;
  return undefined;
}

function lookAtImage(by: Look, value: unknown, path: Path, start?: RegExp): Fault | undefined {
  const { found } = by;
  if (typeof value !== 'string') return wrong(path, 'must be a string');
  if (start !== undefined && !start.test(value)) {
    const text = 'must be a data: URL of an image; other URLs are not supported';
    const fault = lookAtUnbounded(by, text, path);
    if (fault === undefined) found.images += 1;
    return fault;
  }
  if (start !== undefined) writeLower(found, value, path);
  found.images += 1;
  found.imageBytes += Buffer.byteLength(value);
  return undefined;
}

/** Platforms require lower-case types without parameters such as `;charset=utf-8`. */
function writeLower({ edits }: Inspected, url: string, path: Path) {
  const head = url.slice(0, url.indexOf(',') + 1);
  const [type = ''] = head.toLowerCase().split(';');
  const plain = `${type};base64,`;
  if (plain !== head && plain.length <= head.length && head.toLowerCase().endsWith(';base64,')) {
    edits.push({ path, json: JSON.stringify(plain + url.slice(head.length)) });
  }
}

function lookAtLifetime(
  { found }: Look,
  { lifetime: { short, long, areStated }, isDefault }: Extract<Shape, { lifetime: unknown }>,
  value: unknown,
  path: Path,
): Fault | undefined {
  if (value !== short && value !== long) return wrong(path, `must be ${short} or ${long}`);
  if (value === short) {
    found.hasShort = true;
    return undefined;
  }
  found.longField ??= named(path);
  found.isLongStated = areStated;
  if (isDefault) found.isLongDefault = true;
  return undefined;
}

function lookAtList(
  by: Look,
  shape: Extract<Shape, { list: unknown }>,
  value: unknown,
  path: Path,
): Fault | undefined {
  if (shape.orText === true && typeof value === 'string') return undefined;
  if (!Array.isArray(value)) return wrong(path, 'must be a list');
  const isPastItem = shape.pastOf?.(value);
  for (const [index, item] of value.entries()) {
    const isPast = isPastItem?.(item, index) ?? by.isPast;
    const inner = [...path, index];
    const { edits, dropped } = by.found;
    const before = [edits.length, dropped.length] as const;
    const fault =
      item === null && shape.list !== 'any'
        ? ({ path: inner, text: 'must not be null', kind: 'unknown' } as const)
        : look({ ...by, isPast }, shape.list, item, inner);
    if (fault === undefined) continue;
    if (shape.leftOut === undefined || !mayGo(fault, isPast, by.rules)) return fault;
    [edits.length, dropped.length] = before;
    leaveOut(by, inner, shape.leftOut.json);
  }
  return undefined;
}

/** Strict for new content and price changes; lenient for history, which repeats. */
function mayGo({ kind }: Fault, isPast: boolean, { unknownFields }: ShapeRules): boolean {
  if (kind === 'unknown') return isPast || unknownFields === 'ignore';
  return kind === 'unbounded' && isPast;
}

function lookAtKind(
  by: Look,
  shape: Extract<Shape, { kindOf: unknown }>,
  value: unknown,
  path: Path,
): Fault | undefined {
  if (!isRecord(value)) return wrong(path, 'must be an object');
  const kind = shape.kindOf(value.type, value);
  if (kind === undefined) {
    const isJudged = by.isPast || by.rules.unknownFields !== 'keep';
    return isJudged ? { path: [...path, 'type'], text: unknownText, kind: 'unknown' } : undefined;
  }
  if (kind !== 'server-tool') return look(by, kind, value, path);
  if (by.rules.serverTools === 'refuse') {
    const text = 'runs on the platform, and no reservation covers its cost';
    return wrong([...path, 'type'], text);
  }
  by.found.edits.push({ path, json: undefined });
  return undefined;
}

function lookAtFields(
  by: Look,
  shape: Extract<Shape, { fields: unknown }>,
  value: unknown,
  path: Path,
): Fault | undefined {
  if (!isRecord(value)) return wrong(path, 'must be an object');
  if (shape.named !== undefined && typeof value[shape.named] !== 'string') {
    return wrong([...path, shape.named], 'must be a string');
  }
  by.found.addedTokens += shape.tokens ?? 0;
  if (shape.isSchema) by.found.schemas.push(value);
  for (const [name, field] of Object.entries(value)) {
    const inner = [...path, name];
    const known = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    const fault = known === undefined ? unknown(by, inner) : look(by, known, field, inner);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function unknown(by: Look, path: Path): Fault | undefined {
  const { unknownFields } = by.rules;
  const isKept = unknownFields === 'keep';
  // Without such a field the request is another one.
  if (path.length === 1 && !isKept && meaningfulFields.has(String(path[0]))) {
    return wrong(path, 'changes the output or its cost, and is not forwarded; remove it');
  }
  if (by.isPast || unknownFields === 'ignore') return leaveOut(by, path);
  return isKept ? undefined : wrong(path, unknownText);
}

const unknownText = 'is not supported, and unknown fields are not forwarded; remove it';

function leaveOut({ found }: Look, path: Path, json?: string): undefined {
  found.edits.push({ path, json });
  found.dropped.push(named(path));
  // The text in its place may be longer than it was.
  if (json !== undefined) found.addedTokens += json.length;
}

function wrong(path: Path, text: string): Fault {
  return { path, text, kind: 'wrong' };
}

function onlyOf(values: readonly unknown[]): string {
  return `must be ${alternatives(values)}; other values have a different price`;
}

function alternatives(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' or ');
}

function named(path: Path): string {
  return path.reduce<string>((whole, step) => joinPath(whole, step), '');
}
