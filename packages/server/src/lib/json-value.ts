import { bodyLimits } from '@model-gateway/contract';

export interface ValueProblem {
  readonly path: string;
  readonly text: string;
}

/**
 * Finds numbers beyond a double, lone surrogates and excess nesting, which cannot be written as
 * read. `level`: number of lists and objects around the value.
 */
export function findUnwritable(value: unknown, level = 0): ValueProblem | undefined {
  return find(value, '', level + 1);
}

/** Wrapped because `null` is valid JSON; undefined for invalid text. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    /* the caller decides how to treat invalid JSON */
    return undefined;
  }
}

/** Undefined if nested too deeply to be written. */
export function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    /* The nesting exceeded the stack. */
    return undefined;
  }
}

/** False for a list or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** Accepts only an integer from 0 to 2^53. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Iterates over names: lists of values or entries of a large object cost three times as much. */
export function countValues(value: unknown): number {
  let count = 1;
  if (Array.isArray(value)) {
    for (const item of value) count += countValues(item);
  } else if (isRecord(value)) {
    for (const name of Object.keys(value)) count += countValues(value[name]);
  }
  return count;
}

export function joinPath(path: string, name: string | number): string {
  if (typeof name === 'number') return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function find(value: unknown, path: string, depth: number): ValueProblem | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : halfCharacter(path);
  if (typeof value === 'number') {
    return Number.isFinite(value)
      ? undefined
      : { path, text: 'is larger than 1.8e308, the largest supported number' };
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
    const problem = find(item, joinPath(path, name), depth + 1);
    if (problem !== undefined) return problem;
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
    const problem = find(item, joinPath(path, index), depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function mayHold(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null;
}

function halfCharacter(path: string): ValueProblem {
  return { path, text: 'contains half of a surrogate pair, which is not a valid character' };
}
