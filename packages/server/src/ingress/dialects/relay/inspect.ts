import { meaningfulFields } from '../../../domain/row-fields.ts';
import { hasLongNumber, longNumberProblem } from '../../../lib/json-size.ts';
import { isRecord, joinPath, writeJson } from '../../../lib/json-value.ts';
import { invalid } from '../../body/parse.ts';
import type { Inspected, Shape, ShapeRules } from './shape.ts';

type Path = readonly (string | number)[];

/** Throws INVALID with the rejected path. */
export function inspect(shape: Shape, body: unknown, rules: ShapeRules): Inspected {
  const inspected: Inspected = {
    ...{ edits: [], dropped: [], schemas: [], images: 0, imageBytes: 0, addedTokens: 0 },
    isUnbounded: false,
    ...{ longField: undefined, isLongReported: false, hasShort: false, isLongDefault: false },
  };
  const fault = inspectValue({ rules, inspected, isPast: false }, shape, body, []);
  if (fault !== undefined) throw invalid(named(fault.path), fault.text);
  return inspected;
}

interface Inspection {
  readonly rules: ShapeRules;
  readonly inspected: Inspected;
  readonly isPast: boolean;
}

/** Rejects the body, unless the faulty part can be dropped. */
interface Fault {
  readonly path: Path;
  readonly text: string;
  /** `unknown`: an unknown kind of part; `unbounded`: bytes do not bound its cost. */
  readonly kind: 'unknown' | 'unbounded' | 'wrong';
}

function inspectValue(by: Inspection, shape: Shape, value: unknown, path: Path): Fault | undefined {
  if (shape === 'any' || value === null || value === undefined) return undefined;
  if (shape === 'unsent') return leaveOut(by, path);
  if (shape === 'json-text') {
    const isLong = typeof value === 'string' && hasLongNumber(value);
    return isLong ? wrong(path, longNumberProblem) : undefined;
  }
  if (shape === 'media-type') {
    const type = typeof value === 'string' ? value.toLowerCase() : value;
    if (type !== value) by.inspected.edits.push({ path, json: writeJson(type) });
    return undefined;
  }
  if (shape === 'image') return checkImage(by, value, path);
  if ('imageUrl' in shape) return checkImage(by, value, path, shape.imageUrl);
  if ('refused' in shape) {
    if (value === false) return undefined;
    return { path, text: shape.refused, kind: shape.isAlways ? 'wrong' : 'unbounded' };
  }
  if ('unbounded' in shape) return checkUnbounded(by, shape.unbounded, path);
  if ('only' in shape) {
    return shape.only.includes(value) ? undefined : wrong(path, onlyOf(shape.only));
  }
  if ('words' in shape) {
    const isWord = shape.words.some((word) => word === value);
    return isWord ? undefined : wrong(path, `must be ${alternatives(shape.words)}`);
  }
  if ('lifetime' in shape) return checkLifetime(by, shape, value, path);
  if ('list' in shape) return checkList(by, shape, value, path);
  if ('kindOf' in shape) return checkKind(by, shape, value, path);
  return checkFields(by, shape, value, path);
}

function checkUnbounded(
  { rules, inspected }: Inspection,
  text: string,
  path: Path,
): Fault | undefined {
  if (rules.unboundedInput === 'refuse') return { path, text, kind: 'unbounded' };
  inspected.isUnbounded = true;
  return undefined;
}

function checkImage(by: Inspection, value: unknown, path: Path, start?: RegExp): Fault | undefined {
  const { inspected } = by;
  if (typeof value !== 'string') return wrong(path, 'must be a string');
  if (start !== undefined && !start.test(value)) {
    const text = 'must be a data: URL of an image; other URLs are not supported';
    const fault = checkUnbounded(by, text, path);
    if (fault === undefined) inspected.images += 1;
    return fault;
  }
  if (start !== undefined) writeLower(inspected, value, path);
  inspected.images += 1;
  inspected.imageBytes += Buffer.byteLength(value);
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

function checkLifetime(
  { inspected }: Inspection,
  { lifetime: { short, long, areReported }, isDefault }: Extract<Shape, { lifetime: unknown }>,
  value: unknown,
  path: Path,
): Fault | undefined {
  if (value !== short && value !== long) return wrong(path, `must be ${short} or ${long}`);
  if (value === short) {
    inspected.hasShort = true;
    return undefined;
  }
  inspected.longField ??= named(path);
  inspected.isLongReported = areReported;
  if (isDefault) inspected.isLongDefault = true;
  return undefined;
}

function checkList(
  by: Inspection,
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
    const { edits, dropped } = by.inspected;
    const before = [edits.length, dropped.length] as const;
    const fault =
      item === null && shape.list !== 'any'
        ? ({ path: inner, text: 'must not be null', kind: 'unknown' } as const)
        : inspectValue({ ...by, isPast }, shape.list, item, inner);
    if (fault === undefined) continue;
    if (shape.placeholder === undefined || !canDrop(fault, isPast, by.rules)) return fault;
    [edits.length, dropped.length] = before;
    leaveOut(by, inner, shape.placeholder.json);
  }
  return undefined;
}

/** Strict for new content and price changes. Lenient for history, because clients resend it. */
function canDrop({ kind }: Fault, isPast: boolean, { unknownFields }: ShapeRules): boolean {
  if (kind === 'unknown') return isPast || unknownFields === 'ignore';
  return kind === 'unbounded' && isPast;
}

function checkKind(
  by: Inspection,
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
  if (kind !== 'server-tool') return inspectValue(by, kind, value, path);
  if (by.rules.serverTools === 'refuse') {
    const text = 'runs on the platform, and no reservation covers its cost';
    return wrong([...path, 'type'], text);
  }
  by.inspected.edits.push({ path, json: undefined });
  return undefined;
}

function checkFields(
  by: Inspection,
  shape: Extract<Shape, { fields: unknown }>,
  value: unknown,
  path: Path,
): Fault | undefined {
  if (!isRecord(value)) return wrong(path, 'must be an object');
  if (shape.named !== undefined && typeof value[shape.named] !== 'string') {
    return wrong([...path, shape.named], 'must be a string');
  }
  by.inspected.addedTokens += shape.tokens ?? 0;
  if (shape.isSchema) by.inspected.schemas.push(value);
  for (const [name, field] of Object.entries(value)) {
    const inner = [...path, name];
    const known = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    const fault = known === undefined ? unknown(by, inner) : inspectValue(by, known, field, inner);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function unknown(by: Inspection, path: Path): Fault | undefined {
  const { unknownFields } = by.rules;
  const isForwarded = unknownFields === 'keep';
  // Without this field the request has another meaning.
  if (path.length === 1 && !isForwarded && meaningfulFields.has(String(path[0]))) {
    return wrong(path, 'changes the output or its cost, and is not forwarded; remove it');
  }
  if (by.isPast || unknownFields === 'ignore') return leaveOut(by, path);
  return isForwarded ? undefined : wrong(path, unknownText);
}

const unknownText = 'is not supported, and unknown fields are not forwarded; remove it';

function leaveOut({ inspected }: Inspection, path: Path, json?: string): undefined {
  inspected.edits.push({ path, json });
  inspected.dropped.push(named(path));
  // The replacement can be longer than the original text.
  if (json !== undefined) inspected.addedTokens += json.length;
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
