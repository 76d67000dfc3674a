import { type Field, type Read, report } from './field.ts';
import { isEmpty } from './tree.ts';

/** The text of a field that holds one value. */
export function text(field: Field): string | undefined {
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
}

/** A field's value for a sentence: as the file has it, so a variable's value is never shown. */
export function shown(field: Field): string {
  if (field.tree.kind !== 'scalar') return 'this';
  const { written } = field.tree;
  return JSON.stringify(written.length > 60 ? `${written.slice(0, 60)}…` : written);
}

/** Text of a certain form; `rule` ends the sentence `"…" is …`. */
export function textLike(pattern: RegExp, rule: string): Read<string> {
  return (field) => {
    const value = text(field);
    if (value === undefined || pattern.test(value)) return value;
    return report(field, `${shown(field)} is ${rule}`);
  };
}

/** Text of at most so many characters. */
export function shortText(charactersMax: number): Read<string> {
  return (field) => {
    const value = text(field);
    if (value === undefined || value.length <= charactersMax) return value;
    return report(field, `is longer than ${charactersMax} characters`);
  };
}

/** A value that no field before has, of those that are read with the same reader. */
export function unique(read: Read<string>): Read<string> {
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

/** `true` or `false`. */
export function yesOrNo(field: Field): boolean | undefined {
  const value = text(field);
  if (value === undefined) return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  return report(field, `${shown(field)} is neither true nor false`);
}

/** One of a few words. */
export function oneOf<Word extends string>(words: readonly Word[]): Read<Word> {
  return (field) => {
    const value = text(field);
    if (value === undefined) return undefined;
    const word = words.find((known) => known === value);
    return word ?? report(field, `${shown(field)} is none of ${words.join(', ')}`);
  };
}

/** Far above what anybody sets, far below where sums of such numbers would stop to be exact. */
const countMax = 1e12;

/** A whole number of at least `min`. */
export function count(min: 0 | 1): Read<number> {
  return (field) => {
    const value = text(field);
    if (value === undefined) return undefined;
    const number = /^\d{1,13}$/.test(value) ? Number(value) : -1;
    if (number >= min && number <= countMax) return number;
    return report(field, `${shown(field)} is no whole number from ${min} to ${countMax}`);
  };
}

/** A timer of more milliseconds would fire at once. */
const timerMsMax = 2 ** 31 - 1;

/** Whole milliseconds, at least `min`, that a timer can wait. */
export function milliseconds(min: 0 | 1): Read<number> {
  return (field) => {
    const value = text(field);
    if (value === undefined) return undefined;
    const number = /^\d{1,10}$/.test(value) ? Number(value) : -1;
    if (number >= min && number <= timerMsMax) return number;
    return report(
      field,
      `${shown(field)} is no whole number of milliseconds from ${min} to ${timerMsMax}`,
    );
  };
}

/** A number above 0, such as 50 or 0.5. */
export function positiveNumber(field: Field): number | undefined {
  const value = text(field);
  if (value === undefined) return undefined;
  const number = /^\d{1,12}(\.\d{1,6})?$/.test(value) ? Number(value) : 0;
  return number > 0 ? number : report(field, `${shown(field)} is no number above 0`);
}

/** A TCP port; 0 takes any free one. */
export function port(field: Field): number | undefined {
  const value = text(field);
  if (value === undefined) return undefined;
  const number = /^\d{1,5}$/.test(value) ? Number(value) : -1;
  if (number >= 0 && number <= 65_535) return number;
  return report(field, `${shown(field)} is no port; write a whole number from 0 to 65535`);
}
