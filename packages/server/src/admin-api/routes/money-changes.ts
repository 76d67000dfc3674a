import {
  planReopenAll,
  reopenAll,
  reopeningLine,
} from '../../operations/budgets/reopen-budgets.ts';
import { closeDays } from '../../operations/days/days.ts';
import {
  closesAll,
  closingAction,
  type PlannedClosing,
  planClosing,
} from '../../operations/days/plan-closing.ts';
import { planReopening, type ReopenedDay, reopenDay } from '../../operations/days/reopen-day.ts';
import { planRestore, restoreAction } from '../../operations/days/restores.ts';
import { DayReopened, DayReopening, DaysClosed, DaysClosing } from '../../operations/documents.ts';
import { type AnyRoute, route } from '../route.ts';
import { answerChange, dayOf, ofField, optionalPicoUsd, requireConfirmed } from './change.ts';

/** What puts days right. */
export const moneyChanges: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/v1/days/close',
    action: 'money',
    apps: { named: 'body' },
    summary: 'Books calls that a restored ledger has lost: the rest of the budget, or an amount',
    body: DaysClosing,
    answer: DaysClosed,
    async handle({ body, ...asked }) {
      const closing = {
        app: body.app === 'all' ? undefined : body.app,
        day: body.day === undefined ? undefined : dayOf('day', body.day),
        picoUsd: optionalPicoUsd('usd', body.usd),
        reference: body.reference,
      };
      if (body.dryRun !== true) requireConfirmed(body.confirm, body.app);
      const answer = await answerChange<readonly PlannedClosing[]>(asked, body, {
        async plan(admin) {
          const result = await ofField('reference', planClosing(admin, closing));
          const fresh = result.filter(({ callId }) => callId === null);
          const lines = fresh.map(closingLine);
          if (!closesAll(closing)) return { changes: lines, result };
          const { names } = await planRestore(admin);
          return { changes: [restoreLine(names), ...lines], result };
        },
        make: (admin) => ofField('reference', closeDays(admin, closing)),
      });
      return { body: answer };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/v1/days/reopen',
    action: 'money',
    apps: { named: 'body' },
    summary: 'Takes back what closing a day has booked, where no call was lost',
    body: DayReopening,
    answer: DayReopened,
    async handle({ body, ...asked }) {
      const day = body.day === undefined ? undefined : dayOf('day', body.day);
      if (body.app === 'all') return { body: await reopenEvery(asked, body, day) };
      const reopening = { app: body.app, day };
      const answer = await answerChange(asked, body, {
        async plan(admin) {
          const result = await planReopening(admin, reopening);
          return { changes: result.map(dayLine), result };
        },
        make: (admin) => reopenDay(admin, reopening),
      });
      return { body: answer };
    },
  }),
];

/** Opens every budget; its answer has the days, its lines of the audit log the budgets too. */
async function reopenEvery(
  asked: Parameters<typeof answerChange>[0],
  body: DayReopening,
  day: string | undefined,
) {
  if (body.dryRun !== true) requireConfirmed(body.confirm, 'all');
  return answerChange(asked, body, {
    async plan(admin) {
      const { opensBudgets, days } = await planReopenAll(admin, day);
      const lines = opensBudgets ? [reopeningLine('all')] : [];
      return { changes: [...lines, ...days.map(dayLine)], result: days };
    },
    make: async (admin) => (await reopenAll(admin, day)).days,
  });
}

function dayLine({ app, day, freedUsd }: ReopenedDay) {
  return { action: 'day.reopen', subject: `${app} ${day}`, before: freedUsd, after: '0' };
}

function restoreLine(names: string) {
  return { action: restoreAction, subject: 'store', before: null, after: names };
}

function closingLine({ app, day, bookedUsd }: PlannedClosing) {
  return { action: closingAction, subject: `${app} ${day}`, before: null, after: bookedUsd };
}
