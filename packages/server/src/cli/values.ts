import { usd } from '../config/amounts.ts';
import type { Field, Read } from '../config/field.ts';
import { readList } from '../config/field.ts';
import { modelId } from '../config/model-id.ts';
import { port, unique } from '../config/scalars.ts';
import type { ScalarTree } from '../config/tree.ts';
import { isUtcDay } from '../lib/clock.ts';
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
  const example = 'sim-echo,sim-slow, or none to allow every model';
  return text === 'none' ? undefined : readListed(option, text, modelId, example);
}

/** Values between commas, none of them twice; `example` ends the sentence for an empty one. */
export function readListed<T extends string>(
  option: string,
  text: string,
  read: Read<T>,
  example: string,
): readonly T[] {
  const values = text.split(',').map((value) => value.trim());
  if (values.includes('')) {
    const what = read === modelId ? 'ids' : 'names';
    throw new UsageError(
      `${option}: ${JSON.stringify(text)} has an empty entry; write ${what} with one comma between them, such as ${example}`,
    );
  }
  const field: Field = {
    path: option,
    tree: { kind: 'list', items: values.map(scalarOf) },
    problems: [],
  };
  return readField(field, (list) => readList(list, unique(read)));
}

/** A TCP port; 0 takes a free one. */
export function readPort(option: string, text: string): number {
  return readValue(option, text, port);
}

/** A UTC day, `YYYY-MM-DD`, that the calendar has. */
export function readDay(option: string, text: string): string {
  if (isUtcDay(text)) return text;
  throw new UsageError(
    `${option}: ${JSON.stringify(text)} is no day; write one such as 2026-11-21 (UTC)`,
  );
}

/** What a point in time may be written as, for a sentence. */
export const timeHint = '2026-12-31, its start, or 2026-12-31T18:00Z (UTC)';

/** A point in time, in milliseconds: the start of a UTC day, or a time of it. */
export function readTime(option: string, text: string): number {
  const [day = '', hours] = text.split('T');
  const isForm = hours === undefined || /^\d{2}:\d{2}(:\d{2})?Z$/.test(hours);
  const epochMs = isForm ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(epochMs) && isUtcDay(day)) return epochMs;
  throw new UsageError(
    `${option}: ${JSON.stringify(text)} is no time; write one such as ${timeHint}`,
  );
}

/** What a point in time may be written as that may be told by how long ago it is. */
export const sinceHint = `${timeHint}, or so long ago: 30m, 24h, 7d`;

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A point in time, also as so many minutes, hours or days before `nowMs`. */
export function readSince(option: string, text: string, nowMs: number): number {
  const ago = readSpan(text);
  if (ago !== undefined) return nowMs - ago;
  if (/^\d{4}-/.test(text)) return readTime(option, text);
  throw new UsageError(
    `${option}: ${JSON.stringify(text)} is no time; write one such as ${sinceHint}`,
  );
}

function readSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (unit === 'm' || unit === 'h' || unit === 'd') return Number(count) * unitMs[unit];
  return undefined;
}

/** A whole number within bounds. */
export function readCount(option: string, text: string, max: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw new UsageError(`${option}: ${JSON.stringify(text)} is no whole number from 1 to ${max}`);
}

/** Long enough for a sentence with a ticket's address; what it is of is kept for ever. */
const lineMax = 500;

/** One line of text for people. */
export function readLine(option: string, text: string): string {
  const isPlain = text.trim() !== '' && !/\p{Cc}/u.test(text) && text.isWellFormed();
  if (isPlain && text.length <= lineMax) return text;
  throw new UsageError(`${option}: must be 1–${lineMax} characters on one line`);
}

/** The same, or `today` or `yesterday`, which are days once the store has said what time it is. */
export function readDayOrWord(option: string, text: string): string {
  return text === 'today' || text === 'yesterday' ? text : readDay(option, text);
}

/** The text of an option as the configuration's readers take it. */
export function scalarOf(text: string): ScalarTree {
  return { kind: 'scalar', text, written: text, isPlain: false };
}
