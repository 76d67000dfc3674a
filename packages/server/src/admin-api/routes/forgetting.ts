import { type Pruned, planPrune, pruneDays } from '../../operations/days/prune.ts';
import { CallsPruned, CallsPruning } from '../../operations/documents.ts';
import { type AnyRoute, route } from '../route.ts';
import { answerChange, dayOf, requireConfirmed } from './change.ts';

/** What prunes records of months that are over. */
export const forgettingChanges: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/v1/days/prune',
    action: 'operate',
    apps: 'all',
    summary: 'Deletes records of calls of months that are over; it goes on if its caller leaves',
    body: CallsPruning,
    answer: CallsPruned,
    async handle({ body, ...asked }) {
      const pruning = { before: dayOf('before', body.before) };
      if (body.dryRun !== true) requireConfirmed(body.confirm, body.before);
      const answer = await answerChange<Pruned>(asked, body, {
        async plan(admin) {
          const result = await planPrune(admin, pruning);
          const { calls, prunedBefore: after } = result;
          const line = { action: 'day.prune', subject: 'calls', before: null, after };
          return { changes: calls === 0 ? [] : [line], result };
        },
        make: (admin) => pruneDays(admin, pruning),
      });
      return { body: answer };
    },
  }),
];
