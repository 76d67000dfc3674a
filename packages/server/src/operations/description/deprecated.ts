import { type Field, type Fields, flag, flagOf } from './field.ts';

export function renamed<V>(was: string, one: Field<V>): Field<V> {
  return { ...one, was: { name: was } };
}

/** An optional field whose `word` replaces a former flag of commands and requests. */
export function insteadOfFlag<V>(was: string, word: string, one: Field<V>): Field<V> {
  return { ...one, was: { name: was, word } };
}

export function withDeprecated(fields: Fields): Fields {
  const entries = Object.entries(fields).flatMap(([name, field]) => {
    const { was } = field;
    if (was === undefined) return [[name, field] as const];
    return [[name, field] as const, [was.name, deprecatedOf(name, field, was.word)] as const];
  });
  return Object.fromEntries(entries);
}

function deprecatedOf(name: string, field: Field<unknown>, word?: string): Field<unknown> {
  const instead = [`--${flagOf(name, field)}`, word].filter(Boolean).join(' ');
  const about = `deprecated: use ${instead}`;
  if (word !== undefined) return { ...flag(about), replacement: { name, word, instead } };
  const { was: _was, option: _option, ...same } = field;
  return { ...same, about, isCommandOnly: true, replacement: { name, instead } };
}

export function deprecationsIn(
  fields: Fields,
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.replacement === undefined || given[name] === undefined) return [];
    return [`--${flagOf(name, field)} is deprecated; use ${field.replacement.instead}`];
  });
}
