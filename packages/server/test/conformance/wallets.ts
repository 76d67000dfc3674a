import { tutor } from './operations.ts';
import { batch, day, type Row } from './table.ts';

const bob = tutor.as({ userId: 'bob' });

/** Grants and top-ups. Each user has a grant of 100; the app's budget is 1,000. */
export const walletRows: readonly Row[] = [
  {
    name: 'a reservation takes the grant first, then the top-ups',
    steps: [
      batch([tutor.topUp(50n, 'r'), 'topped-up']),
      batch([tutor.reserve('a', 80n), 'reserved'], [tutor.reserve('b', 40n), 'reserved']),
    ],
    leaves: {
      wallets: [{ granted: 100n, heldGrant: 100n, spentGrant: 0n }],
      topups: [{ added: 50n, held: 20n, spent: 0n }],
      holds: [
        { callId: 'a', grantAmount: 80n, topupAmount: 0n },
        { callId: 'b', grantAmount: 20n, topupAmount: 20n },
      ],
    },
  },
  {
    name: 'a reservation that the wallet cannot pay takes nothing from the budget either',
    steps: [
      batch([tutor.reserve('a', 100n), 'reserved']),
      batch([tutor.reserve('b', 1n, { key: 'k' }), 'INSUFFICIENT_CREDITS']),
    ],
    leaves: {
      budgets: [day({ held: 100n })],
      wallets: [{ heldGrant: 100n }],
      idempotency: [],
      holds: [{ callId: 'a' }],
    },
  },
  {
    name: 'a budget that is spent is said before an empty wallet',
    steps: [
      batch([tutor.reserve('a', 100n), 'reserved'], [tutor.reserve('b', 901n), 'BUDGET_EXCEEDED']),
      batch([tutor.reserve('c', 900n), 'INSUFFICIENT_CREDITS']),
    ],
  },
  {
    name: 'each user has a wallet of their own',
    steps: [
      batch([tutor.reserve('a', 100n), 'reserved'], [bob.reserve('b', 100n), 'reserved']),
      batch([tutor.settle('a', 100n), 'settled'], [bob.settle('b', 1n), 'settled']),
    ],
    leaves: {
      wallets: [
        { userId: 'ada', spentGrant: 100n },
        { userId: 'bob', spentGrant: 1n },
      ],
    },
  },
  {
    name: 'a settlement takes the cost from grant and top-ups as they were held',
    steps: [
      batch([tutor.topUp(50n, 'r'), 'topped-up'], [tutor.reserve('a', 140n), 'reserved']),
      batch([tutor.settle('a', 110n), 'settled']),
    ],
    leaves: {
      wallets: [{ spentGrant: 100n, spentTopup: 10n, heldGrant: 0n }],
      topups: [{ added: 50n, spent: 10n, held: 0n }],
      calls: [{ walletGrant: 100n, walletTopup: 10n }],
    },
  },
  {
    name: 'a wallet pays at most its hold, the budget all of it',
    steps: [batch([tutor.reserve('a', 30n), 'reserved'], [tutor.settle('a', 70n), 'settled'])],
    leaves: { budgets: [day({ spent: 70n, overrun: 40n })], wallets: [{ spentGrant: 30n }] },
  },
  {
    name: 'an extension leaves the wallet alone',
    steps: [
      batch([tutor.reserve('a', 100n), 'reserved'], [tutor.extend('a', 1, 100n), 'extended']),
      batch([tutor.settle('a', 150n, { walletCost: 60n }), 'settled']),
    ],
    leaves: { budgets: [day({ spent: 150n })], wallets: [{ spentGrant: 60n, heldGrant: 0n }] },
  },
  {
    name: 'an expiry costs the wallet nothing',
    steps: [
      batch([tutor.topUp(10n, 'r'), 'topped-up'], [tutor.reserve('a', 105n), 'reserved']),
      batch([tutor.expire('a'), 'expired'], [tutor.reserve('b', 110n), 'reserved']),
    ],
    leaves: {
      budgets: [day({ spent: 105n, estimated: 105n, held: 110n })],
      wallets: [{ heldGrant: 100n, spentGrant: 0n }],
      topups: [{ added: 10n, held: 10n, spent: 0n }],
    },
  },
  {
    name: 'a grant that has changed takes effect with the next month',
    steps: [
      batch([tutor.reserve('a', 100n), 'reserved']),
      batch([tutor.as({ granted: 500n }).reserve('b', 1n), 'INSUFFICIENT_CREDITS']),
      batch([
        tutor.as({ granted: 500n, now: Date.UTC(2026, 11, 1) }).reserve('c', 500n),
        'reserved',
      ]),
    ],
    leaves: { wallets: [{ granted: 100n }, { granted: 500n, heldGrant: 500n }] },
  },
  {
    name: 'a top-up acts once for each reference',
    steps: [
      batch([tutor.topUp(50n, 'r'), 'topped-up'], [tutor.topUp(50n, 'r'), 'topped-up']),
      batch([tutor.topUp(50n, 'r'), 'topped-up'], [bob.topUp(50n, 'r'), 'topped-up']),
      batch([tutor.topUp(50n, 's'), 'topped-up']),
    ],
    leaves: {
      topups: [
        { userId: 'ada', added: 100n },
        { userId: 'bob', added: 50n },
      ],
      entries: [{ userId: 'ada' }, { userId: 'ada' }, { userId: 'bob' }],
    },
  },
  {
    name: 'a reference that was used for another amount is an error of its own',
    steps: [
      batch([tutor.topUp(50n, 'r'), 'topped-up']),
      batch([tutor.topUp(51n, 'r'), 'invalid'], [tutor.topUp(1n, 's'), 'topped-up']),
    ],
    leaves: { topups: [{ added: 51n }] },
  },
  {
    name: 'a debit takes back what is unspent, to the last',
    steps: [
      batch([tutor.topUp(50n, 'r'), 'topped-up'], [tutor.reserve('a', 120n), 'reserved']),
      batch([tutor.topUp(-31n, 's'), 'only 30'], [tutor.topUp(-30n, 't'), 'topped-up']),
      batch([tutor.topUp(-1n, 'u'), 'only 0'], [tutor.settle('a', 100n), 'settled']),
      batch([tutor.topUp(-20n, 'v'), 'topped-up']),
    ],
    leaves: { topups: [{ added: 0n, spent: 0n, held: 0n }] },
  },
  {
    name: 'a debit never takes from a grant',
    steps: [batch([tutor.reserve('a', 1n), 'reserved'], [tutor.topUp(-1n, 'r'), 'only 0'])],
    leaves: { wallets: [{ granted: 100n }], topups: [{ added: 0n }], entries: [] },
  },
  {
    name: 'a refused debit may come again when there is money',
    steps: [
      batch([tutor.topUp(-5n, 'r'), 'only 0']),
      batch([tutor.topUp(9n, 's'), 'topped-up'], [tutor.topUp(-5n, 'r'), 'topped-up']),
    ],
    leaves: { topups: [{ added: 4n }] },
  },
];
