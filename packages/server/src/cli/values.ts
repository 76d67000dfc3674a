import { usd } from '../config/amounts.ts';
import type { Field, Read } from '../config/field.ts';
import { readList } from '../config/field.ts';
import { modelId } from '../config/model-id.ts';
import { port, unique } from '../config/scalars.ts';
import type { ScalarTree } from '../config/tree.ts';
import { UsageError } from './context.ts';

/** Reads the value of an option as the configuration reads it. Throws a UsageError. */
export function readValue<T>(option: string, text: string, read: Read<T>): T {
  return readField({ path: option, tree: scalarOf(text), problems: [] }, read);
}

/** Reads a field; every problem of it is one line of a UsageError. */
export function readField<T>(field: Field, read: Read<T>): T {
  const value = read(field);
  if (value === undefined || field.problems.length > 0) {
    throw new UsageError(field.problems.join('\n'));
  }
  return value;
}

/** An amount in USD, or undefined for `none`. */
export function readUsdOrNone(option: string, text: string): bigint | undefined {
  return text === 'none' ? undefined : readValue(option, text, usd);
}

/** Ids of models between commas, or undefined for `none`. */
export function readModelsOrNone(option: string, text: string): readonly string[] | undefined {
  return text === 'none' ? undefined : readModels(option, text, ', or none to allow every model');
}

/** Ids of models between commas; `hint` ends the sentence for those that are wrong. */
export function readModels(option: string, text: string, hint = ''): readonly string[] {
  const ids = text.split(',').map((id) => id.trim());
  if (ids.includes('')) {
    throw new UsageError(
      `${option}: ${JSON.stringify(text)} has an empty entry; write ids with one comma between them, such as sim-echo,sim-slow${hint}`,
    );
  }
  const field: Field = {
    path: option,
    tree: { kind: 'list', items: ids.map(scalarOf) },
    problems: [],
  };
  return readField(field, (list) => readList(list, unique(modelId)));
}

/** A TCP port; 0 takes a free one. */
export function readPort(option: string, text: string): number {
  return readValue(option, text, port);
}

/** A UTC day, `YYYY-MM-DD`, that the calendar has. */
export function readDay(option: string, text: string): string {
  const epochMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // A 31st of a shorter month is read as a day of the next one.
  const isDay = !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(text);
  if (isDay) return text;
  throw new UsageError(
    `${option}: ${JSON.stringify(text)} is no day; write one such as 2026-11-21 (UTC)`,
  );
}

/** The same, or `today` or `yesterday`, which are days once the store has said what time it is. */
export function readDayOrWord(option: string, text: string): string {
  return text === 'today' || text === 'yesterday' ? text : readDay(option, text);
}

/** The text of an option as the configuration's readers take it. */
export function scalarOf(text: string): ScalarTree {
  return { kind: 'scalar', text, written: text, isPlain: false };
}
