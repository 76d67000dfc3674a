import assert from 'node:assert';
import type { CallRecord } from '../../books/rows.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { formatUsd } from '../../lib/money.ts';
import { selectClosings } from '../../store/queries/ledger.ts';
import { AdminError } from '../admin-error.ts';
import { appRow } from '../apps/apps.ts';
import { auditNote } from '../audit-line.ts';
import type { AdminContext } from '../context.ts';
import type { DaysReopened } from './documents.ts';
import { closingSubject } from './plan-closing.ts';

/** The bookings for lost calls of an app's day. */
interface Bookings {
  readonly app: string;
  readonly day: string;
  readonly closings: readonly Closing[];
}

/** One of them. */
type Closing = Pick<CallRecord, 'callId' | 'cost'>;

/** Which day of which app; today where none is named. */
interface Reopening {
  readonly app: string;
  readonly day: string | undefined;
}

/** Says what of a day would be free again, and changes nothing. Throws as the change does. */
export async function planReopening(
  context: AdminContext,
  asked: Reopening,
): Promise<DaysReopened> {
  const { app, day, closings } = await closingsOf(context, asked);
  return closings.map((closing) => reopenedDay(app, day, closing));
}

/** What taking back one booking frees. */
export function reopenedDay(
  app: string,
  day: string,
  { callId, cost }: Closing,
): DaysReopened[number] {
  return { app, day, callId, freedUsd: formatUsd(cost) };
}

async function closingsOf(context: AdminContext, asked: Reopening) {
  const { name: app } = await appRow(context, asked.app);
  const day = asked.day ?? utcDayOf(context.clock.now());
  const closings = await context.store.read(selectClosings(app, day));
  if (closings.length > 0) return { app, day, closings };
  throw new AdminError(`nothing is booked for lost calls of ${app} on ${day}: it is not closed`);
}

/**
 * Takes back what was booked for lost calls of a day, where nothing was lost. What an operator has
 * put right meanwhile, or booked as a known amount, stays.
 */
export async function reopenDay(context: AdminContext, asked: Reopening): Promise<DaysReopened> {
  return reopenClosings(context, await closingsOf(context, asked));
}

/** Takes back these bookings of a day. */
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
