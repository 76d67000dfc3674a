import { noonMs, search, tutor } from './operations.ts';
import { batch, cap, day, type Row } from './table.ts';

const tomorrow = noonMs + 86_400_000;
const madeBy = { keyId: 'key_one', remote: '192.0.2.0/24', platform: 'sandbox' };

/**
 * Reservations, extensions, settlements and expiries of an app without wallets. Its budget is 100.
 */
export const callRows: readonly Row[] = [
  {
    name: 'a reservation holds the most that a call can cost',
    steps: [batch([search.reserve('a', 40n), 'reserved'])],
    leaves: {
      budgets: [day({ cap: 100n, held: 40n })],
      holds: [{ callId: 'a', budgetAmount: 40n, extensions: 0 }],
      calls: [],
      usage: [],
    },
  },
  {
    name: 'who made a call, from where, and what held for it are in its hold, and in its record',
    steps: [
      batch([search.reserve('a', 40n), 'reserved'], [search.reserve('b', 40n), 'reserved']),
      batch([search.reserve('c', 5n, { instanceId: 'beta' }), 'reserved']),
      batch([search.settle('a', 4n), 'settled'], [search.expire('c'), 'expired']),
      batch([search.correct('a', 2n), 'corrected from 4']),
    ],
    leaves: {
      holds: [{ callId: 'b', ...madeBy, instanceId: 'alpha' }],
      calls: [
        { callId: 'a', ...madeBy, instanceId: 'alpha', held: 4n, heldAtEnd: 40n },
        { callId: 'c', ...madeBy, instanceId: 'beta', held: 5n, heldAtEnd: 5n },
      ],
    },
  },
  {
    name: 'the platform of a call is that of its last attempt, each attempt has its own',
    steps: [
      batch([search.reserve('a', 40n), 'reserved']),
      batch([
        {
          ...search.settle('a', 4n, { several: [{ cost: 0n }, { cost: 4n, platform: 'other' }] }),
          answeredBy: { usageModel: 'sim-echo', priceVersion: 'sim-echo@1', platform: 'other' },
        },
        'settled',
      ]),
    ],
    leaves: {
      calls: [{ callId: 'a', platform: 'other' }],
      attempts: [{ platform: 'sandbox' }, { platform: 'other' }],
    },
  },
  {
    name: 'a reservation that fits exactly is admitted',
    steps: [
      batch([search.reserve('a', 60n), 'reserved']),
      batch([search.reserve('b', 40n), 'reserved']),
    ],
    leaves: { budgets: [day({ held: 100n })] },
  },
  {
    name: 'a reservation of one more is refused',
    steps: [
      batch([search.reserve('a', 60n), 'reserved']),
      batch([search.reserve('b', 41n), 'BUDGET_EXCEEDED']),
    ],
    leaves: { budgets: [day({ held: 60n })], holds: [{ callId: 'a' }] },
  },
  {
    name: 'a refusal by itself writes nothing at all',
    steps: [batch([search.reserve('a', 101n, { key: 'k' }), 'BUDGET_EXCEEDED'])],
    leaves: { budgets: [], holds: [], idempotency: [], calls: [] },
  },
  {
    name: 'a reservation that comes again is the same reservation',
    steps: [
      batch([search.reserve('a', 60n), 'reserved'], [search.reserve('a', 60n), 'reserved']),
      batch([search.reserve('a', 60n), 'reserved']),
    ],
    leaves: { budgets: [day({ held: 60n })] },
  },
  ...Object.entries({
    amount: search.reserve('a', 61n),
    instanceId: search.reserve('a', 60n, { instanceId: 'beta' }),
    model: search.reserve('a', 60n, { facts: { model: 'sim-slow' } }),
    price: search.reserve('a', 60n, { isUnpriced: true }),
    day: search.reserve('a', 60n, { facts: { day: '2026-11-22' } }),
    user: search.reserve('a', 60n, { facts: { userId: 'ada' } }),
    app: search.as({ app: 'tutor' }).reserve('a', 60n),
    moment: search.reserve('a', 60n, { facts: { startedAt: 1 } }),
  }).map(([what, other]) => ({
    name: `a reservation of the same call with another ${what} is an error`,
    steps: [
      batch([search.reserve('a', 60n), 'reserved'], [other, 'invalid']),
      batch([other, 'invalid']),
    ],
    leaves: { budgets: [day({ held: 60n })], holds: [{ callId: 'a', budgetAmount: 60n }] },
  })),
  {
    name: 'a reservation of a call that has ended is an error',
    steps: [
      batch([search.reserve('a', 60n), 'reserved'], [search.settle('a', 50n), 'settled']),
      batch([search.reserve('a', 60n), 'invalid']),
    ],
    leaves: { budgets: [day({ spent: 50n })], holds: [] },
  },
  {
    name: 'a reservation of an app that is not there is an error',
    steps: [batch([search.as({ app: 'nobody' }).reserve('a', 1n), 'invalid'])],
    leaves: { budgets: [], holds: [] },
  },
  {
    name: 'an app without a cap is never refused',
    steps: [
      cap('search', undefined),
      batch([search.reserve('a', 10n ** 15n), 'reserved'], [search.reserve('b', 1n), 'reserved']),
    ],
    leaves: { budgets: [day({ cap: undefined, admittedCap: undefined, held: 10n ** 15n + 1n })] },
  },
  {
    name: 'a cap of 0 admits what costs nothing, and nothing else',
    steps: [
      cap('search', 0n),
      batch([search.reserve('a', 1n), 'BUDGET_EXCEEDED'], [search.reserve('b', 0n), 'reserved']),
    ],
    leaves: { holds: [{ callId: 'b' }] },
  },
  {
    name: 'an unpriced model is served until nothing is left',
    steps: [
      batch(
        [search.reserve('a', 0n, { isUnpriced: true }), 'reserved'],
        [search.reserve('b', 100n), 'reserved'],
        [search.reserve('c', 0n, { isUnpriced: true }), 'BUDGET_EXCEEDED'],
        [search.settle('a', 0n, { facts: { priceVersion: undefined } }), 'settled'],
        [search.settle('b', 99n), 'settled'],
        [search.reserve('d', 0n, { isUnpriced: true }), 'reserved'],
      ),
    ],
    leaves: {
      budgets: [day({ spent: 99n })],
      usage: [{ calls: 2, cost: 99n, unpricedCalls: 1 }],
    },
  },
  {
    name: 'an extension adds a further maximum, once',
    steps: [
      batch([search.reserve('a', 30n), 'reserved']),
      batch([search.extend('a', 1, 30n), 'extended'], [search.extend('a', 1, 30n), 'extended']),
      batch([search.extend('a', 1, 30n), 'extended'], [search.extend('a', 2, 40n), 'extended']),
    ],
    leaves: {
      budgets: [day({ held: 100n })],
      holds: [{ budgetAmount: 100n, extensions: 2 }],
    },
  },
  {
    name: 'an extension that does not fit changes nothing',
    steps: [
      batch([search.reserve('a', 60n), 'reserved'], [search.extend('a', 1, 41n), 'not-extended']),
      batch([search.extend('a', 1, 41n), 'not-extended']),
    ],
    leaves: { budgets: [day({ held: 60n })], holds: [{ budgetAmount: 60n, extensions: 0 }] },
  },
  {
    name: 'a call without a hold is not extended',
    steps: [
      batch([search.extend('a', 1, 1n), 'not-extended']),
      batch([search.reserve('a', 5n), 'reserved'], [search.settle('a', 5n), 'settled']),
      batch([search.extend('a', 1, 1n), 'not-extended']),
    ],
    leaves: { budgets: [day({ spent: 5n })] },
  },
  {
    name: 'a settlement books the cost and frees the rest',
    steps: [
      batch([search.reserve('a', 100n), 'reserved']),
      batch([search.settle('a', 30n), 'settled'], [search.reserve('b', 70n), 'reserved']),
    ],
    leaves: {
      budgets: [day({ spent: 30n, held: 70n })],
      calls: [{ callId: 'a', cost: 30n, held: 100n, basis: 'exact', code: 'OK' }],
      usage: [{ calls: 1, errors: 0, cost: 30n, inputTokens: 1, outputTokens: 1 }],
    },
  },
  {
    name: 'a settlement that comes again is the same settlement',
    steps: [
      batch([search.reserve('a', 50n), 'reserved']),
      batch([search.settle('a', 30n), 'settled'], [search.settle('a', 30n), 'settled']),
      batch([search.settle('a', 30n), 'settled']),
    ],
    leaves: { budgets: [day({ spent: 30n })], usage: [{ calls: 1, cost: 30n }] },
  },
  ...Object.entries({
    cost: search.settle('a', 31n),
    estimate: search.settle('a', 30n, { estimated: 30n, basis: 'estimated' }),
    code: search.settle('a', 30n, { code: 'SERVER' }),
    end: search.settle('a', 30n, { endedAt: 1 }),
    model: search.settle('a', 30n, { facts: { model: 'sim-slow' } }),
    day: search.settle('a', 30n, { facts: { day: '2026-11-22' } }),
  }).map(([what, other]) => ({
    name: `a settlement of the same call with another ${what} is an error`,
    steps: [
      batch([search.reserve('a', 50n), 'reserved'], [search.settle('a', 30n), 'settled']),
      batch([other, 'invalid']),
    ],
    leaves: { budgets: [day({ spent: 30n })], calls: [{ code: 'OK', cost: 30n }] },
  })),
  ...Object.entries({
    day: search.settle('a', 30n, { facts: { day: '2026-11-22' } }),
    app: search.as({ app: 'tutor' }).settle('a', 30n),
    model: search.settle('a', 30n, { facts: { model: 'sim-slow' } }),
  }).map(([what, other]) => ({
    name: `a settlement with another ${what} than was reserved is an error`,
    steps: [batch([search.reserve('a', 50n), 'reserved']), batch([other, 'invalid'])],
    leaves: { budgets: [day({ held: 50n })], calls: [], holds: [{ callId: 'a' }] },
  })),
  ...Object.entries({
    extension: { ...search.extend('a', 1, 5n), day: '2026-11-22' },
    expiry: { ...search.expire('a'), day: '2026-11-22' },
    'expiry of a user': tutor.expire('a'),
  }).map(([what, other]) => ({
    name: `an ${what} that names another call is an error, whatever its batch has loaded`,
    steps: [
      batch([search.reserve('a', 50n), 'reserved']),
      batch([other, 'invalid']),
      batch([search.at(tomorrow).reserve('b', 1n), 'reserved'], [other, 'invalid']),
    ],
    leaves: { calls: [], holds: [{ callId: 'a', budgetAmount: 50n }, { callId: 'b' }] },
  })),
  {
    name: 'a release frees the hold and leaves a free call',
    steps: [
      batch([search.reserve('a', 50n), 'reserved']),
      batch([search.settle('a', 0n, { code: 'THROTTLED', basis: 'free' }), 'settled']),
    ],
    leaves: {
      budgets: [day({})],
      holds: [],
      calls: [{ code: 'THROTTLED', cost: 0n, basis: 'free' }],
      usage: [{ calls: 1, errors: 1, cost: 0n }],
    },
  },
  {
    name: 'an estimate is counted as one',
    steps: [
      batch([search.reserve('a', 50n), 'reserved'], [search.extend('a', 1, 50n), 'extended']),
      batch([search.settle('a', 60n, { estimated: 50n, basis: 'mixed' }), 'settled']),
    ],
    leaves: {
      budgets: [day({ spent: 60n, estimated: 50n })],
      usage: [{ cost: 60n, estimated: 50n }],
    },
  },
  {
    name: 'a cost above its hold is booked in full and counted as an overrun',
    steps: [
      batch([search.reserve('a', 100n), 'reserved']),
      batch([search.settle('a', 130n), 'settled'], [search.reserve('b', 1n), 'BUDGET_EXCEEDED']),
    ],
    leaves: { budgets: [day({ spent: 130n, overrun: 30n })] },
  },
  {
    name: 'an expiry charges the hold as an estimate',
    steps: [
      batch([search.reserve('a', 50n), 'reserved'], [search.extend('a', 1, 20n), 'extended']),
      batch([search.expire('a'), 'expired'], [search.expire('a'), 'ended-before']),
      batch([search.expire('a'), 'ended-before']),
    ],
    leaves: {
      budgets: [day({ spent: 70n, estimated: 70n })],
      holds: [],
      calls: [{ code: 'LOST', cost: 70n, estimated: 70n, basis: 'expired' }],
      usage: [{ calls: 1, errors: 1, cost: 70n, estimated: 70n, inputTokens: 0 }],
    },
  },
  {
    name: 'an expiry of a call that has ended, or was never held, does nothing',
    steps: [
      batch([search.expire('b'), 'ended-before']),
      batch([search.reserve('a', 50n), 'reserved'], [search.settle('a', 5n), 'settled']),
      batch([search.expire('a'), 'ended-before']),
    ],
    leaves: { budgets: [day({ spent: 5n })], calls: [{ basis: 'exact' }] },
  },
];
