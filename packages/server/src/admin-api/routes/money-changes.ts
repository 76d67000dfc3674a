import { correctCall, planCorrection } from '../../operations/calls/corrections.ts';
import { CallCorrected, CorrectionAsked } from '../../operations/documents.ts';
import { type AnyRoute, route } from '../route.ts';
import { answerChange, ofField, requireConfirmed } from './change.ts';

/** Corrects costs of calls. */
export const moneyChanges: readonly AnyRoute[] = [
  route({
    method: 'PUT',
    path: '/admin/v1/calls/:id/correction',
    action: 'money',
    apps: { of: 'call' },
    summary: "Puts a finished call's cost right, once under a reference",
    body: CorrectionAsked,
    answer: CallCorrected,
    async handle({ body, parameters: { id: callId }, ...asked }) {
      const { usd, reference, confirm } = body;
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
];
