import type { ScopeBudget } from '@model-gateway/contract';
import type { BudgetScope } from '../books/scope.ts';
import type { ScopeCap } from '../domain/budget.ts';
import { formatUsd, larger } from '../lib/money.ts';
import type { Registry } from '../registry/registry.ts';
import type { Store } from '../store/port/port.ts';
import { selectScopes } from '../store/queries/ledger.ts';
import { budgetScopeOf, resetMsOf } from './budget-scope.ts';
import type { ReportedDay } from './usage-report.ts';

interface ScopeParts {
  readonly store: Store;
  readonly registry: Pick<Registry, 'scopesOf' | 'isVisible'>;
}

/**
 * Budgets of the app's month and its groups, as of a UTC day; excludes those of keys and users.
 * Without any, nothing is read.
 */
export async function scopesReport(
  { store, registry }: ScopeParts,
  app: string,
  { day, today }: ReportedDay,
): Promise<readonly ScopeBudget[]> {
  const caps = registry.scopesOf({ app, keyId: undefined, userId: undefined, day });
  if (caps.length === 0) return [];
  const rows = await store.read(selectScopes(caps));
  return caps.flatMap((cap) => {
    const row = rows.find(({ scope, period }) => scope === cap.scope && period === cap.period);
    if (row === undefined && day !== today) return [];
    return [{ ...namedOf(cap), ...(registry.isVisible(cap) ? amountsOf(cap, row) : {}) }];
  });
}

export function closedOf(closedAt: number | undefined): { readonly closedAt?: string } {
  return closedAt === undefined ? {} : { closedAt: new Date(closedAt).toISOString() };
}

function namedOf(cap: ScopeCap) {
  const resetsAt = new Date(resetMsOf(cap) ?? Number.NaN).toISOString();
  return { scope: budgetScopeOf(cap), mode: cap.mode, resetsAt, ...closedOf(cap.closedAt) };
}

function amountsOf({ cap: defined, mode, closedAt }: ScopeCap, row: BudgetScope | undefined) {
  const { cap, spent, held } = row ?? { cap: defined, spent: 0n, held: 0n };
  const calls = Number(row?.wouldRefuse ?? 0n);
  const maxCostUsd = formatUsd(row?.wouldRefuseAmount ?? 0n);
  return {
    capUsd: formatUsd(cap),
    spentUsd: formatUsd(spent),
    heldUsd: formatUsd(held),
    remainingUsd: formatUsd(closedAt === undefined ? larger(0n, cap - spent - held) : 0n),
    ...(mode === 'shadow' ? { wouldRefuse: { calls, maxCostUsd } } : {}),
  };
}
