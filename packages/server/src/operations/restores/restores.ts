import { instanceDeadMs } from '../../books/instance.ts';
import { isoSeconds, utcDayOf } from '../../lib/clock.ts';
import { listedNames } from '../../lib/nearest.ts';
import {
  type ClosedBudgets,
  type ClosedSummary,
  closedBy,
  readClosed,
  summaryOf,
} from '../../registry/closed-budgets.ts';
import type { Statement } from '../../store/port/port.ts';
import { isDecided } from '../../store/port/port.ts';
import type { BudgetRow } from '../../store/queries/budgets.ts';
import { selectOlder } from '../../store/queries/instances.ts';
import { bumpRevision } from '../../store/queries/operator-statements.ts';
import { recordRestore as recordRestoreOf, restoresSince } from '../../store/queries/restores.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';

export type { ClosedSummary };

export const restoreAction = 'store.restored';

/**
 * Closes every enforced budget whose period contains this time, and the wallets, until an operator
 * opens them. `isAlone`: no other process can have the store. Throws an AdminError where a live
 * instance would ignore the closure.
 */
export async function recordRestore(
  context: AdminContext,
  { isAlone }: { readonly isAlone: boolean },
): Promise<ClosedSummary> {
  const { store, clock } = context;
  const nowMs = clock.now();
  // In a copy that is a few seconds old, the process that created it still seems alive.
  const aliveSinceMs = isAlone ? Number.MAX_SAFE_INTEGER : nowMs - instanceDeadMs;
  const statements = [
    { sql: bumpRevision, values: [] },
    ...recordRestoreOf(nowMs, aliveSinceMs),
    auditLine(context, { action: restoreAction, subject: 'store', after: isoSeconds(nowMs) }),
  ];
  if (!isDecided(statements, await store.write(statements))) {
    const older = await store.read(selectOlder(restoresSince, aliveSinceMs));
    throw new AdminError(
      `nothing was closed: ${listedNames(older) || 'an instance'} runs a version that ignores closed budgets. Stop or upgrade each such instance, then try again after ${instanceDeadMs / 1_000} s`,
    );
  }
  return summaryOf(await findClosed(context));
}

/** Changes nothing. */
export async function planRestore({
  store,
  clock,
}: Pick<AdminContext, 'store' | 'clock'>): Promise<ClosedSummary> {
  const atMs = clock.now();
  const closing = { areBudgetsOpen: false, areWalletsOpen: false, openScopes: new Set<string>() };
  const restore = { atMs, day: utcDayOf(atMs), ...closing };
  return summaryOf(await closedBy(restore, (query) => store.read(query), atMs));
}

/** Undefined where nothing is closed. */
export function findClosed({
  store,
  clock,
}: Pick<AdminContext, 'store' | 'clock'>): Promise<ClosedBudgets<BudgetRow> | undefined> {
  return readClosed((query) => store.read(query), clock.now());
}

export const openedBy =
  '"model-gateway days reopen --all" opens all budgets, "budgets reopen NAME" one budget, "wallets reopen --all" the wallets';

/** `subject`: `all`, a scope, or `wallets`. */
export function reopeningLine(subject: string) {
  const action = subject === 'wallets' ? 'wallet.reopen' : 'budget.reopen';
  return { action, subject, before: null, after: null };
}

/**
 * Every replica reads it within 1 s. `opening` raises the budgets' revision, so no call is decided
 * by the old state.
 */
export async function writeOpening(
  context: AdminContext,
  opening: readonly Statement[],
  subject: string,
  restoredAtMs: number,
): Promise<void> {
  const before = isoSeconds(restoredAtMs);
  const line = auditLine(context, { ...reopeningLine(subject), before, after: undefined });
  const statements = [{ sql: bumpRevision, values: [] }, ...opening, line];
  if (isDecided(statements, await context.store.write(statements))) return;
  throw new AdminError('nothing was opened: the store was restored again; try again');
}
