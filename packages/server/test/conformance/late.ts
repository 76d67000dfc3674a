import { noonMs, search, tutor } from './operations.ts';
import { batch, cap, day, type Row } from './table.ts';

const tomorrow = noonMs + 86_400_000;

const unknown = { keyId: undefined, remote: undefined, platform: undefined };

/** Facts of a call of a model without a price, reserved at the highest rates. */
const dearest = { priceVersion: 'dearest-1' };

/** Late settlements, calls without a reservation, and corrections by an operator. */
export const lateRows: readonly Row[] = [
  {
    name: "a settlement after its hold's expiry brings the hold's own day to the true cost",
    steps: [
      batch([search.reserve('a', 50n), 'reserved'], [search.expire('a'), 'expired']),
      batch([search.settle('a', 20n, { now: tomorrow }), 'settled']),
      batch([search.settle('a', 20n, { now: tomorrow }), 'settled']),
    ],
    leaves: {
      budgets: [day({ day: '2026-11-21', spent: 20n })],
      calls: [{ code: 'OK', cost: 20n, estimated: 0n, basis: 'exact', day: '2026-11-21' }],
      usage: [{ calls: 1, errors: 0, cost: 20n, estimated: 0n, inputTokens: 1 }],
    },
  },
  {
    name: 'a late settlement stands whose expiry did not know who made the call',
    steps: [
      batch([search.reserve('a', 50n, { facts: unknown }), 'reserved']),
      batch([search.expire('a'), 'expired']),
      batch([search.settle('a', 20n), 'settled'], [search.settle('a', 20n), 'settled']),
    ],
    leaves: { calls: [{ code: 'OK', cost: 20n, ...unknown }] },
  },
  {
    name: 'an expiry and the late settlement in one batch',
    steps: [
      batch([search.reserve('a', 50n, { key: 'k' }), 'reserved']),
      batch(
        [search.expire('a', 'k'), 'expired'],
        [search.settle('a', 20n, { key: 'k', body: 'late' }), 'settled'],
      ),
    ],
    leaves: {
      budgets: [day({ spent: 20n })],
      idempotency: [{ state: 'unstored', callId: 'a' }],
      results: [{ callId: 'a', body: 'late' }],
    },
  },
  {
    name: 'a late settlement that costs more than the hold is an overrun',
    steps: [
      batch([search.reserve('a', 50n), 'reserved'], [search.expire('a'), 'expired']),
      batch([search.settle('a', 70n), 'settled']),
    ],
    leaves: { budgets: [day({ spent: 70n, overrun: 20n })] },
  },
  {
    name: 'a late settlement takes from the wallet what it has',
    steps: [
      batch([tutor.reserve('a', 60n), 'reserved'], [tutor.expire('a'), 'expired']),
      batch([tutor.reserve('b', 70n), 'reserved']),
      batch([tutor.settle('a', 50n), 'settled'], [tutor.reserve('c', 1n), 'INSUFFICIENT_CREDITS']),
    ],
    leaves: {
      budgets: [day({ spent: 50n, held: 70n })],
      wallets: [{ spentGrant: 30n, heldGrant: 70n }],
      calls: [{ callId: 'a', cost: 50n, walletGrant: 30n, walletTopup: 0n }],
    },
  },
  {
    name: 'a late settlement takes at most what the wallet held at first, and the budget all of it',
    steps: [
      batch([tutor.reserve('a', 30n), 'reserved'], [tutor.extend('a', 1, 30n), 'extended']),
      batch([tutor.expire('a'), 'expired'], [tutor.settle('a', 70n), 'settled']),
    ],
    leaves: {
      budgets: [day({ spent: 70n, overrun: 10n })],
      wallets: [{ spentGrant: 30n, heldGrant: 0n }],
      calls: [{ cost: 70n, held: 60n, heldAtEnd: 60n, walletHeld: 30n, walletGrant: 30n }],
    },
  },
  {
    name: 'a late settlement takes the grant first, then the top-ups',
    steps: [
      batch([tutor.topUp(30n, 'r'), 'topped-up'], [tutor.reserve('a', 120n), 'reserved']),
      batch([tutor.expire('a'), 'expired'], [tutor.settle('a', 110n), 'settled']),
    ],
    leaves: {
      wallets: [{ spentGrant: 100n, spentTopup: 10n, heldGrant: 0n }],
      topups: [{ added: 30n, spent: 10n, held: 0n }],
    },
  },
  {
    name: 'a late settlement with another day than was reserved is an error',
    steps: [
      batch([search.reserve('a', 50n), 'reserved'], [search.expire('a'), 'expired']),
      batch([search.settle('a', 20n, { facts: { day: '2026-11-22' } }), 'invalid']),
    ],
    leaves: { budgets: [day({ spent: 50n, estimated: 50n })] },
  },
  {
    name: 'a settlement without a hold is booked all the same, as an orphan',
    steps: [
      batch([search.settle('a', 20n), 'orphan'], [search.settle('a', 20n), 'orphan']),
      batch([search.settle('a', 20n), 'orphan'], [search.settle('a', 21n), 'invalid']),
    ],
    leaves: {
      budgets: [day({ spent: 20n, overrun: 20n })],
      calls: [{ basis: 'orphan', cost: 20n, held: 0n }],
      usage: [{ calls: 1, cost: 20n }],
    },
  },
  {
    name: 'an orphan takes nothing from a wallet',
    steps: [batch([tutor.settle('a', 20n), 'orphan'])],
    leaves: { wallets: [], calls: [{ walletGrant: 0n, walletTopup: 0n }] },
  },
  {
    name: 'a correction down frees what it was too much',
    steps: [
      batch([search.reserve('a', 100n), 'reserved'], [search.settle('a', 80n), 'settled']),
      batch(
        [search.correct('a', 30n), 'corrected from 80'],
        [search.reserve('b', 70n), 'reserved'],
      ),
    ],
    leaves: {
      budgets: [day({ spent: 30n, held: 70n })],
      calls: [{ cost: 30n, basis: 'corrected', code: 'OK' }],
      usage: [{ calls: 1, cost: 30n, inputTokens: 1 }],
    },
  },
  {
    name: 'a correction up may pass the cap: what was free is taken, so it is an overrun',
    steps: [
      batch([search.reserve('a', 100n), 'reserved'], [search.settle('a', 10n), 'settled']),
      batch([search.reserve('b', 90n), 'reserved']),
      batch([search.correct('a', 95n), 'corrected from 10']),
      batch([search.correct('a', 40n), 'corrected from 95']),
    ],
    leaves: { budgets: [day({ spent: 40n, held: 90n, overrun: 30n })] },
  },
  {
    name: 'a call of a model without a price is repriced once, on its own day',
    steps: [
      batch(
        [search.reserve('a', 100n, { facts: dearest }), 'reserved'],
        [
          search.settle('a', 80n, { estimated: 80n, basis: 'estimated', facts: dearest }),
          'settled',
        ],
      ),
      batch([search.reprice('a', 81n, 8n), 'not-repriced']),
      batch(
        [search.reprice('a', 80n, 8n), 'repriced'],
        [search.reprice('a', 8n, 7n), 'not-repriced'],
      ),
      // The same settlement again, as after a commit with unknown outcome.
      batch([
        search.settle('a', 80n, { estimated: 80n, basis: 'estimated', facts: dearest }),
        'settled',
      ]),
    ],
    leaves: {
      budgets: [day({ spent: 8n })],
      calls: [{ cost: 8n, estimated: 0n, basis: 'corrected', priceVersion: 'sim-echo@2' }],
      usage: [{ calls: 1, cost: 8n, estimated: 0n, unpricedCalls: 0 }],
    },
  },
  {
    name: 'what of a repriced call has no counts stays an estimate',
    steps: [
      batch(
        [search.reserve('a', 100n, { facts: dearest }), 'reserved'],
        [
          search.settle('a', 80n, { estimated: 80n, basis: 'estimated', facts: dearest }),
          'settled',
        ],
      ),
      batch([search.reprice('a', 80n, 50n, 40n), 'repriced']),
    ],
    leaves: {
      budgets: [day({ spent: 50n, estimated: 40n })],
      calls: [{ cost: 50n, estimated: 40n, basis: 'estimated' }],
    },
  },
  {
    name: 'calls with a price, lost ones and corrected ones are not repriced',
    steps: [
      batch(
        [search.reserve('a', 10n), 'reserved'],
        [search.settle('a', 9n), 'settled'],
        [search.reserve('b', 20n, { facts: dearest }), 'reserved'],
        [search.expire('b'), 'expired'],
        [search.reserve('c', 30n, { facts: dearest }), 'reserved'],
        [search.settle('c', 25n, { facts: dearest }), 'settled'],
        [search.correct('c', 5n), 'corrected from 25'],
      ),
      batch(
        [search.reprice('a', 9n, 1n), 'not-repriced'],
        [search.reprice('b', 20n, 1n), 'not-repriced'],
        [search.reprice('c', 5n, 1n), 'not-repriced'],
        [search.reprice('d', 0n, 1n), 'no-call'],
      ),
    ],
    leaves: { budgets: [day({ spent: 34n, estimated: 20n })] },
  },
  {
    name: 'a correction of an estimate leaves no estimate',
    steps: [
      batch([search.reserve('a', 50n), 'reserved'], [search.expire('a'), 'expired']),
      batch([search.correct('a', 12n), 'corrected from 50']),
    ],
    leaves: {
      budgets: [day({ spent: 12n })],
      calls: [{ code: 'LOST', cost: 12n, estimated: 0n, basis: 'corrected' }],
    },
  },
  {
    name: 'a correction moves what the wallet paid, the grant first, up to what was held',
    steps: [
      batch([tutor.topUp(30n, 'r'), 'topped-up'], [tutor.reserve('a', 120n), 'reserved']),
      batch([tutor.settle('a', 110n), 'settled'], [tutor.correct('a', 60n), 'corrected from 110']),
      batch([tutor.correct('a', 200n), 'corrected from 60']),
    ],
    leaves: {
      budgets: [day({ spent: 200n, overrun: 140n })],
      wallets: [{ spentGrant: 100n, spentTopup: 20n }],
      topups: [{ added: 30n, spent: 20n }],
    },
  },
  {
    name: 'a correction leaves a wallet alone that paid nothing',
    steps: [
      batch([tutor.reserve('a', 60n), 'reserved']),
      batch([tutor.settle('a', 60n, { walletCost: 0n, code: 'BAD_OUTPUT' }), 'settled']),
      batch([tutor.correct('a', 50n), 'corrected from 60']),
    ],
    leaves: { wallets: [{ spentGrant: 0n }], budgets: [day({ spent: 50n })] },
  },
  {
    name: 'a call that runs, or is not known, is not corrected',
    steps: [
      batch([search.reserve('a', 60n), 'reserved']),
      batch([search.correct('a', 1n), 'no-call'], [search.correct('b', 1n), 'no-call']),
    ],
    leaves: { budgets: [day({ held: 60n })], calls: [] },
  },
  {
    name: 'a correction that names another user or day is an error',
    steps: [
      batch([tutor.reserve('a', 60n), 'reserved'], [tutor.settle('a', 50n), 'settled']),
      batch([tutor.as({ userId: 'bob' }).correct('a', 20n), 'invalid']),
      batch([tutor.at(tomorrow).correct('a', 20n), 'invalid']),
    ],
    leaves: { budgets: [day({ spent: 50n })], wallets: [{ spentGrant: 50n }] },
  },
  {
    name: 'a settlement that comes again after a correction changes nothing',
    steps: [
      batch([search.reserve('a', 60n), 'reserved'], [search.settle('a', 50n), 'settled']),
      batch([search.correct('a', 20n), 'corrected from 50'], [search.settle('a', 50n), 'settled']),
    ],
    leaves: { budgets: [day({ spent: 20n })], calls: [{ cost: 20n, basis: 'corrected' }] },
  },
  {
    name: "a late settlement after a correction leaves the operator's figure, and the answer",
    steps: [
      batch(
        [tutor.reserve('a', 60n, { key: 'k' }), 'reserved'],
        [tutor.expire('a', 'k'), 'expired'],
      ),
      batch([tutor.correct('a', 20n), 'corrected from 60']),
      batch([tutor.settle('a', 25n, { key: 'k' }), 'settled']),
      batch([tutor.settle('a', 25n, { key: 'k' }), 'settled']),
    ],
    leaves: {
      budgets: [day({ spent: 20n })],
      wallets: [{ spentGrant: 20n }],
      calls: [{ code: 'OK', cost: 20n, basis: 'corrected' }],
      results: [{ callId: 'a' }],
    },
  },
  {
    name: 'a correction under a lowered cap is no admission',
    steps: [
      batch([search.reserve('a', 100n), 'reserved'], [search.settle('a', 40n), 'settled']),
      cap('search', 10n),
      batch([search.correct('a', 60n), 'corrected from 40']),
    ],
    leaves: { budgets: [day({ cap: 10n, spent: 60n, overrun: 20n })] },
  },
];
