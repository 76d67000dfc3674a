import type {
  CreditsDocument,
  WalletChanged,
  WalletPage,
} from '@model-gateway/server/operations/documents';

const credits: CreditsDocument = {
  ...{ userId: 'u7', period: '2026-11', granted: '400', toppedUp: '50', spent: '123.5' },
  ...{ held: '1.5', available: '325', resetsAt: '2026-12-01T00:00:00.000Z' },
};

/** A wallet that was topped up once. */
export const wallet: WalletPage = {
  ...{ wallet: credits, isNewUser: false },
  history: {
    ...{ app: 'search', userId: 'u7' },
    months: [{ period: '2026-11', granted: '400', spentGrant: '123.5', spentTopUp: '0' }],
    changes: [
      {
        ...{ at: '2026-11-20T09:00:00.000Z', credits: '50', reference: 'order-1' },
        ...{ actor: 'ada@acme.example', reason: 'bought' },
      },
    ],
  },
};

/** A wallet with only its grant. */
export const newWallet: WalletPage = {
  wallet: { ...credits, toppedUp: '0', spent: '0', held: '0', available: '400' },
  history: { app: 'search', userId: 'u7', months: [], changes: [] },
  isNewUser: true,
};

/** The wallet plus 25 credits. */
export const walletChanged: WalletChanged = {
  ...{ dryRun: false, changes: [] },
  result: {
    wallet: { ...credits, toppedUp: '75', available: '350' },
    ...{ isRepeated: false, isNewUser: false },
  },
};
