import type { CallRecord } from '../../books/rows.ts';
import { formatUsd } from '../../lib/money.ts';
import { selectBudget } from '../../store/queries/ledger.ts';
import type { AdminContext } from '../context.ts';

/** What a call took of its app's budget, and how the day stands now that paid for it. */
export interface ReceiptBudget {
  /** Held from its admission on, further maxima among it; null where that was not noted. */
  readonly heldUsd: string | null;
  /** What it is booked with now. */
  readonly bookedUsd: string;
  /** What was free again of what was held; null where more is booked, or no hold was noted. */
  readonly freedUsd: string | null;
  /** The app's budget of that day, now; null without one. */
  readonly dayCapUsd: string | null;
  /** All calls of that day, now. */
  readonly daySpentUsd: string;
  readonly dayHeldUsd: string;
}

/** The budget of a call's receipt; what its day had left at its admission no record says. */
export async function budgetOf(
  { store }: AdminContext,
  { app, day, cost, heldAtEnd }: CallRecord,
): Promise<ReceiptBudget> {
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
