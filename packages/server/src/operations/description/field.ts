import { formatUsd, parseUsd, picoUsdMax } from '../../lib/money.ts';
import type { SchemaFacts } from '../../lib/sentences.ts';
import { mustBeOneOf } from '../../lib/sentences.ts';
import { forms, lineForm } from '../documents/forms.ts';

/** The JSON Schema checks requests and options by one rule; `decode` reads the checked value. */
export interface Field<Value> {
  readonly schema: SchemaFacts & { readonly description?: string };
  /** For the command's help and the route's description. */
  readonly about: string;
  /** `amount` of `--usd <amount>`; empty for an option without a value. */
  readonly placeholder: string;
  readonly isRequired: boolean;
  readonly isArgument?: boolean;
  /** Set if it differs from the field's name, such as `grace-period` for `graceMinutes`. */
  readonly option?: string;
  /** A deprecated option of the field, or a deprecated flag that meant its `word`. */
  readonly was?: { readonly name: string; readonly word?: string };
  /** Only for a deprecated field: the field and word that replace it. */
  readonly replacement?: Replacement;
  readonly isHidden?: boolean;
  /** Requests have no such field, for example if it changes only terminal output. */
  readonly isCommandOnly?: boolean;
  /** The flag's value is the text on standard input. */
  readonly isStandardInput?: boolean;
  /** True for a repeatable option or an argument of several words; JSON has a list. */
  readonly isRepeated?: boolean;
  /** The help of `--no-…`, whose value is false. */
  readonly negated?: string;
  /** The option's default. Requests have no default. */
  readonly initial?: string;
  readonly words?: readonly string[];
  /** A text without a JSON meaning is returned unchanged. */
  fromText(text: string, nowMs: number): unknown;
  /** Throws a FieldFault for values that the schema cannot exclude. */
  decode(checked: unknown): Value;
}

export interface Replacement {
  readonly name: string;
  readonly word?: string;
  /** The replacement as an option, such as `--order cost`. */
  readonly instead: string;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

export type Input<F> = { readonly [Name in keyof F]: F[Name] extends Field<infer V> ? V : never };

/** A predicate about a value that fits its schema, such as `must be …; it is …`. */
export class FieldFault extends Error {
  override readonly name = 'FieldFault';
}

export type Parts<Value> = Pick<Field<Value>, 'about' | 'placeholder' | 'decode'> &
  Partial<Pick<Field<Value>, 'fromText' | 'option' | 'words'>>;

export function field<Value>(schema: SchemaFacts, parts: Parts<Value>): Field<Value> {
  const described = { ...schema, description: parts.about };
  return { fromText: String, isRequired: true, ...parts, schema: described };
}

export function line(maxLength: number, about: string, placeholder = 'text'): Field<string> {
  return field(lineForm(maxLength), { about, placeholder, decode: String });
}

/** `rule` completes the sentence "must be …". */
export function matching(
  pattern: RegExp,
  parts: { readonly rule: string; readonly about: string; readonly placeholder: string },
): Field<string> {
  const { rule, ...rest } = parts;
  return field({ type: 'string', pattern: pattern.source, rule }, { ...rest, decode: String });
}

export function text(about: string, placeholder: string): Field<string> {
  return field({ type: 'string', minLength: 1 }, { about, placeholder, decode: String });
}

/** Accepts any form: an unknown id is not found anyway. */
export function id(about: string): Field<string> {
  return text(about, 'id');
}

export function app(about: string): Field<string> {
  return text(about, 'app');
}

export function appNames(about: string): Field<readonly string[]> {
  return listed(forms.appName, about, 'apps');
}

export function modelIds(about: string): Field<readonly string[]> {
  return listed(forms.model, about, 'ids');
}

export function listed(
  items: SchemaFacts,
  about: string,
  placeholder: string,
): Field<readonly string[]> {
  return field(listOf(items), {
    ...{ about, placeholder },
    fromText: (text) => text.split(',').map((name) => name.trim()),
    decode: (checked) => [checked].flat().map(String),
  });
}

function listOf(items: SchemaFacts): SchemaFacts {
  return { type: 'array', items, minItems: 1, maxItems: 1_000, uniqueItems: true };
}

/** Counts from 1. */
export function count(maximum: number, about: string): Field<number> {
  return field(
    { type: 'integer', minimum: 1, maximum },
    { about, placeholder: 'n', fromText: numberOf, decode: Number },
  );
}

function numberOf(text: string): unknown {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

export function oneOf<const Word extends string>(
  words: readonly Word[],
  about: string,
  placeholder: string,
): Field<Word> {
  return field(
    { enum: words },
    {
      ...{ about, placeholder, words },
      decode(checked) {
        const word = words.find((each) => each === checked);
        if (word === undefined) throw new FieldFault(mustBeOneOf(words, { word: checked }));
        return word;
      },
    },
  );
}

/** Decodes exact decimal USD, from 0, to pico-USD. */
export function usd(about: string): Field<bigint> {
  return field(forms.amount, {
    ...{ about, placeholder: 'amount' },
    decode(checked) {
      const amount = parseUsd(String(checked));
      if (amount !== undefined) return amount;
      throw new FieldFault(
        `must have at most 12 decimals and be at most ${formatUsd(picoUsdMax)}; it is "${checked}"`,
      );
    },
  });
}

export function optional<V>(one: Field<V>): Field<V | undefined> {
  return {
    ...one,
    isRequired: false,
    decode: (checked) => (checked === undefined ? undefined : one.decode(checked)),
  };
}

/** Optional for the command, required in a request. */
export function initially<V>(initial: string, one: Field<V>): Field<V> {
  return { ...one, initial };
}

export function argument<V>(one: Field<V>): Field<V> {
  return { ...one, isArgument: true };
}

export function flagOf(name: string, { option }: Pick<Field<unknown>, 'option'>): string {
  return option ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function commandOnly<V>(one: Field<V>): Field<V> {
  return { ...one, isCommandOnly: true };
}

export function asOption<V>(option: string, one: Field<V>): Field<V> {
  return { ...one, option };
}

/** The command reads the text from standard input if its flag is present. */
export function fromStandardInput(option: string, about: string): Field<string> {
  const secret = field({ type: 'string' }, { about, placeholder: '', option, decode: String });
  return { ...secret, isStandardInput: true };
}

export function yesOrNo(about: string): Field<boolean> {
  return field(
    { type: 'boolean' },
    {
      ...{ about, placeholder: 'true|false' },
      fromText: (given) => (given === 'true' || given === 'false' ? given === 'true' : given),
      decode: Boolean,
    },
  );
}

/** An option has no value; a query has `true` or `false`. */
export function flag(about: string): Field<boolean | undefined> {
  return optional({ ...yesOrNo(about), placeholder: '' });
}

export function repeated<V>(one: Field<V>): Field<readonly V[]> {
  return {
    ...one,
    schema: { ...listOf(one.schema), description: one.about },
    isRepeated: true,
    decode: (checked) => [checked].flat().map((each) => one.decode(each)),
  };
}

/** Null in JSON, `none` in an option. */
export function orNone<V>(one: Field<V>): Field<V | null> {
  return {
    ...one,
    schema: { anyOf: [one.schema, { type: 'null' }], description: one.about },
    fromText: (given, nowMs) => (given === 'none' ? null : one.fromText(given, nowMs)),
    decode: (checked) => (checked === null ? null : one.decode(checked)),
  };
}

export function appNamesOrAll(about: string): Field<readonly string[] | 'all'> {
  const names = appNames(about);
  return {
    ...names,
    schema: { anyOf: [names.schema, { const: 'all' }], description: about },
    fromText: (given, nowMs) => (given === 'all' ? given : names.fromText(given, nowMs)),
    decode: (checked) => (checked === 'all' ? checked : names.decode(checked)),
  };
}
