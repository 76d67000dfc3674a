import { utcDayOf } from '../../lib/clock.ts';
import { formatUsd, larger } from '../../lib/money.ts';
import { selectBudget } from '../../store/queries/ledger.ts';
import { selectChangeUnder } from '../../store/queries/references.ts';
import { type AppRow, selectApps } from '../../store/queries/registry.ts';
import { appRow } from '../apps/apps.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';
import type { DaysClosed } from '../documents/days.ts';
import { otherAmount } from '../wallets/wallets.ts';

export interface DayClosing {
  /** Undefined: every app with a daily budget. */
  readonly app: string | undefined;
  /** A UTC day; undefined: today. */
  readonly day: string | undefined;
  /** The lost calls' cost; undefined: the whole remaining budget. */
  readonly picoUsd: bigint | undefined;
  /** A reference books once. It needs an amount, since a closed day has no remaining budget. */
  readonly reference?: string | undefined;
}

/** True for a restored store: every budget closes, not only days. */
export function closesAll({ app, day, picoUsd }: DayClosing): boolean {
  return app === undefined && day === undefined && picoUsd === undefined;
}

export interface OpenClosing {
  readonly app: AppRow;
  readonly day: string;
  readonly picoUsd: bigint;
  readonly doneBefore: string | undefined;
}

/** Omits days without a remaining budget. Throws an AdminError where nothing can be closed. */
export async function planClosing(context: AdminContext, closing: DayClosing): Promise<DaysClosed> {
  const open = await openClosings(context, closing);
  return open.map(({ app, day, picoUsd, doneBefore }) => {
    return { app: app.name, day, callId: doneBefore ?? null, bookedUsd: formatUsd(picoUsd) };
  });
}

/** Throws as {@link planClosing} does. */
export async function openClosings(
  context: AdminContext,
  closing: DayClosing,
): Promise<readonly OpenClosing[]> {
  const today = utcDayOf(context.clock.now());
  const { day = today, picoUsd, reference } = closing;
  if (day > today) throw new AdminError(`the day ${day} has not started; nothing can be lost`);
  refuseReferenceAlone(closing);
  const planned: OpenClosing[] = [];
  for (const app of await appsOf(context, closing)) {
    const doneBefore = await closedUnder(context, { app: app.name, day, picoUsd, reference });
    const booked = picoUsd ?? (await restOf(context, app, day)) ?? 0n;
    if (booked > 0n) planned.push({ app, day, picoUsd: booked, doneBefore });
  }
  return planned;
}

function refuseReferenceAlone({ picoUsd, reference }: DayClosing) {
  if (reference === undefined || picoUsd !== undefined) return;
  throw new AdminError(
    'a reference requires an amount (--usd); closing a day again without an amount books nothing more',
    { isBadValue: true, field: 'reference' },
  );
}

async function closedUnder(
  context: AdminContext,
  closing: Pick<DayClosing, 'picoUsd' | 'reference'> & {
    readonly app: string;
    readonly day: string;
  },
): Promise<string | undefined> {
  const { app, day, picoUsd, reference } = closing;
  if (reference === undefined || picoUsd === undefined) return undefined;
  const subject = closingSubject(app, day);
  const change = { action: closingAction, subject, reference };
  const before = await context.store.read(selectChangeUnder(change));
  if (before === undefined) return undefined;
  if (before.usd !== formatUsd(picoUsd)) throw otherAmount(reference, before.usd);
  return before.callId;
}

export const closingAction = 'day.close';
export const closingSubject = (app: string, day: string) => `${app} ${day}`;

async function appsOf(
  context: AdminContext,
  { app, picoUsd }: DayClosing,
): Promise<readonly AppRow[]> {
  if (app === undefined) {
    if (picoUsd !== undefined) {
      throw new AdminError('an amount requires a single app', { isBadValue: true, field: 'usd' });
    }
    const rows = await context.store.read(selectApps(context.company));
    return rows.filter((row) => row.dailyBudgetPicoUsd !== undefined);
  }
  const row = await appRow(context, app);
  if (row.dailyBudgetPicoUsd === undefined && picoUsd === undefined) {
    throw new AdminError(
      `the app ${app} has no daily budget to close; use --usd to book the amount that the platform billed and the ledger lacks`,
    );
  }
  return [row];
}

/** Undefined for a day without a budget. */
export async function restOf(
  { store }: AdminContext,
  app: AppRow,
  day: string,
): Promise<bigint | undefined> {
  const budget = await store.read(selectBudget(app.name, day));
  if (budget === undefined) return app.dailyBudgetPicoUsd;
  if (budget.cap === undefined) return undefined;
  return larger(0n, budget.cap - budget.spent - budget.held);
}
