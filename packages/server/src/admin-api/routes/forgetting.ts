import { type Pruned, planPrune, pruneDays } from '../../operations/days/prune.ts';
import { CallsPruned, CallsPruning, UserErased, UserErasing } from '../../operations/documents.ts';
import { eraseUser, planErasure } from '../../operations/users/erase-user.ts';
import { type AnyRoute, route } from '../route.ts';
import { answerChange, dayOf, ofField, requireConfirmed } from './change.ts';

/** What forgets: names of users, and records of months that are over. */
export const forgettingChanges: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/v1/users/erase',
    action: 'operate',
    apps: { named: 'body' },
    summary: "Forgets a user's name: at once for what is over, the rest at the month's end",
    body: UserErasing,
    answer: UserErased,
    async handle({ body, ...asked }) {
      const owner = { app: body.app, userId: body.userId };
      if (body.dryRun !== true) requireConfirmed(body.confirm, body.userId);
      const answer = await answerChange(asked, body, {
        async plan(admin) {
          const result = await ofField('userId', planErasure(admin, owner));
          const subject = `${owner.app}/${result.pseudonym}`;
          const line = { action: 'user.erase', subject, before: null, after: null };
          return { changes: [line], result };
        },
        make: (admin) => ofField('userId', eraseUser(admin, owner)),
      });
      return { body: answer };
    },
  }),
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
