import { isRecord } from '../../../lib/json-value.ts';
import type { IsPast } from './shape.ts';

/** The caller cannot change these: they precede the last user message, or the model wrote them. */
export function pastTurns(items: readonly unknown[]): IsPast {
  const isBefore = isBeforeUser(items);
  return (item, index) => isBefore(item, index) || isOfModel(item);
}

export function isBeforeUser(items: readonly unknown[]): IsPast {
  const last = items.findLastIndex((item) => isRecord(item) && item.role === 'user');
  return (_, index) => index < last;
}

function isOfModel(item: unknown): boolean {
  if (!isRecord(item)) return false;
  if (item.role !== undefined) return item.role === 'assistant';
  return item.type === 'reasoning' || /_call$/.test(String(item.type));
}
