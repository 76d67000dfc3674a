import { roleOf } from '../../domain/key-name.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { firstCallIdAt } from '../../lib/id.ts';
import { formatUsd } from '../../lib/money.ts';
import { type BudgetRow, selectBudgets } from '../../store/queries/budgets.ts';
import { selectStep } from '../../store/queries/call-search.ts';
import { type KeySum, selectKeySums, selectKeyUse } from '../../store/queries/key-use.ts';
import { type ApiKeyRow, selectKeys } from '../../store/queries/registry.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { KeyDocument, KeyInUse } from '../documents/keys.ts';

/** All keys of a rotation chain share budgets. */
export function keyScope(rotationChain: string): string {
  return `key:${rotationChain}`;
}

export function keyDocument(row: ApiKeyRow, budgets: readonly BudgetRow[]): KeyDocument {
  const { id, name, customerId, parsed, lineage, models, expiresAt, note } = row;
  const { disabledBy, disabledRole } = row;
  const scope = keyScope(lineage);
  const caps = budgets.filter((budget) => budget.scope === scope);
  const daily = caps.find(({ span }) => span === 'day');
  const monthly = caps.find(({ span }) => span === 'month');
  return {
    id,
    name,
    customerId,
    role: roleOf(row) ?? null,
    ...(parsed !== undefined && { app: parsed.app }),
    enabled: row.isEnabled,
    createdAt: new Date(row.createdAt).toISOString(),
    ...(lineage !== id && { rotatedFrom: lineage }),
    ...(daily !== undefined && { dailyUsd: formatUsd(daily.capPicoUsd) }),
    ...(monthly !== undefined && { monthlyUsd: formatUsd(monthly.capPicoUsd) }),
    ...(models !== undefined && { models: [...models] }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(note !== undefined && { note }),
    ...(disabledBy !== undefined && { disabledBy }),
    ...(disabledRole !== undefined && { disabledRole }),
  };
}

/** The time limit, the calls of a read, and the slack of older ids. */
const countMs = 5_000;
const stepRows = 4_000;
const idSlackMs = 3_600_000;

/**
 * A conventional name determines a key's app. Counts today's calls in small id ranges, for 5 s at
 * most.
 */
export async function listKeys(
  operator: AdminContext,
  app: string | undefined,
): Promise<readonly KeyInUse[]> {
  const context = withOperatorReads(operator);
  const { store } = context;
  const keys = await store.read(selectKeys);
  const budgets = await store.read(selectBudgets);
  const lastUsed = await store.read(selectKeyUse);
  const sums = await sumsOfToday(context);
  return keys
    .filter((key) => app === undefined || (key.parsed?.app ?? key.customerId) === app)
    .map((key) => ({ ...keyDocument(key, budgets), ...useOf(key.id, lastUsed.get(key.id), sums) }));
}

export function useOf(
  id: string,
  lastUsedAt: number | undefined,
  sums: KeySums,
): Pick<KeyInUse, 'lastUsedAt' | 'callsToday' | 'spentTodayUsd'> {
  const sum = sums?.get(id);
  return {
    lastUsedAt: timeOf(lastUsedAt),
    callsToday: sums === undefined ? null : (sum?.calls ?? 0),
    spentTodayUsd: sums === undefined ? null : formatUsd(sum?.cost ?? 0n),
  };
}

export function timeOf(epochMs: number | undefined): string | null {
  return epochMs === undefined ? null : new Date(epochMs).toISOString();
}

/** Sums by key id; undefined after the time limit. */
export type KeySums = ReadonlyMap<string, KeySum> | undefined;

export async function sumsOfToday({ store, clock }: AdminContext): Promise<KeySums> {
  const day = utcDayOf(clock.now());
  const from = firstCallIdAt(Date.parse(day) - idSlackMs);
  const endMs = clock.monotonic() + countMs;
  const sums = new Map<string, KeySum>();
  let before = firstCallIdAt(clock.now() + idSlackMs);
  for (;;) {
    const { rows, oldest } = await store.read(selectStep({ from, before }, stepRows));
    if (oldest === undefined) return sums;
    for (const { keyId, calls, cost } of await store.read(
      selectKeySums({ from: oldest, before }, day),
    )) {
      const known = sums.get(keyId) ?? { calls: 0, cost: 0n };
      sums.set(keyId, { keyId, calls: known.calls + calls, cost: known.cost + cost });
    }
    if (rows < stepRows) return sums;
    before = oldest;
    if (clock.monotonic() >= endMs) return undefined;
  }
}
