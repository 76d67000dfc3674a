import { isoSeconds, utcDayOf } from '../../lib/clock.ts';
import { isDecided, type Statement } from '../../store/port/port.ts';
import { selectClosings } from '../../store/queries/ledger.ts';
import { bumpRevision } from '../../store/queries/operator-statements.ts';
import { openBudget, openBudgets, openWallets } from '../../store/queries/restores.ts';
import { AdminError } from '../admin-error.ts';
import { auditLine } from '../audit-line.ts';
import type { AdminContext } from '../context.ts';
import type { AllReopened } from '../days/documents.ts';
import { reopenClosings, reopenedDay } from '../days/reopen-day.ts';
import { findClosed } from '../days/restores.ts';
import type { WalletsReopened } from '../wallets/documents.ts';
import { budgetDocument, scopeOfName } from './budget-document.ts';
import { showBudget } from './budgets.ts';
import type { BudgetUseDocument } from './documents.ts';

/** With a day, only its bookings. Throws an AdminError where nothing is closed. */
export async function planReopenAll(
  context: AdminContext,
  day: string | undefined,
): Promise<AllReopened> {
  return openedOf(await findAll(context, day));
}

/** Also takes back bookings for lost calls. */
export async function reopenAll(
  context: AdminContext,
  day: string | undefined,
): Promise<AllReopened> {
  const found = await findAll(context, day);
  if (found.closed !== undefined) {
    const { restore } = found.closed;
    await write(context, openBudgets(restore, context.clock.now()), 'all', restore.atMs);
  }
  for (const booking of found.bookings) await reopenClosings(context, booking);
  return openedOf(found);
}

type Found = Awaited<ReturnType<typeof findAll>>;

function openedOf({ closed, bookings }: Found): AllReopened {
  return {
    opensBudgets: closed !== undefined,
    budgets: closed?.budgets.map((budget) => budgetDocument(budget, undefined)) ?? [],
    runs: closed?.runs ?? 0,
    days: bookings.flatMap(({ app, day, closings }) =>
      closings.map((closing) => reopenedDay(app, day, closing)),
    ),
  };
}

async function findAll(context: AdminContext, day: string | undefined) {
  const found = day === undefined ? await findClosed(context) : undefined;
  const closed = found?.closesBudgets === true ? found : undefined;
  const today = utcDayOf(context.clock.now());
  const days = day === undefined ? [...new Set([found?.restore.day ?? today, today])] : [day];
  const booked = await Promise.all(
    days.map(async (each) => {
      const closings = await context.store.read(selectClosings(undefined, each));
      const byApp = Map.groupBy(closings, ({ app }) => app);
      return [...byApp].map(([app, ofApp]) => ({ app, day: each, closings: ofApp }));
    }),
  );
  const bookings = booked.flat();
  if (closed !== undefined || bookings.length > 0) return { closed, bookings };
  const wallets = found?.closesWallets !== true ? '' : '; "wallets reopen --all" opens the wallets';
  throw new AdminError(
    `no budget is closed, and nothing is booked for lost calls of ${days.join(' or ')}${wallets}`,
  );
}

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
    await write(context, openBudget(restore, scope, context.clock.now()), scope, restore.atMs);
  }
  return showBudget(context, name);
}

/** Throws an AdminError where none is closed. */
export async function planReopenWallets(context: AdminContext): Promise<WalletsReopened> {
  const closed = await findClosed(context);
  if (closed?.closesWallets !== true) {
    throw new AdminError('no wallet is closed');
  }
  return { restoredAt: isoSeconds(closed.restore.atMs), apps: closed.walletApps };
}

export async function reopenWallets(context: AdminContext): Promise<WalletsReopened> {
  const planned = await planReopenWallets(context);
  const closed = await findClosed(context);
  if (closed !== undefined) {
    const { restore } = closed;
    await write(context, openWallets(restore, context.clock.now()), 'wallets', restore.atMs);
  }
  return planned;
}

/** `subject`: `all`, a scope, or `wallets`. */
export function reopeningLine(subject: string) {
  const action = subject === 'wallets' ? 'wallet.reopen' : 'budget.reopen';
  return { action, subject, before: null, after: null };
}

/** Every replica reads it within a second, and decides no call on closed budgets. */
async function write(
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
