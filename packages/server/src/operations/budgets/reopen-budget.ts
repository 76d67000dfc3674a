import { openBudget } from '../../store/queries/restores.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';
import type { BudgetUseDocument } from '../documents/budgets.ts';
import { findClosed, writeOpening } from '../restores/restores.ts';
import { scopeOfName } from './budget-document.ts';
import { showBudget } from './budgets.ts';

/** Throws an AdminError where it is not closed. */
export async function planReopenBudget(
  context: AdminContext,
  name: string,
): Promise<readonly BudgetUseDocument[]> {
  const shown = await showBudget(context, name);
  if (shown.some(({ closedAt }) => closedAt !== null)) return shown;
  throw new AdminError(`the budget ${name} is not closed`);
}

/** In both its spans. */
export async function reopenBudget(
  context: AdminContext,
  name: string,
): Promise<readonly BudgetUseDocument[]> {
  await planReopenBudget(context, name);
  const closed = await findClosed(context);
  if (closed !== undefined) {
    const { restore } = closed;
    const scope = scopeOfName(name);
    await writeOpening(
      context,
      openBudget(restore, scope, context.clock.now()),
      scope,
      restore.atMs,
    );
  }
  return showBudget(context, name);
}
