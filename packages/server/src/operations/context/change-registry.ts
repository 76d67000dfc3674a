import { instanceDeadMs } from '../../books/instance.ts';
import { listedNames } from '../../lib/nearest.ts';
import type { Statement } from '../../store/port/port.ts';
import { beforeBudgets, changesBudget, scopesSince } from '../../store/queries/budgets.ts';
import { selectOlder } from '../../store/queries/instances.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { pruneChanges } from '../../store/queries/registry-changes.ts';
import { AdminError } from './admin-error.ts';
import type { AdminContext } from './context.ts';

/**
 * The revision's row comes first: it locks all such changes, so their reads stay valid until they
 * write. Triggers record changed rows under it. A change of budgets also blocks ledger batches.
 * Throws an AdminError where a live instance does not support budgets.
 */
export async function changeRegistry(
  { store, clock }: Pick<AdminContext, 'store' | 'clock'>,
  statements: readonly Statement[],
): Promise<readonly number[]> {
  const aliveSinceMs = clock.now() - instanceDeadMs;
  const ofBudgets = statements.some(changesBudget) ? beforeBudgets(aliveSinceMs) : [];
  const before = [{ sql: sql.bumpRevision, values: [] }, pruneChanges, ...ofBudgets];
  const counts = await store.write([...before, ...statements]);
  const isRefused = before.some((each, index) => each.abortIfNoRows && counts[index] === 0);
  if (!isRefused) return counts.slice(before.length);
  const older = await store.read(selectOlder(scopesSince, aliveSinceMs));
  throw new AdminError(
    `nothing was changed: ${listedNames(older) || 'an instance'} runs an older version that supports only daily app budgets and would end calls without the other budgets. Stop or upgrade each such instance, then try again after ${instanceDeadMs / 1_000} s`,
  );
}
