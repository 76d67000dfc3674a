import assert from 'node:assert';
import { utcDayOf } from '../lib/clock.ts';
import { formatUsd } from '../lib/money.ts';
import { selectClosings } from '../store/queries/ledger.ts';
import { AdminError } from './admin-error.ts';
import { appRow } from './apps.ts';
import { auditNote } from './audit-line.ts';
import type { AdminContext } from './context.ts';
import { closingSubject } from './plan-closing.ts';

/** What of a closed day is free again. */
export interface ReopenedDay {
  readonly app: string;
  readonly day: string;
  /** The record of the closing, which now cost nothing. */
  readonly callId: string;
  readonly freedUsd: string;
}

/**
 * Takes back what was booked for lost calls of a day, where nothing was lost. What an operator has
 * put right meanwhile, or booked as a known amount, stays.
 */
export async function reopenDay(
  context: AdminContext,
  asked: { readonly app: string; readonly day: string | undefined },
): Promise<readonly ReopenedDay[]> {
  const { name: app } = await appRow(context, asked.app);
  const day = asked.day ?? utcDayOf(context.clock.now());
  const closings = await context.store.read(selectClosings(app, day));
  if (closings.length === 0) {
    throw new AdminError(`nothing is booked for lost calls of ${app} on ${day}: it is not closed`);
  }
  const reopened: ReopenedDay[] = [];
  for (const { callId, cost } of closings) {
    const subject = closingSubject(app, day);
    const line = auditNote(context, { action: 'day.reopen', subject, callId });
    const closing = { callId, app, day, userId: undefined, month: undefined };
    const outcome = await context.queue.submit({ kind: 'correct', ...closing, cost: 0n, line });
    assert(outcome?.kind === 'corrected', `a closing is corrected into ${outcome?.kind}`);
    reopened.push({ app, day, callId, freedUsd: formatUsd(cost) });
  }
  return reopened;
}
