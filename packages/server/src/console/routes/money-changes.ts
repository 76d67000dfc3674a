import { correctCall, planCorrection } from '../../admin/corrections.ts';
import { closeDays } from '../../admin/days.ts';
import { closingAction, type PlannedClosing, planClosing } from '../../admin/plan-closing.ts';
import { planReopening, reopenDay } from '../../admin/reopen-day.ts';
import {
  CallCorrected,
  CorrectionAsked,
  DayReopened,
  DayReopening,
  DaysClosed,
  DaysClosing,
} from '../documents/index.ts';
import { type AnyRoute, route } from '../route.ts';
import { checkCall } from '../seen.ts';
import { answerChange, dayOf, ofField, optionalPicoUsd, requireConfirmed } from './change.ts';

/** What puts the books right: costs of calls, and days. */
export const moneyChanges: readonly AnyRoute[] = [
  route({
    method: 'PUT',
    path: '/admin/v1/calls/:id/correction',
    action: 'money',
    summary: "Puts a finished call's cost right, once under a reference",
    body: CorrectionAsked,
    answer: CallCorrected,
    async handle({ body, parameters: { id: callId }, ...asked }) {
      const { usd, reference, confirm } = body;
      await checkCall(asked, callId);
      const correction = { callId, usd, reference };
      const planned = await ofField('usd', planCorrection(asked.admin, correction));
      const { costUsd: before, usd: after, isLarge, isDone } = planned;
      if (isLarge && !isDone && body.dryRun !== true) requireConfirmed(confirm, callId);
      const isSame = isDone || before === after;
      const line = { action: 'call.correct', subject: callId, before, after };
      const answer = await answerChange(asked, body, {
        plan: async () => ({ changes: isSame ? [] : [line], result: planned }),
        async make(admin) {
          await correctCall(admin, correction);
          return planned;
        },
      });
      return { body: answer };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/v1/days/close',
    action: 'money',
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
          return { changes: fresh.map(closingLine), result };
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
    summary: 'Takes back what closing a day has booked, where no call was lost',
    body: DayReopening,
    answer: DayReopened,
    async handle({ body, ...asked }) {
      const day = body.day === undefined ? undefined : dayOf('day', body.day);
      const reopening = { app: body.app, day };
      const answer = await answerChange(asked, body, {
        async plan(admin) {
          const result = await planReopening(admin, reopening);
          const changes = result.map(({ app, day: of, freedUsd }) => {
            const subject = `${app} ${of}`;
            return { action: 'day.reopen', subject, before: freedUsd, after: '0' };
          });
          return { changes, result };
        },
        make: (admin) => reopenDay(admin, reopening),
      });
      return { body: answer };
    },
  }),
];

function closingLine({ app, day, bookedUsd }: PlannedClosing) {
  return { action: closingAction, subject: `${app} ${day}`, before: null, after: bookedUsd };
}
