import { type Command, Option } from 'commander';
import type { Field, Fields } from '../../operations/description/field.ts';
import { flagOf, optional } from '../../operations/description/field.ts';
import { reasonField } from '../../operations/description/operation.ts';
import { InputError, readInput } from '../../operations/description/read-input.ts';
import type { CommonOptions } from './context.ts';
import { withSharedOptions } from './shared-options.ts';
import { UsageError } from './usage-error.ts';

export function withFields(command: Command, fields: Fields): Command {
  for (const [name, field] of Object.entries(fields)) {
    if (field.isArgument === true) command.argument(argumentOf(name, field), field.about);
    else command.addOption(optionOf(name, field));
    const negated = `no-${flagOf(name, field)}`;
    if (field.negated !== undefined) command.option(`--${negated}`, field.negated);
  }
  return command;
}

/** `<app>`, or `[app]` if optional. */
export function argumentOf(name: string, { isRequired, option }: Field<unknown>): string {
  const shown = option ?? name;
  return isRequired ? `<${shown}>` : `[${shown}]`;
}

function optionOf(name: string, { isRequired, initial, words, ...field }: Field<unknown>): Option {
  const isList = field.isRepeated === true;
  const value = field.placeholder === '' ? '' : ` <${field.placeholder}${isList ? '...' : ''}>`;
  const option = new Option(`--${flagOf(name, field)}${value}`, field.about);
  if (words !== undefined) option.argChoices = [...words];
  if (initial !== undefined) option.default(initial);
  if (field.isHidden === true) option.hideHelp();
  return option.makeOptionMandatory(isRequired && initial === undefined);
}

export function exampleWords(
  fields: Fields,
  example: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const text = example[name];
    if (text === undefined) return [];
    if (field.isArgument === true) return [text];
    return [`--${flagOf(name, field)}`, ...(field.placeholder === '' ? [] : [text])];
  });
}

export async function withStandardInput(
  fields: Fields,
  options: Readonly<Record<string, unknown>>,
  read: () => Promise<string>,
): Promise<Readonly<Record<string, unknown>>> {
  const names = Object.entries(fields)
    .filter(([, { isStandardInput }]) => isStandardInput === true)
    .map(([name, field]) => camelOf(flagOf(name, field)))
    .filter((name) => options[name] === true);
  const texts = await Promise.all(names.map(async (name) => [name, await read()] as const));
  return { ...options, ...Object.fromEntries(texts) };
}

/** Throws a UsageError. */
export function readOptions(
  fields: Fields,
  positionals: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
  nowMs: number,
) {
  return inFlags(fields, () =>
    readInput(fields, givenOptions(fields, positionals, options, nowMs)),
  );
}

export function givenOptions(
  fields: Fields,
  positionals: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
  nowMs: number,
): Readonly<Record<string, unknown>> {
  const names = Object.keys(fields).filter((name) => fields[name]?.isArgument === true);
  const entries = Object.entries(fields).flatMap(([name, field]) => {
    const at = names.indexOf(name);
    const value = at === -1 ? options[camelOf(flagOf(name, field))] : positionals[at];
    if (Array.isArray(value)) return [[name, value.map((one) => field.fromText(one, nowMs))]];
    if (typeof value === 'string') return [[name, field.fromText(value, nowMs)]];
    return typeof value === 'boolean' ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}

/** Errors name options instead of fields. Throws a UsageError. */
export function inFlags<T>(fields: Fields, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [name = '', ...rest] = error.field.split(/(?=[.[])/);
    const field = fields[name];
    const isOption = field !== undefined && field.isArgument !== true;
    const flag = isOption ? `--${flagOf(name, field)}` : (field?.option ?? name);
    throw new UsageError(`${flag}${rest.join('')} ${error.message}`);
  }
}

function camelOf(flag: string): string {
  return flag.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
}

export interface ChangeOptions extends CommonOptions {
  readonly reason?: string;
}

export function withChangeOptions(command: Command): Command {
  return withSharedOptions(command).option('--reason <text>', 'reason, recorded in the audit log');
}

/** Throws a UsageError for an invalid text. */
export function reasonOf(options: ChangeOptions): string | undefined {
  const { reason } = readOptions({ reason: optional(reasonField) }, [], { ...options }, 0);
  return typeof reason === 'string' ? reason : undefined;
}
