import { isUtcDay } from '../lib/clock.ts';
import { orNearest } from '../lib/nearest.ts';
import { type Field, type Read, report } from './field.ts';
import { type Reader, reader, textSchema, valueSchema, wordSchema } from './reader.ts';
import { isEmpty } from './tree.ts';

/** The text of a field that holds one value. */
export const text = reader({ type: 'string', minLength: 1 }, (field) => {
  const { tree } = field;
  if (tree.kind === 'broken') return undefined;
  if (tree.kind !== 'scalar') return report(field, 'must be one value, no list and no section');
  if (isEmpty(tree) || tree.text === '') {
    return report(field, 'is empty; give it a value or remove the key');
  }
  if (/\p{Cc}/u.test(tree.text)) {
    return report(field, 'has a line break or another control character in it');
  }
  return tree.text;
});

/** A field's value for a sentence: as the file has it, so a variable's value is never shown. */
export function shown(field: Field): string {
  if (field.tree.kind !== 'scalar') return 'this';
  const { written } = field.tree;
  return JSON.stringify(written.length > 60 ? `${written.slice(0, 60)}…` : written);
}

/** Text of a certain form; `rule` ends the sentence `"…" is …`. */
export function textLike(pattern: RegExp, rule: string): Reader<string> {
  return parsed(textSchema(pattern.source), rule, (value) =>
    pattern.test(value) ? value : undefined,
  );
}

/** Text that means something; `rule` ends the sentence of what `parse` does not know. */
export function parsed<T>(
  schema: Reader<T>['schema'],
  rule: string | ((value: string) => string),
  parse: (value: string) => T | undefined,
): Reader<T> {
  return reader(schema, (field) => {
    const value = text(field);
    if (value === undefined) return undefined;
    const end = typeof rule === 'string' ? rule : rule(value);
    return parse(value) ?? report(field, `${shown(field)} is ${end}`);
  });
}

/** Text of at most so many characters. */
export function shortText(charactersMax: number): Reader<string> {
  return reader({ ...text.schema, maxLength: charactersMax }, (field) => {
    const value = text(field);
    if (value === undefined || value.length <= charactersMax) return value;
    return report(field, `is longer than ${charactersMax} characters`);
  });
}

/** A value that no field before has, of those that are read with the same reader. */
export function unique<T extends string>(read: Read<T>): Read<T> {
  const firstPaths = new Map<string, string>();
  return (field) => {
    const value = read(field);
    if (value === undefined) return undefined;
    const first = firstPaths.get(value);
    if (first !== undefined) return report(field, `${shown(field)} is ${first} already`);
    firstPaths.set(value, field.path);
    return value;
  };
}

/** A UTC day that the calendar has. */
export const utcDay: Reader<string> = parsed(
  textSchema(String.raw`^\d{4}-\d{2}-\d{2}$`),
  'not a valid UTC day; use for example 2027-03-31',
  (value) => (isUtcDay(value) ? value : undefined),
);

/** `true` or `false`. */
export const yesOrNo: Reader<boolean> = parsed(
  valueSchema('boolean', '^(true|false)$'),
  'neither true nor false',
  (value) => (value === 'true' || value === 'false' ? value === 'true' : undefined),
);

/** One of a few words. */
export function oneOf<Word extends string>(words: readonly Word[]): Reader<Word> {
  return parsed(
    wordSchema(words),
    (value) => `none of ${orNearest(value, words)}`,
    (value) => words.find((known) => known === value),
  );
}

/** A whole number of at most so many digits; `what` and the bounds end the sentence. */
function wholeNumber(
  what: string,
  bounds: { readonly minimum: number; readonly maximum: number },
): Reader<number> {
  const { minimum, maximum } = bounds;
  const digits = String.raw`^\d{1,${String(maximum).length}}$`;
  const pattern = new RegExp(digits);
  const rule = `${what} from ${minimum} to ${maximum}`;
  return parsed(valueSchema('integer', digits, bounds), rule, (value) => {
    const number = pattern.test(value) ? Number(value) : -1;
    return number >= minimum && number <= maximum ? number : undefined;
  });
}

/** Far above what an operator sets, far below where sums of such numbers would stop to be exact. */
const countMax = 1e12;

/** A whole number of at least `minimum`. */
export function count(minimum: 0 | 1): Reader<number> {
  return wholeNumber('no whole number', { minimum, maximum: countMax });
}

/** Request threads of a process: far more than it has processors. */
export const threads = wholeNumber('no whole number', { minimum: 1, maximum: 64 });

/** Uses of a tool that one call can reserve. */
export const maxUses = wholeNumber('not a whole number', { minimum: 0, maximum: 1_000 });

/** A timer of more milliseconds would fire at once. */
const timerMsMax = 2 ** 31 - 1;

/** Whole milliseconds, at least `minimum`, that a timer can wait. */
export function milliseconds(minimum: 0 | 1): Reader<number> {
  return wholeNumber('no whole number of milliseconds', { minimum, maximum: timerMsMax });
}

/** A TCP port; 0 takes any free one. */
export const port = wholeNumber('no port; write a whole number', { minimum: 0, maximum: 65_535 });

const decimal = String.raw`^\d{1,12}(\.\d{1,6})?$`;

/** A number above 0, such as 50 or 0.5. */
export const positiveNumber: Reader<number> = parsed(
  valueSchema('number', decimal, { exclusiveMinimum: 0, exclusiveMaximum: countMax }),
  'no number above 0',
  (value) => (new RegExp(decimal).test(value) && Number(value) > 0 ? Number(value) : undefined),
);
