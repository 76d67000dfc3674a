import type { ScopeBudget } from '@model-gateway/contract';
import type { BudgetScope } from '../books/scope.ts';
import type { ScopeCap } from '../domain/budget.ts';
import { formatUsd, larger } from '../lib/money.ts';
import type { Registry } from '../registry/registry.ts';
import type { Store } from '../store/port.ts';
import { selectScopes } from '../store/queries/ledger.ts';
import { budgetScopeOf, resetMsOf } from './budget-scope.ts';

/**
 * The budgets of an app beside its own day: its month and those of its groups, as they are on a UTC
 * day. Those of keys and users are not the app's. An app that has none costs no reading.
 */
export async function scopesReport(
  { store, registry }: { readonly store: Store; readonly registry: Registry },
  app: string,
  day: string,
): Promise<readonly ScopeBudget[]> {
  const caps = registry.scopesOf({ app, keyId: undefined, userId: undefined, day });
  if (caps.length === 0) return [];
  const rows = await store.read(selectScopes(caps));
  return caps.map((cap) => {
    const row = rows.find(({ scope, period }) => scope === cap.scope && period === cap.period);
    return { ...namedOf(cap), ...(registry.isVisible(cap) ? amountsOf(cap, row) : {}) };
  });
}

function namedOf(cap: ScopeCap) {
  const resetsAt = new Date(resetMsOf(cap) ?? Number.NaN).toISOString();
  return { scope: budgetScopeOf(cap), mode: cap.mode, resetsAt };
}

function amountsOf({ cap }: ScopeCap, row: BudgetScope | undefined) {
  const { spent, held } = row ?? { spent: 0n, held: 0n };
  return {
    capUsd: formatUsd(cap),
    spentUsd: formatUsd(spent),
    heldUsd: formatUsd(held),
    remainingUsd: formatUsd(larger(0n, cap - spent - held)),
  };
}
