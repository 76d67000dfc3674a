import type { CreditsAnswer } from '@model-gateway/contract';
import { listedNames } from '../../lib/nearest.ts';
import type { AdminContext } from '../context/context.ts';
import { maskActor } from '../context/masking.ts';
import {
  app,
  argument,
  type Input,
  line,
  matching,
  optional,
  yesOrNo,
} from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { factLines, sameReference, tableLines } from '../description/text-lines.ts';
import type { WalletsReopened } from '../documents/wallets.ts';
import { reopeningLine } from '../restores/restores.ts';
import { erasureLines, userField } from '../users/erase-user.ts';
import { walletHistory } from './wallet-history.ts';
import {
  debitWallet,
  findWallet,
  isKnownReference,
  isKnownUser,
  planReopenWallets,
  planWalletChange,
  reopenWallets,
  topUpWallet,
  walletSubject,
} from './wallets.ts';

const owner = { app: argument(app('app')), user: argument(userField('user id')) };
type Owner = Input<typeof owner>;

const show = operation({
  name: 'wallets show',
  about: "show a user's credits of this month and their history",
  right: 'users',
  http: ['GET /apps/:app/wallets/:user'],
  input: owner,
  example: { app: 'tutor', user: 'u7' },
  commands: [
    {
      about: "show a user's credits of this month",
      document: ({ wallet }) => wallet,
      lines: ({ wallet, isNewUser }, input) => walletLines(wallet, isNewUser, input.app),
    },
    {
      name: 'wallets history',
      about: 'show monthly grants and every top-up and debit, with actor and reason',
      document: ({ history }) => history,
    },
  ],
  result: async () => (await import('../documents/wallets.ts')).WalletPage,
  warnings: ({ admin }, { app: name, user }) => erasureLines(admin, { app: name, userId: user }),
  async run({ admin, session }, { app: name, user }) {
    const holder = { app: name, userId: user };
    const history = await walletHistory(admin, holder);
    const changes = history.changes.map(({ actor, ...change }) => {
      return { ...change, actor: actor && maskActor(session, actor) };
    });
    const isNewUser = !(await isKnownUser(admin, holder));
    return { wallet: await findWallet(admin, holder), history: { ...history, changes }, isNewUser };
  },
  lines: ({ history: { months, changes } }) => [
    ...tableLines(
      ['month', 'granted', 'spent of grant', 'spent of top-ups'],
      months.map((month) => [month.period, month.granted, month.spentGrant, month.spentTopUp]),
      'No calls were paid from this wallet.',
      ['granted', 'spent of grant', 'spent of top-ups'],
    ),
    '',
    ...tableLines(
      ['at', 'credits', 'by', 'reference', 'why'],
      changes.map(({ at, credits, actor, reference, reason }) => [
        ...[at, credits, actor ?? 'unknown', reference, reason ?? 'not given'],
      ]),
      'No top-ups or debits.',
      ['credits'],
    ),
  ],
});

const reference = optional(line(255, 'idempotency reference, applied once', 'reference'));
const above0 = matching(/^\d{1,30}(\.\d{1,30})?$/, {
  rule: 'a decimal number of credits above 0, such as 100 or 0.5',
  ...{ about: 'number of credits', placeholder: 'credits' },
});
const command = { ...owner, credits: argument(above0), reference };
const example = { app: 'tutor', user: 'u7', credits: '100' };

const enter = operation({
  name: 'wallets top-up',
  about: "add credits to a user's wallet, or remove unspent ones; once per reference",
  right: 'wallets',
  kind: 'change',
  http: ['POST /apps/:app/wallets/:user/entries'],
  input: {
    ...owner,
    credits: matching(/^-?\d{1,30}(\.\d{1,30})?$/, {
      rule: 'a decimal number of credits, such as "100" or "-0.5"',
      about: 'exact decimal credits: "100" adds credits, "-100" removes unspent top-up credits',
      placeholder: 'credits',
    }),
    reference,
  },
  example,
  commands: [
    {
      about: 'add credits; they carry over until spent',
      ...{ input: command, needsConfirmation: false },
      document: ({ wallet }) => wallet,
    },
    {
      ...{ name: 'wallets debit', about: 'remove unspent top-up credits' },
      ...{ input: command, needsConfirmation: false },
      toInput: (given) => ({ ...given, credits: `-${given.credits}` }),
      document: ({ wallet }) => wallet,
    },
  ],
  result: async () => (await import('../documents/wallets.ts')).WalletEntered,
  danger: {
    subject: ({ credits, user }) => (credits.startsWith('-') ? user : undefined),
    intent: () => [],
  },
  async warnings({ admin }, input) {
    const isKnown = await isKnownReference(admin, { ...input, userId: input.user });
    const erased = await erasureLines(admin, { app: input.app, userId: input.user });
    return isKnown ? [...erased, sameReference] : erased;
  },
  async plan({ admin }, input) {
    const { isDebit, change, ...known } = await changeOf(admin, input);
    const wallet = await planWalletChange(admin, change, isDebit ? -1n : 1n);
    const action = isDebit ? 'wallet.debit' : 'wallet.top-up';
    const subject = walletSubject(admin, change);
    const made = { action, subject, before: null, after: `${input.credits} credits` };
    return { changes: known.isRepeated ? [] : [made], result: { wallet, ...known } };
  },
  async run({ admin }, input) {
    const { isDebit, change, ...known } = await changeOf(admin, input);
    return { wallet: await (isDebit ? debitWallet : topUpWallet)(admin, change), ...known };
  },
  lines: ({ wallet, isNewUser }, input) => walletLines(wallet, isNewUser, input.app),
});

/** Negative credits are a debit. */
async function changeOf(
  admin: AdminContext,
  input: Owner & { readonly credits: string; readonly reference: string | undefined },
) {
  const credits = input.credits.replace('-', '');
  const change = { ...input, userId: input.user, credits };
  const isRepeated = await isKnownReference(admin, change);
  const isNewUser = !(await isKnownUser(admin, change));
  return { isDebit: input.credits.startsWith('-'), change, isRepeated, isNewUser };
}

const reopen = operation({
  name: 'wallets reopen',
  about: 'open the wallets that a restore closed; their calls are admitted again',
  right: 'money',
  kind: 'change',
  http: ['POST /wallets/reopen'],
  commands: [
    {
      input: { all: { ...yesOrNo('wallets of all apps'), placeholder: '' } },
      ...{ example: { all: 'true' }, toInput: () => ({}) },
    },
  ],
  result: async () => (await import('../documents/wallets.ts')).WalletsReopened,
  danger: {
    subject: () => 'all',
    intent: (planned) => [
      `The store was restored at ${planned.restoredAt}, so wallets might be missing spent credits.`,
      `The wallets of ${appsOf(planned)} will be opened. Users can spend the credits that the store records as left.`,
    ],
  },
  plan: async ({ admin }) => ({
    changes: [reopeningLine('wallets')],
    result: await planReopenWallets(admin),
  }),
  run: ({ admin }) => reopenWallets(admin),
  lines: (reopened) => [`The wallets of ${appsOf(reopened)} are open.`],
});

function appsOf({ apps }: WalletsReopened): string {
  return apps.length === 0 ? 'every app' : listedNames(apps);
}

function walletLines(
  { closedAt, ...wallet }: CreditsAnswer,
  isNewUser: boolean,
  ofApp: string,
): readonly string[] {
  const closed = `since the store was restored at ${closedAt}; run "wallets reopen --all" to open it`;
  return [
    ...factLines([
      ['user', wallet.userId],
      ['period', wallet.period],
      ['granted', wallet.granted],
      ['topped up', wallet.toppedUp],
      ['spent', wallet.spent],
      ['reserved', wallet.held],
      ['available', wallet.available],
      ['resets', wallet.resetsAt],
      ...(closedAt === undefined ? [] : [['closed', closed] as const]),
    ]),
    ...(isNewUser ? [`New user of ${ofApp}; check that the id is correct.`] : []),
  ];
}

export const wallets: readonly Operation[] = [show, enter, reopen];
