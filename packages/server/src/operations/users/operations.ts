import { app, argument, asOption } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import type { UserErased } from '../documents/wallets.ts';
import { eraseUser, planErasure, userField } from './erase-user.ts';

const erase = operation({
  name: 'users erase',
  about: "erase a user's name: past records now, the current month at its end",
  kind: 'change',
  http: ['POST /users/erase'],
  apps: { named: 'body' },
  input: {
    app: argument(app('app')),
    userId: argument(asOption('user', userField('user id in the app'))),
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
    `The user of ${name} is now ${pseudonym}; ${calls === 1 ? '1 record' : `${calls} records`} of calls changed.`,
    namedUntil === null
      ? 'No record contains the name any more.'
      : `Current records keep the name until ${namedUntil}. Then the service erases it, or this command if you run it again.`,
  ],
});

function intentOf({ app: name, userId, pseudonym, namedUntil }: UserErased): readonly string[] {
  return [
    `Permanently replaces the name ${userId} of ${name} with ${pseudonym} in all past records; totals are kept.`,
    `Records of the current month keep the name until ${namedUntil}; remaining top-ups are removed then.`,
  ];
}

const scrub = operation({
  name: 'users scrub',
  about: 'rewrite an offline SQLite file so its free pages contain no erased names',
  opens: 'file',
  needs: ['store'],
  result: async () => (await import('../documents/store.ts')).ScrubResult,
  run: async ({ store }) => (await import('../store/store-file.ts')).scrubStore(store),
  lines: ({ store, bytes }) => [
    `Rewrote ${store} (${bytes} bytes). Earlier backups are unchanged.`,
  ],
});

export const users: readonly Operation[] = [erase, scrub];
