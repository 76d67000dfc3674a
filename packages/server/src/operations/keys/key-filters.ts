import { count, type Input, id, line, oneOf, optional } from '../description/field.ts';
import type { KeySums } from './key-document.ts';
import { type KeyStatus, keyStates } from './key-status.ts';

export const keyPageMax = 500;
const columns = [
  ...['key', 'app', 'state', 'contact', 'created', 'used', 'budget', 'calls', 'spent'],
] as const;
type Order = (typeof columns)[number];
const orders = columns.flatMap((column) => [column, `-${column}` as const]);

export const keyGroups = ['all', 'used', 'rotating', 'disabled'] as const;
const uses = ['hour', 'day', 'idle', 'never'] as const;

export const keyFilters = {
  find: optional(line(200, 'only keys with this text in id, app, contact or note', 'text')),
  state: optional(
    oneOf(keyGroups, 'only used, rotating, or disabled (includes expired) keys; or all', 'state'),
  ),
  contact: optional(line(254, 'only keys of this person or team', 'address')),
  used: optional(
    oneOf(
      uses,
      'only keys last used within an hour or a day, not for 30 days (idle), or never',
      'when',
    ),
  ),
  key: optional(id('only this key and the keys rotated from the same one')),
  sort: optional(
    oneOf(
      orders,
      `by ${columns.join(', ')}; -spent: descending (default: rotations, then -spent)`,
      'column',
    ),
  ),
  after: optional(id('continue after this key id, the last of the previous page')),
  limit: optional(
    count(keyPageMax, `maximum rows, up to ${keyPageMax} (default with another option: 50)`),
  ),
};
export type KeySearch = Omit<Input<typeof keyFilters>, 'key'>;

const hourMs = 3_600_000;
const withinMs = { hour: hourMs, day: 24 * hourMs, idle: 720 * hourMs };

export function isInGroup(
  { state, lastUsedAt }: KeyStatus,
  group: (typeof keyGroups)[number],
): boolean {
  const isOver = state === 'disabled' || state === 'expired';
  if (group === 'used') return lastUsedAt !== undefined && !isOver;
  if (group === 'rotating') return state === 'replaced' || state === 'new';
  return group === 'all' || isOver;
}

export function keyMatcher(
  { find = '', state = 'all', contact, used }: Omit<KeySearch, 'sort' | 'after' | 'limit'>,
  nowMs: number,
): (key: KeyStatus) => boolean {
  const searchText = find.toLowerCase();
  const wasUsed = (at: number | undefined) => {
    if (used === undefined) return true;
    if (used === 'never' || at === undefined) return used === 'never' && at === undefined;
    return nowMs - at <= withinMs[used] === (used !== 'idle');
  };
  return (key) =>
    isInGroup(key, state) &&
    (contact === undefined || key.contact === contact) &&
    wasUsed(key.lastUsedAt) &&
    [key.id, key.app, key.contact, key.note].some((text) =>
      text.toLowerCase().includes(searchText),
    );
}

type Value = (key: KeyStatus) => bigint | number | string;

/** A total order: two keys never compare as equal. */
export function keyOrder(
  sort: KeySearch['sort'],
  sums: KeySums,
): (a: KeyStatus, b: KeyStatus) => number {
  const values: Readonly<Record<Order, Value>> = {
    key: ({ id: own }) => own,
    app: ({ app }) => app,
    state: ({ state }) => keyStates.indexOf(state),
    contact: ({ contact }) => contact,
    created: ({ createdAt }) => createdAt,
    used: ({ lastUsedAt = 0 }) => lastUsedAt,
    budget: ({ dailyPicoUsd = 0n }) => dailyPicoUsd,
    calls: ({ id: own }) => sums?.get(own)?.calls ?? 0,
    spent: ({ id: own }) => sums?.get(own)?.cost ?? 0n,
  };
  const value = values[columns.find((column) => sort?.endsWith(column)) ?? 'spent'];
  const direction = sort?.startsWith('-') === false ? 1 : -1;
  return (a, b) =>
    (sort === undefined ? byRotation(a, b) : 0) ||
    compare(value(a), value(b)) * direction ||
    compare(a.id, b.id);
}

/** Open rotations first, each new key before the replaced one. */
function byRotation(a: KeyStatus, b: KeyStatus): number {
  const [isOpen, isOtherOpen] = [isInGroup(a, 'rotating'), isInGroup(b, 'rotating')];
  if (!isOpen || !isOtherOpen) return Number(isOtherOpen) - Number(isOpen);
  return compare(a.lineage, b.lineage) || compare(a.state, b.state);
}

function compare<T extends bigint | number | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
