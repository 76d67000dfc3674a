import { bodyLimits } from '@model-gateway/contract';

/** What is wrong with a JSON value, and where in it. */
export interface ValueProblem {
  /** Such as `a.b[2]`; empty for the value itself. */
  readonly path: string;
  readonly text: string;
}

/**
 * What of a parsed JSON value could not be written as it was read: a number beyond what a double
 * holds, half a character, or nesting that no reader need follow. `level` counts the lists and
 * objects that it will stand in.
 */
export function findUnwritable(value: unknown, level = 0): ValueProblem | undefined {
  return find(value, '', level + 1);
}

/** Reads JSON text, wrapped, since `null` is JSON too; undefined when the text is none. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    /* it is no JSON: the caller decides what that means */
    return undefined;
  }
}

/** JSON text of a value; undefined when it is nested too deeply to be written. */
export function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    /* The stack ended before the nesting did. */
    return undefined;
  }
}

/** Whether a JSON value is an object, as against a list, a scalar or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of a JSON value; undefined where it is no object, or has none of that name. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** A string, a fraction, a negative or one beyond 2^53 is no count. Zero is. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/**
 * How many values a JSON value is, those within it included. By its names: of an object of many,
 * lists of all values or entries cost three times as much.
 */
export function countValues(value: unknown): number {
  let count = 1;
  if (Array.isArray(value)) {
    for (const item of value) count += countValues(item);
  } else if (isRecord(value)) {
    for (const name of Object.keys(value)) count += countValues(value[name]);
  }
  return count;
}

/** Adds a name or an index to a path. */
export function joinPath(path: string, name: string | number): string {
  if (typeof name === 'number') return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function find(value: unknown, path: string, depth: number): ValueProblem | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : halfCharacter(path);
  if (typeof value === 'number') {
    return Number.isFinite(value)
      ? undefined
      : { path, text: 'is a number beyond 1.8e308, the largest that can be kept' };
  }
  if (!isRecord(value) && !Array.isArray(value)) return undefined;
  if (depth > bodyLimits.jsonDepthMax) {
    return { path, text: `is nested deeper than ${bodyLimits.jsonDepthMax} levels` };
  }
  return isRecord(value) ? findInRecord(value, path, depth) : findInList(value, path, depth);
}

function findInRecord(
  value: Readonly<Record<string, unknown>>,
  path: string,
  depth: number,
): ValueProblem | undefined {
  for (const name of Object.keys(value)) {
    if (!name.isWellFormed()) return halfCharacter(path);
    const item = value[name];
    if (!mayHold(item)) continue;
    const found = find(item, joinPath(path, name), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInList(
  list: readonly unknown[],
  path: string,
  depth: number,
): ValueProblem | undefined {
  for (const [index, item] of list.entries()) {
    if (!mayHold(item)) continue;
    const found = find(item, joinPath(path, index), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Spares the path of most values, which are sound. */
function mayHold(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null;
}

function halfCharacter(path: string): ValueProblem {
  return { path, text: 'holds half of a surrogate pair, which is no character' };
}
