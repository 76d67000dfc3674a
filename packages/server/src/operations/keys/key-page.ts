import { sortedInTurns } from '../../lib/in-turns.ts';
import { createTopRows } from '../../lib/top-rows.ts';
import { selectBudgetsOf } from '../../store/queries/budgets.ts';
import { type ApiKeyRow, selectKeysOf } from '../../store/queries/registry.ts';
import { badValue } from '../context/admin-error.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { KeyCounts, KeysPage, ListedKey } from '../documents/keys.ts';
import { type KeySums, keyDocument, keyScope, sumsOfToday, timeOf, useOf } from './key-document.ts';
import { isInGroup, type KeySearch, keyGroups, keyMatcher, keyOrder } from './key-filters.ts';
import { eachKey, type KeyScope, type KeyStatus } from './key-status.ts';

/** Throws an AdminError for an unregistered app, and for a cursor that is not the id of a key. */
export async function findKeys(
  operator: AdminContext,
  scope: KeyScope,
  { after, limit = 50, sort, ...search }: KeySearch,
): Promise<KeysPage> {
  const context = withOperatorReads(operator);
  const sums = await sumsOfToday(context);
  const order = keyOrder(sort, sums);
  const cursor = after === undefined ? undefined : await statusNow(context, scope, after);
  const matches = keyMatcher(search, context.clock.now());
  const earlier = createTopRows<KeyStatus>(limit + 1, (a, b) => order(b, a));
  const later = createTopRows(limit + 1, order);
  await eachKey(context, scope, (key) => {
    if (!matches(key)) return;
    const isLater = cursor === undefined || order(key, cursor) > 0;
    (isLater ? later : earlier).add(key);
  });
  const rows = later.rows.slice(0, limit);
  return {
    items: await documentsOf(context, rows, sums),
    after: later.rows.length > limit ? (rows.at(-1)?.id ?? null) : null,
    before: earlier.rows.length === 0 ? null : (earlier.rows[limit]?.id ?? ''),
    ...{ first: earlier.count() + 1, count: earlier.count() + later.count() },
  };
}

/** Since its page was read, the key may have changed and may no longer match. */
async function statusNow(context: AdminContext, { apps }: KeyScope, id: string) {
  const matches: KeyStatus[] = [];
  await eachKey(context, { apps, key: id }, (key) => void (key.id === id && matches.push(key)));
  const [cursor] = matches;
  if (cursor !== undefined) return cursor;
  throw badValue('after', 'must be a key id; leave after out for the first page');
}

/** Omits keys that were deleted since. */
async function documentsOf(
  { store }: AdminContext,
  keys: readonly KeyStatus[],
  sums: KeySums,
): Promise<readonly ListedKey[]> {
  if (keys.length === 0) return [];
  const rows = new Map((await store.read(selectKeysOf(keys.map(({ id }) => id)))).map(byId));
  const scopes = new Set(keys.map(({ lineage }) => keyScope(lineage)));
  const budgets = await store.read(selectBudgetsOf(...scopes));
  return keys.flatMap(({ id, lastUsedAt, state, replacedBy, contact }) => {
    const row = rows.get(id);
    if (row === undefined) return [];
    const status = { state, ...(replacedBy !== undefined && { replacedBy }), contact };
    return [{ ...keyDocument(row, budgets), ...useOf(id, lastUsedAt, sums), ...status }];
  });
}

function byId(row: ApiKeyRow) {
  return [row.id, row] as const;
}

const listedMax = 200;
const openMax = 3;

/** Returns the filters' values and the open rotations. */
export async function countKeys(operator: AdminContext, scope: KeyScope): Promise<KeyCounts> {
  const states = { all: 0, used: 0, rotating: 0, disabled: 0 };
  const [apps, contacts] = [new Map<string, number>(), new Map<string, number>()];
  const open: KeyStatus[] = [];
  let openCount = 0;
  await eachKey(withOperatorReads(operator), scope, (key) => {
    for (const group of keyGroups) if (isInGroup(key, group)) states[group] += 1;
    apps.set(key.app, (apps.get(key.app) ?? 0) + 1);
    contacts.set(key.contact, (contacts.get(key.contact) ?? 0) + 1);
    if (key.state !== 'replaced') return;
    openCount += 1;
    if (open.length < openMax) open.push(key);
  });
  return {
    ...{ states, apps: await mostOf(apps), contacts: await mostOf(contacts) },
    openRotations: {
      count: openCount,
      first: open.map(({ id, app, lastUsedAt, expiresAt }) => {
        return { id, app, lastUsedAt: timeOf(lastUsedAt), expiresAt: timeOf(expiresAt) };
      }),
    },
  };
}

async function mostOf(counts: ReadonlyMap<string, number>) {
  const sorted = await sortedInTurns([...counts], ([, a], [, b]) => b - a);
  return sorted.slice(0, listedMax).map(([value, count]) => ({ value, count }));
}
