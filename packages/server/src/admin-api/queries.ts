import Type from 'typebox';
import { parseUsd } from '../lib/money.ts';
import { ConsoleError } from '../operations/console-error.ts';

// What queries of routes are made of: each field is a text.

/** A name of anything: an app, a key, a user, a model. */
export const name = Type.String({ minLength: 1, maxLength: 200 });

/** A moment, or a UTC day for its beginning. */
export const instantText = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d(T[\\d:.]+Z)?$',
  rule: 'a UTC day such as 2026-11-21, or a time such as 2026-11-21T18:00:00Z',
});

/** What is or is not. */
export const flagText = Type.Enum(['true', 'false']);

/** How many items a page has at most. */
export const limitText = Type.String({
  pattern: '^[1-9]\\d{0,2}$',
  rule: 'a whole number from 1 to 200',
});

const pageDefault = 50;
const pageMax = 200;

/** A page's size. Throws INVALID above 200. */
export function limitOf(text: string | undefined): number {
  const limit = text === undefined ? pageDefault : Number(text);
  if (limit <= pageMax) return limit;
  throw new ConsoleError('INVALID', `limit is at most ${pageMax}`, { field: 'limit' });
}

/** Epoch milliseconds; undefined where nothing is named. Throws INVALID for what is no moment. */
export function instantOf(text: string | undefined, field: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return ms;
  throw new ConsoleError('INVALID', `${field} is no moment: ${text}`, { field });
}

/** Pico-USD; undefined where nothing is named. Throws INVALID for what is no amount. */
export function usdOf(text: string | undefined, field: string): bigint | undefined {
  if (text === undefined) return undefined;
  const amount = parseUsd(text);
  if (amount !== undefined) return amount;
  throw new ConsoleError('INVALID', `${field} is an exact decimal amount of USD`, { field });
}
