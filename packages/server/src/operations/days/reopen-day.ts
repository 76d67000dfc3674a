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

interface Bookings {
  readonly app: string;
  readonly day: string;
  readonly closings: readonly Closing[];
}

type Closing = Pick<CallRecord, 'callId' | 'cost'>;

/** Today where no day is named. */
interface Reopening {
  readonly app: string;
  readonly day: string | undefined;
}

/** Changes nothing. Throws as the change does. */
export async function planReopening(
  context: AdminContext,
  asked: Reopening,
): Promise<DaysReopened> {
  const { app, day, closings } = await closingsOf(context, asked);
  return closings.map((closing) => reopenedDay(app, day, closing));
}

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

/** For days where nothing was lost. Operators' corrections and known amounts stay. */
export async function reopenDay(context: AdminContext, asked: Reopening): Promise<DaysReopened> {
  return reopenClosings(context, await closingsOf(context, asked));
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
