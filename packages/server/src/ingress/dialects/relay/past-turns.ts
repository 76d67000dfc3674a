import { isRecord } from '../../../lib/json-value.ts';
import type { IsPast } from './shape.ts';

/**
 * The items of a conversation that its caller can no longer change: those before the last message
 * of its user, and whatever the model wrote.
 */
export function pastTurns(items: readonly unknown[]): IsPast {
  const isBefore = isBeforeUser(items);
  return (item, index) => isBefore(item, index) || isOfModel(item);
}

/** The items that a message of the user follows. */
export function isBeforeUser(items: readonly unknown[]): IsPast {
  const last = items.findLastIndex((item) => isRecord(item) && item.role === 'user');
  return (_, index) => index < last;
}

/** A message of the assistant, or the call of a tool. */
function isOfModel(item: unknown): boolean {
  if (!isRecord(item)) return false;
  if (item.role !== undefined) return item.role === 'assistant';
  return item.type === 'reasoning' || /_call$/.test(String(item.type));
}
