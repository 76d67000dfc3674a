import { formatUsd, parseUsd, picoUsdMax } from '../../lib/money.ts';
import type { SchemaFacts } from '../../lib/sentences.ts';
import { mustBeOneOf } from '../../lib/sentences.ts';
import { forms, lineForm } from '../documents/forms.ts';

/**
 * A field of an operation's input. Its JSON Schema checks a request and an option by the same rule;
 * `decode` reads the checked value.
 */
export interface Field<Value> {
  readonly schema: SchemaFacts & { readonly description?: string };
  /** For the help of the command, and the description of the route. */
  readonly about: string;
  /** `amount` of `--usd <amount>`; empty for an option without a value. */
  readonly placeholder: string;
  readonly isRequired: boolean;
  /** True for an argument of the command; else it is an option. */
  readonly isArgument?: boolean;
  /** The option's name where it is not that of the field, such as `grace` of `graceMinutes`. */
  readonly option?: string;
  /** True for an option that the help does not list. */
  readonly isHidden?: boolean;
  /** True for an option that no request has, such as one that changes what a terminal shows. */
  readonly isCommandOnly?: boolean;
  /** True for a flag whose value is the text on standard input. */
  readonly isStandardInput?: boolean;
  /** True for an option that may be repeated, and an argument of several words: JSON has a list. */
  readonly isRepeated?: boolean;
  /** The help of `--no-…`, where a flag has that option too: its value is false. */
  readonly negated?: string;
  /** What the option is where the command leaves it out. A request has no default. */
  readonly initial?: string;
  /** Words that the help and the completion list. */
  readonly words?: readonly string[];
  /** The JSON value that an option's text means; a text that means none stays as it is. */
  fromText(text: string, nowMs: number): unknown;
  /** Throws a FieldFault for a value that the schema cannot exclude. */
  decode(checked: unknown): Value;
}

/** The fields of an input, by name. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of fields, as `run` gets them. */
export type Input<F> = { readonly [Name in keyof F]: F[Name] extends Field<infer V> ? V : never };

/** Why a value that fits its schema is wrong: a predicate, such as `must be …; it is …`. */
export class FieldFault extends Error {
  override readonly name = 'FieldFault';
}

/** What makes a field of a schema. */
export type Parts<Value> = Pick<Field<Value>, 'about' | 'placeholder' | 'decode'> &
  Partial<Pick<Field<Value>, 'fromText' | 'option' | 'words'>>;

/** A field of any schema. */
export function field<Value>(schema: SchemaFacts, parts: Parts<Value>): Field<Value> {
  const described = { ...schema, description: parts.about };
  return { fromText: String, isRequired: true, ...parts, schema: described };
}

/** One line of visible text. */
export function line(maxLength: number, about: string, placeholder = 'text'): Field<string> {
  return field(lineForm(maxLength), { about, placeholder, decode: String });
}

/** A text that a pattern describes; `rule` ends the sentence "must be …". */
export function matching(
  pattern: RegExp,
  parts: { readonly rule: string; readonly about: string; readonly placeholder: string },
): Field<string> {
  const { rule, ...rest } = parts;
  return field({ type: 'string', pattern: pattern.source, rule }, { ...rest, decode: String });
}

/** A text of any form, as other programs have made it. */
export function text(about: string, placeholder: string): Field<string> {
  return field({ type: 'string', minLength: 1 }, { about, placeholder, decode: String });
}

/** The id of a record; an unknown one is not found, whatever its form. */
export function id(about: string): Field<string> {
  return text(about, 'id');
}

/** An app that must exist. */
export function app(about: string): Field<string> {
  return text(about, 'app');
}

/** Names of apps, none of them twice. */
export function appNames(about: string): Field<readonly string[]> {
  return listed(forms.appName, about, 'apps');
}

/** Ids of models, none of them twice. */
export function modelIds(about: string): Field<readonly string[]> {
  return listed(forms.model, about, 'ids');
}

/** Values with commas between them in an option, none of them twice. */
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

/** A whole number from 1. */
export function count(maximum: number, about: string): Field<number> {
  return field(
    { type: 'integer', minimum: 1, maximum },
    { about, placeholder: 'n', fromText: numberOf, decode: Number },
  );
}

function numberOf(text: string): unknown {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** One of some words. */
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

/** Exact decimal USD from 0 on, as pico-USD. */
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

/** A field that may be left out. */
export function optional<V>(one: Field<V>): Field<V | undefined> {
  return {
    ...one,
    isRequired: false,
    decode: (checked) => (checked === undefined ? undefined : one.decode(checked)),
  };
}

/** A field that the command may leave out; a request has it always. */
export function initially<V>(initial: string, one: Field<V>): Field<V> {
  return { ...one, initial };
}

/** A field that is an argument of the command. */
export function argument<V>(one: Field<V>): Field<V> {
  return { ...one, isArgument: true };
}

/** A field that no request has. */
export function commandOnly<V>(one: Field<V>): Field<V> {
  return { ...one, isCommandOnly: true };
}

/** A field whose option has another name. */
export function asOption<V>(option: string, one: Field<V>): Field<V> {
  return { ...one, option };
}

/** A secret, which the command reads from standard input where its flag is given. */
export function fromStandardInput(option: string, about: string): Field<string> {
  const secret = field({ type: 'string' }, { about, placeholder: '', option, decode: String });
  return { ...secret, isStandardInput: true };
}

/** Yes or no. */
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

/** An option without a value; `true` or `false` in a query. */
export function flag(about: string): Field<boolean | undefined> {
  return optional({ ...yesOrNo(about), placeholder: '' });
}

/** Values of an option that may be repeated, none of them twice. */
export function repeated<V>(one: Field<V>): Field<readonly V[]> {
  return {
    ...one,
    schema: { ...listOf(one.schema), description: one.about },
    isRepeated: true,
    decode: (checked) => [checked].flat().map((each) => one.decode(each)),
  };
}

/** A value, or none of it: null in JSON, `none` in an option. */
export function orNone<V>(one: Field<V>): Field<V | null> {
  return {
    ...one,
    schema: { anyOf: [one.schema, { type: 'null' }], description: one.about },
    fromText: (given, nowMs) => (given === 'none' ? null : one.fromText(given, nowMs)),
    decode: (checked) => (checked === null ? null : one.decode(checked)),
  };
}

/** Names of apps, or `all` for every app. */
export function appNamesOrAll(about: string): Field<readonly string[] | 'all'> {
  const names = appNames(about);
  return {
    ...names,
    schema: { anyOf: [names.schema, { const: 'all' }], description: about },
    fromText: (given, nowMs) => (given === 'all' ? given : names.fromText(given, nowMs)),
    decode: (checked) => (checked === 'all' ? checked : names.decode(checked)),
  };
}
