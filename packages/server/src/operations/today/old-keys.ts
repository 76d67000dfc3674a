import { parseKeyName } from '../../domain/key-name.ts';
import { type OldKey, selectOldKeysInUse } from '../../store/queries/key-use.ts';
import { selectRevision } from '../../store/queries/registry.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { Problem } from '../documents/today.ts';

const maxAgeMs = 60_000;
const dayMs = 86_400_000;
/** Longer grace periods need no attention yet. */
const endsWithinMs = 3 * dayMs;
const keysMax = 100;

/**
 * One problem for each app whose old key will soon stop working although callers still use it. All
 * keys are searched after a change of the registry, and once a minute.
 */
export function createOldKeys(operator: AdminContext): () => Promise<readonly Problem[]> {
  const { store, clock } = withOperatorReads(operator);
  let cached: { revision: bigint; atMs: number; keys: readonly OldKey[] } | undefined;
  return async () => {
    const revision = await store.read(selectRevision);
    const nowMs = clock.now();
    if (cached?.revision !== revision || nowMs - cached.atMs >= maxAgeMs) {
      const times = { nowMs, untilMs: nowMs + endsWithinMs, usedSinceMs: nowMs - dayMs };
      const keys = await store.read(selectOldKeysInUse({ ...times, limit: keysMax }));
      cached = { revision, atMs: nowMs, keys };
    }
    const working = cached.keys.filter(({ expiresAt }) => expiresAt > nowMs);
    return [...Map.groupBy(working, appOf)].flatMap(([app, keys]) => problemOf(app, keys));
  };
}

function appOf({ name, customerId }: OldKey): string {
  return parseKeyName(name)?.app ?? customerId;
}

function problemOf(app: string, [first, ...others]: readonly OldKey[]): readonly Problem[] {
  if (first === undefined) return [];
  const end = new Date(first.expiresAt).toISOString();
  if (others.length === 0) {
    const text = `old key of ${app}: still in use; its grace period ends at ${end}`;
    const href = `/console/calls?${new URLSearchParams({ key: first.id })}`;
    return [{ kind: 'key', app, text, href }];
  }
  const text = `${others.length + 1} old keys of ${app}: still in use; the first grace period ends at ${end}`;
  return [{ kind: 'key', app, text, href: `/console/apps/${encodeURIComponent(app)}/keys` }];
}
