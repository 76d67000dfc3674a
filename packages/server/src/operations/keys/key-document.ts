import { roleOf } from '../../domain/key-name.ts';
import { formatUsd } from '../../lib/money.ts';
import type { BudgetRow } from '../../store/queries/budgets.ts';
import type { ApiKeyRow } from '../../store/queries/registry.ts';
import type { KeyDocument } from '../documents/keys.ts';

/** Keys rotated from one another share budgets. */
export function keyScope(lineage: string): string {
  return `key:${lineage}`;
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
