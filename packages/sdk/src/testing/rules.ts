import { isRecord } from '../lib/is-record.ts';

/** The problem with a value at a path, in words; `undefined` for a valid value. */
export type Rule = (value: unknown, path: string) => string | undefined;

/** The limits of a text. */
export interface TextBounds {
  readonly min?: number;
  readonly max?: number;
  /** A pattern for all of it, and its meaning in words. */
  readonly pattern?: RegExp;
  readonly of?: string;
}

export function text({ min = 0, max, pattern, of }: TextBounds = {}): Rule {
  const length = max === undefined ? `at least ${min}` : `${min} to ${max}`;
  return (value, path) => {
    const isText = typeof value === 'string' && (pattern === undefined || pattern.test(value));
    // In characters, as the service counts them: an emoji is one, and has two units.
    const characters = isText ? [...value].length : 0;
    if (isText && characters >= min && characters <= (max ?? characters)) return undefined;
    return `${path} must be a string of ${length} characters${of === undefined ? '' : ` ${of}`}`;
  };
}

/** One of these texts. */
export function oneOf(...names: readonly string[]): Rule {
  return (value, path) =>
    names.some((name) => name === value) ? undefined : `${path} must be ${names.join(' or ')}`;
}

/** A number within bounds, both included; whole where `isWhole` is true. */
export function numberFrom(min: number, max: number, isWhole = false): Rule {
  return (value, path) => {
    const isNumber = typeof value === 'number' && value >= min && value <= max;
    if (isNumber && (!isWhole || Number.isInteger(value))) return undefined;
    return `${path} must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`;
  };
}

/** A list whose entries all follow a rule. */
export function listOf(rule: Rule, { min = 0, max = Number.POSITIVE_INFINITY } = {}): Rule {
  return (value, path) => {
    if (!Array.isArray(value) || value.length < min || value.length > max) {
      const most = max === Number.POSITIVE_INFINITY ? '' : ` to ${max}`;
      return `${path} must be a list of ${min}${most} entries`;
    }
    return firstOf(value.map((entry, index) => () => rule(entry, `${path}[${index}]`)));
  };
}

/** An object with these fields and no others. */
export function record(
  required: Readonly<Record<string, Rule>>,
  optional: Readonly<Record<string, Rule>> = {},
): Rule {
  return (value, path) => {
    if (!isRecord(value)) return `${path === '' ? 'the request' : path} must be an object`;
    const at = (name: string) => (path === '' ? name : `${path}.${name}`);
    const unknown = Object.keys(value).find((name) => !(name in required) && !(name in optional));
    if (unknown !== undefined) return `${at(unknown)} is an unknown field`;
    return firstOf([
      ...Object.entries(required).map(([name, rule]) => () => {
        return value[name] === undefined ? `${at(name)} is missing` : rule(value[name], at(name));
      }),
      ...Object.entries(optional).map(([name, rule]) => () => {
        return value[name] === undefined ? undefined : rule(value[name], at(name));
      }),
    ]);
  };
}

/** Any object. */
export const anyRecord: Rule = (value, path) =>
  isRecord(value) ? undefined : `${path} must be an object`;

/** Anything that JSON can carry. */
export const anything: Rule = () => undefined;

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}
