import assert from 'node:assert';
import type { CallRecord } from '../../books/rows.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { formatUsd } from '../../lib/money.ts';
import { selectClosings } from '../../store/queries/ledger.ts';
import { openBudgets } from '../../store/queries/restores.ts';
import { appRow } from '../apps/apps.ts';
import { budgetDocument } from '../budgets/budget-document.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditNote } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import type { AllReopened, DaysReopened } from '../documents/days.ts';
import { findClosed, writeOpening } from '../restores/restores.ts';
import { closingSubject } from './plan-closing.ts';

interface Bookings {
  readonly app: string;
  readonly day: string;
  readonly closings: readonly Closing[];
}

type Closing = Pick<CallRecord, 'callId' | 'cost'>;

interface Reopening {
  readonly app: string;
  readonly day: string | undefined;
}

/** Changes nothing. Throws as the change does. */
export async function planReopening(
  context: AdminContext,
  request: Reopening,
): Promise<DaysReopened> {
  const { app, day, closings } = await closingsOf(context, request);
  return closings.map((closing) => reopenedDay(app, day, closing));
}

export function reopenedDay(
  app: string,
  day: string,
  { callId, cost }: Closing,
): DaysReopened[number] {
  return { app, day, callId, freedUsd: formatUsd(cost) };
}

async function closingsOf(context: AdminContext, request: Reopening) {
  const { name: app } = await appRow(context, request.app);
  const day = request.day ?? utcDayOf(context.clock.now());
  const closings = await context.store.read(selectClosings(app, day));
  if (closings.length > 0) return { app, day, closings };
  throw new AdminError(`nothing to reopen: the day ${day} of ${app} is not closed`);
}

/** Only for days without lost calls. Operators' corrections and known amounts stay. */
export async function reopenDay(context: AdminContext, request: Reopening): Promise<DaysReopened> {
  return reopenClosings(context, await closingsOf(context, request));
}

export async function reopenClosings(
  context: AdminContext,
  { app, day, closings }: Bookings,
): Promise<DaysReopened> {
  const reopened: DaysReopened[number][] = [];
  for (const { callId, cost } of closings) {
    const subject = closingSubject(app, day);
    const line = auditNote(context, { action: 'day.reopen', subject, callId });
    const closing = { callId, app, day, userId: undefined, month: undefined };
    const outcome = await context.queue.submit({ kind: 'correct', ...closing, cost: 0n, line });
    assert(outcome?.kind === 'corrected', `a closing is corrected into ${outcome?.kind}`);
    reopened.push(reopenedDay(app, day, { callId, cost }));
  }
  return reopened;
}

/** With a day, includes only its bookings. Throws an AdminError where nothing is closed. */
export async function planReopenAll(
  context: AdminContext,
  day: string | undefined,
): Promise<AllReopened> {
  return openedOf(await findAll(context, day));
}

/** Also reverses bookings for lost calls. */
export async function reopenAll(
  context: AdminContext,
  day: string | undefined,
): Promise<AllReopened> {
  const state = await findAll(context, day);
  if (state.closed !== undefined) {
    const { restore } = state.closed;
    await writeOpening(context, openBudgets(restore, context.clock.now()), 'all', restore.atMs);
  }
  for (const booking of state.bookings) await reopenClosings(context, booking);
  return openedOf(state);
}

type ClosedState = Awaited<ReturnType<typeof findAll>>;

function openedOf({ closed, bookings }: ClosedState): AllReopened {
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
  const restored = day === undefined ? await findClosed(context) : undefined;
  const closed = restored?.closesBudgets === true ? restored : undefined;
  const today = utcDayOf(context.clock.now());
  const days = day === undefined ? [...new Set([restored?.restore.day ?? today, today])] : [day];
  const booked = await Promise.all(
    days.map(async (each) => {
      const closings = await context.store.read(selectClosings(undefined, each));
      const byApp = Map.groupBy(closings, ({ app }) => app);
      return [...byApp].map(([app, ofApp]) => ({ app, day: each, closings: ofApp }));
    }),
  );
  const bookings = booked.flat();
  if (closed !== undefined || bookings.length > 0) return { closed, bookings };
  const wallets =
    restored?.closesWallets !== true ? '' : '; "wallets reopen --all" opens the wallets';
  throw new AdminError(
    `nothing to reopen: no budget is closed, and no lost calls are booked on ${days.join(' or ')}${wallets}`,
  );
}
