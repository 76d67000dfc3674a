import type { CallRecord } from '../../books/rows.ts';
import { formatUsd } from '../../lib/money.ts';
import { selectBudget } from '../../store/queries/ledger.ts';
import type { AdminContext } from '../context/context.ts';
import type { Receipt } from '../documents/calls.ts';

/** No record has what the day had left at the call's admission. */
export async function budgetOf(
  { store }: AdminContext,
  { app, day, cost, heldAtEnd }: CallRecord,
): Promise<Receipt['budget']> {
  const row = await store.read(selectBudget(app, day));
  const isFreed = heldAtEnd !== undefined && heldAtEnd >= cost;
  return {
    heldUsd: heldAtEnd === undefined ? null : formatUsd(heldAtEnd),
    bookedUsd: formatUsd(cost),
    freedUsd: isFreed ? formatUsd(heldAtEnd - cost) : null,
    dayCapUsd: row?.cap === undefined ? null : formatUsd(row.cap),
    daySpentUsd: formatUsd(row?.spent ?? 0n),
    dayHeldUsd: formatUsd(row?.held ?? 0n),
  };
}
