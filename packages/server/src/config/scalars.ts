import { appNamePattern, nameRule } from '../domain/key-name.ts';
import { isUtcDay, utcDayRule } from '../lib/clock.ts';
import { mustBe, mustBeOneOf, quote, rangeOf, tooMany } from '../lib/sentences.ts';
import { type Field, type Read, report } from './field.ts';
import { type Reader, reader, textSchema, valueSchema, wordSchema } from './reader.ts';
import { isEmpty } from './tree.ts';

export const text = reader({ type: 'string', minLength: 1 }, (field) => {
  const { tree } = field;
  if (tree.kind === 'broken') return undefined;
  if (tree.kind !== 'scalar')
    return report(field, 'must be a single value, not a list or a section');
  if (isEmpty(tree) || tree.text === '') {
    return report(field, 'is empty; set a value, or remove the key');
  }
  if (/\p{Cc}/u.test(tree.text)) {
    return report(field, 'contains a line break or another control character');
  }
  return tree.text;
});

/** Shows the file's text, never a variable's value. */
export function shown(field: Field): string {
  if (field.tree.kind !== 'scalar') return 'this';
  return quote(field.tree.written, 60);
}

/** Text of a certain form; `rule` follows "must be". */
export function textLike(pattern: RegExp, rule: string): Reader<string> {
  return parsed(textSchema(pattern.source), rule, (value) =>
    pattern.test(value) ? value : undefined,
  );
}

export function parsed<T>(
  schema: Reader<T>['schema'],
  rule: string,
  parse: (value: string) => T | undefined,
): Reader<T> {
  return reader(schema, (field) => {
    const value = text(field);
    if (value === undefined) return undefined;
    return parse(value) ?? report(field, mustBe(rule, shown(field)));
  });
}

export function shortText(charactersMax: number): Reader<string> {
  return reader({ ...text.schema, maxLength: charactersMax }, (field) => {
    const value = text(field);
    if (value === undefined || value.length <= charactersMax) return value;
    return report(field, tooMany(charactersMax, 'characters', value.length));
  });
}

/** Rejects a value that an earlier field with the same reader has. */
export function unique<T extends string>(read: Read<T>): Read<T> {
  const firstPaths = new Map<string, string>();
  return (field) => {
    const value = read(field);
    if (value === undefined) return undefined;
    const first = firstPaths.get(value);
    if (first !== undefined) return report(field, `${shown(field)} is already used at ${first}`);
    firstPaths.set(value, field.path);
    return value;
  };
}

/** `what`: the thing whose name is part of other names, such as a scope's. */
export function shortName(what: string): Reader<string> {
  return textLike(appNamePattern, nameRule(what));
}

export const utcDay: Reader<string> = parsed(
  textSchema(String.raw`^\d{4}-\d{2}-\d{2}$`),
  utcDayRule,
  (value) => (isUtcDay(value) ? value : undefined),
);

export const yesOrNo: Reader<boolean> = parsed(
  valueSchema('boolean', '^(true|false)$'),
  'true or false',
  (value) => (value === 'true' || value === 'false' ? value === 'true' : undefined),
);

export function oneOf<Word extends string>(words: readonly Word[]): Reader<Word> {
  return reader(wordSchema(words), (field) => {
    const value = text(field);
    const word = words.find((known) => known === value);
    return value === undefined || word !== undefined ? word : notOneOf(field, value, words);
  });
}

/** Longer lists of keys or words are cut here. */
export const listedMax = 8;

/** `group`: the owner of the words. */
export function notOneOf(
  field: Field,
  word: string,
  words: readonly string[],
  group?: string,
): undefined {
  return report(field, mustBeOneOf(words, { word, shown: shown(field), group }, listedMax));
}

function wholeNumber(
  bounds: { readonly minimum: number; readonly maximum: number },
  what = 'a whole number',
): Reader<number> {
  const { minimum, maximum } = bounds;
  const digits = String.raw`^\d{1,${String(maximum).length}}$`;
  const pattern = new RegExp(digits);
  return parsed(valueSchema('integer', digits, bounds), what + rangeOf(bounds), (value) => {
    const number = pattern.test(value) ? Number(value) : -1;
    return number >= minimum && number <= maximum ? number : undefined;
  });
}

/** Far above any useful setting, far below the limit of exact sums. */
const countMax = 1e12;

export function count(minimum: 0 | 1): Reader<number> {
  return wholeNumber({ minimum, maximum: countMax });
}

/** Request threads of a process; far more than its processors. */
export const threads = wholeNumber({ minimum: 1, maximum: 64 });

export const maxUses = wholeNumber({ minimum: 0, maximum: 1_000 });

/** A longer timer would fire at once. */
const timerMsMax = 2 ** 31 - 1;

export function milliseconds(minimum: 0 | 1): Reader<number> {
  return wholeNumber({ minimum, maximum: timerMsMax }, 'a whole number of milliseconds');
}

/** A TCP port; 0 selects any free one. */
export const port = wholeNumber({ minimum: 0, maximum: 65_535 });

const decimal = String.raw`^\d{1,12}(\.\d{1,6})?$`;

export const positiveNumber: Reader<number> = parsed(
  valueSchema('number', decimal, { exclusiveMinimum: 0, exclusiveMaximum: countMax }),
  'a number above 0',
  (value) => (new RegExp(decimal).test(value) && Number(value) > 0 ? Number(value) : undefined),
);
