import { app, argument, asOption } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import type { UserErased } from '../documents/wallets.ts';
import { eraseUser, planErasure, userField } from './erase-user.ts';

const erase = operation({
  name: 'users erase',
  about: "forget a user's name: at once for what is over, the rest at the month's end",
  kind: 'change',
  http: ['POST /users/erase'],
  apps: { named: 'body' },
  input: {
    app: argument(app('the app')),
    userId: argument(asOption('user', userField("the user's id, as the app names it"))),
  },
  example: { app: 'tutor', userId: 'u7' },
  result: async () => (await import('../documents/wallets.ts')).UserErased,
  danger: { subject: ({ userId }) => userId, intent: intentOf, planned: intentOf },
  async plan({ admin }, owner) {
    const result = await planErasure(admin, owner);
    const subject = `${owner.app}/${result.pseudonym}`;
    return { changes: [{ action: 'user.erase', subject, before: null, after: null }], result };
  },
  run: ({ admin }, owner) => eraseUser(admin, owner),
  lines: ({ app: name, pseudonym, calls, namedUntil }) => [
    `The user of ${name} is ${pseudonym} now: ${calls === 1 ? '1 record' : `${calls} records`} of calls changed.`,
    namedUntil === null
      ? 'Nothing has the name any more.'
      : `What is not over has the name until ${namedUntil}; the service, or this command again, forgets it then.`,
  ],
});

function intentOf({ app: name, userId, pseudonym, namedUntil }: UserErased): readonly string[] {
  return [
    `This replaces the name ${userId} of ${name} by ${pseudonym} in all that is over, for good; sums stay.`,
    `What is of the running month has the name until ${namedUntil}; what is left of top-ups goes with it.`,
  ];
}

const scrub = operation({
  name: 'users scrub',
  about: 'rewrite the file of a SQLite store that is not served: no free page has a name',
  opens: 'file',
  needs: ['store'],
  result: async () => (await import('../documents/store.ts')).Scrubbed,
  run: async ({ store }) => (await import('../store/store-file.ts')).scrubStore(store),
  lines: ({ store, bytes }) => [
    `Wrote ${store} anew, ${bytes} bytes. Earlier backups have what they had.`,
  ],
});

export const users: readonly Operation[] = [erase, scrub];
