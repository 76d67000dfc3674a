import {
  planReopenWallets,
  reopeningLine,
  reopenWallets,
} from '../../operations/budgets/reopen-budgets.ts';
import {
  WalletChanged,
  WalletEntry,
  WalletsReopened,
  WalletsReopening,
} from '../../operations/documents.ts';
import {
  debitWallet,
  isKnownReference,
  isKnownUser,
  planWalletChange,
  topUpWallet,
  walletSubject,
} from '../../operations/wallets/wallets.ts';
import { type AnyRoute, route } from '../route.ts';
import { answerChange, ofField, requireConfirmed } from './change.ts';

/** What changes wallets. */
export const walletChanges: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/v1/wallets/reopen',
    action: 'money',
    apps: 'all',
    summary: 'Opens the wallets that a restored store has closed',
    body: WalletsReopening,
    answer: WalletsReopened,
    async handle({ body, ...asked }) {
      if (body.dryRun !== true) requireConfirmed(body.confirm, 'all');
      const answer = await answerChange(asked, body, {
        async plan(admin) {
          const result = await planReopenWallets(admin);
          return { changes: [reopeningLine('wallets')], result };
        },
        make: reopenWallets,
      });
      return { body: answer };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/v1/apps/:app/wallets/:user/entries',
    action: 'wallets',
    apps: { named: 'path' },
    summary: "Adds credits to a user's wallet, or takes unspent ones back; once under a reference",
    body: WalletEntry,
    answer: WalletChanged,
    async handle({ body, parameters, ...asked }) {
      const { app, user: userId } = parameters;
      const isDebit = body.credits.startsWith('-');
      const { reference, confirm } = body;
      const credits = isDebit ? body.credits.slice(1) : body.credits;
      const change = { app, userId, credits, reference };
      if (isDebit && body.dryRun !== true) requireConfirmed(confirm, userId);
      const isRepeated = await isKnownReference(asked.admin, change);
      const isNewUser = !(await isKnownUser(asked.admin, change));
      const answer = await answerChange(asked, body, {
        async plan(admin) {
          const wallet = await ofField(
            'credits',
            planWalletChange(admin, change, isDebit ? -1n : 1n),
          );
          const action = isDebit ? 'wallet.debit' : 'wallet.top-up';
          const subject = walletSubject(admin, change);
          const line = { action, subject, before: null, after: `${body.credits} credits` };
          return { changes: isRepeated ? [] : [line], result: { wallet, isRepeated, isNewUser } };
        },
        async make(admin) {
          const work = isDebit ? debitWallet(admin, change) : topUpWallet(admin, change);
          return { wallet: await ofField('credits', work), isRepeated, isNewUser };
        },
      });
      return { body: answer };
    },
  }),
];
