import { expect, test } from 'vitest';
import { noonMs, search, tutor } from './operations.ts';
import type { Subject } from './subject.ts';
import { batch, cap, day, type Row, seen, wordOf } from './table.ts';

const key = 'k';

const first = search.reserve('a', 10n, { key });
const again = (callId: string) => search.reserve(callId, 10n, { key });
const byBeta = (callId: string) => search.reserve(callId, 10n, { key, instanceId: 'beta' });
/** Takes the key over from a call whose process is gone. */
const instead = (callId: string, ends = 'a') =>
  search.reserve(callId, 10n, { key, instanceId: 'beta', ends });
const credited = tutor.reserve('a', 40n, { key });
const creditedInstead = (callId: string, amount = 40n) =>
  tutor.reserve(callId, amount, { key, instanceId: 'beta', ends: 'a' });
const answered = search.settle('a', 4n, { key });

const takenOver = {
  budgets: [day({ spent: 10n, estimated: 10n, held: 10n })],
  holds: [{ callId: 'b' }],
  calls: [{ callId: 'a', code: 'LOST', cost: 10n, estimated: 10n }],
  idempotency: [{ callId: 'b', state: 'running', instanceId: 'beta' }],
} satisfies Row['leaves'];

/** Which call takes a key over from a call whose process is gone, and the rows of that call. */
export const takeoverRows: readonly Row[] = [
  {
    name: 'an instance that nothing is known of is dead: its call is named, and taken over',
    steps: [
      seen('beta'),
      batch([first, 'reserved']),
      batch([byBeta('b'), 'dead a']),
      batch([instead('b'), 'reserved']),
    ],
    leaves: takenOver,
  },
  {
    name: 'a takeover that comes again changes nothing',
    steps: [
      seen('beta'),
      batch([first, 'reserved']),
      batch([instead('b'), 'reserved'], [instead('b'), 'reserved']),
      batch([instead('b'), 'reserved']),
    ],
    leaves: takenOver,
  },
  {
    name: 'a takeover ends no call of a process that lives after all',
    steps: [seen('alpha'), batch([first, 'reserved']), batch([instead('b'), 'attach a'])],
    leaves: { budgets: [day({ held: 10n })], holds: [{ callId: 'a' }] },
  },
  {
    name: 'a takeover ends no call but the one that its key names',
    steps: [
      batch([first, 'reserved'], [search.reserve('z', 20n), 'reserved']),
      batch([instead('b', 'z'), 'dead a']),
    ],
    leaves: { budgets: [day({ held: 30n })], holds: [{ callId: 'a' }, { callId: 'z' }] },
  },
  {
    name: 'a takeover of a call that has ended meanwhile is a call like others',
    steps: [
      batch([first, 'reserved'], [search.expire('a', key), 'expired']),
      batch([instead('b'), 'reserved']),
    ],
    leaves: takenOver,
  },
  {
    name: 'a wallet that fits one call fits its takeover',
    steps: [
      batch([tutor.reserve('a', 100n, { key }), 'reserved']),
      batch([creditedInstead('b', 100n), 'reserved']),
    ],
    leaves: { wallets: [{ heldGrant: 100n, spentGrant: 0n }], holds: [{ callId: 'b' }] },
  },
  {
    name: 'a takeover that the wallet cannot pay has ended the dead call',
    steps: [
      batch([tutor.reserve('a', 60n, { key }), 'reserved'], [tutor.reserve('z', 40n), 'reserved']),
      batch([creditedInstead('b', 61n), 'INSUFFICIENT_CREDITS']),
    ],
    leaves: {
      budgets: [day({ spent: 60n, estimated: 60n, held: 40n })],
      wallets: [{ heldGrant: 40n, spentGrant: 0n }],
      idempotency: [{ callId: 'a', state: 'failed' }],
    },
  },
  {
    name: 'what an old instance still settles is booked, and its answer is not stored',
    steps: [
      batch([first, 'reserved']),
      batch([instead('b'), 'reserved']),
      batch([answered, 'settled, taken by b'], [answered, 'settled, taken by b']),
      batch([search.settle('b', 6n, { key }), 'settled'], [again('c'), 'unstored b']),
    ],
    leaves: {
      budgets: [day({ spent: 10n })],
      idempotency: [{ callId: 'b', state: 'unstored' }],
      results: [{ callId: 'b' }],
    },
  },
  {
    name: 'a call that was taken over takes nothing from the wallet, and the budget pays it',
    steps: [
      batch([credited, 'reserved']),
      batch([creditedInstead('b'), 'reserved']),
      batch([tutor.settle('a', 20n, { key }), 'settled, taken by b']),
      batch([tutor.settle('b', 30n, { key }), 'settled']),
    ],
    leaves: {
      budgets: [day({ spent: 50n })],
      wallets: [{ spentGrant: 30n, heldGrant: 0n }],
      calls: [
        { callId: 'a', cost: 20n, walletGrant: 0n },
        { callId: 'b', cost: 30n, walletGrant: 30n },
      ],
    },
  },
  {
    name: 'nor does one whose key has been forgotten by the call that took it over',
    steps: [
      batch([credited, 'reserved']),
      batch([creditedInstead('b'), 'reserved']),
      batch([tutor.settle('b', 0n, { key, outcome: 'forgotten' }), 'settled']),
      batch([tutor.settle('a', 20n, { key }), 'settled']),
    ],
    leaves: { budgets: [day({ spent: 20n })], wallets: [{ spentGrant: 0n, heldGrant: 0n }] },
  },
  {
    name: 'the hold of a call that was taken over has ended, and the new call has the key',
    steps: [
      seen('beta'),
      batch([first, 'reserved']),
      batch([instead('b'), 'reserved']),
      batch([search.expire('a', key), 'ended-before'], [again('c'), 'attach b']),
    ],
    leaves: { budgets: [day({ spent: 10n, estimated: 10n, held: 10n })] },
  },
  {
    name: 'a takeover that a budget refuses has ended the dead call, whose late answer counts',
    steps: [
      batch([first, 'reserved']),
      cap('search', 15n),
      batch([instead('b'), 'BUDGET_EXCEEDED']),
      batch([answered, 'settled'], [again('c'), 'unstored a']),
    ],
    leaves: { budgets: [day({ spent: 4n })], holds: [], results: [{ callId: 'a' }] },
  },
];

const bad = (callId: string, cost: bigint) =>
  tutor.settle(callId, cost, { key, outcome: 'failed', code: 'BAD_OUTPUT' });
const keyed = (callId: string) => tutor.reserve(callId, 50n, { key });

/** Users pay once under one key: for the most expensive of its calls that they received. */
export const paidOnceRows: readonly Row[] = [
  {
    name: 'a second call under a key pays what it costs more than the first',
    steps: [
      batch([keyed('a'), 'reserved'], [bad('a', 10n), 'settled, bad 1']),
      batch([keyed('b'), 'reserved'], [tutor.settle('b', 12n, { key }), 'settled, bad 1']),
    ],
    leaves: {
      budgets: [day({ spent: 22n })],
      wallets: [{ spentGrant: 12n, heldGrant: 0n }],
      idempotency: [{ walletPaid: 12n }],
      calls: [{ walletGrant: 10n }, { walletGrant: 2n }],
    },
  },
  {
    name: 'a second call under a key that costs less pays nothing',
    steps: [
      batch([keyed('a'), 'reserved'], [bad('a', 10n), 'settled, bad 1']),
      batch([keyed('b'), 'reserved'], [tutor.settle('b', 7n, { key }), 'settled, bad 1']),
    ],
    leaves: { wallets: [{ spentGrant: 10n }], idempotency: [{ walletPaid: 10n }] },
  },
  {
    name: 'a correction moves what was paid under the key, for the next call of it',
    steps: [
      batch([keyed('a'), 'reserved'], [bad('a', 10n), 'settled, bad 1']),
      batch([tutor.correct('a', 4n, key), 'corrected from 10']),
      batch([keyed('b'), 'reserved'], [tutor.settle('b', 12n, { key }), 'settled, bad 1']),
      batch([tutor.correct('a', 3n, key), 'corrected from 4']),
    ],
    leaves: { wallets: [{ spentGrant: 12n }], idempotency: [{ walletPaid: 12n }] },
  },
  {
    name: 'a correction up pays what the calls of the key have not paid together',
    steps: [
      batch([keyed('a'), 'reserved'], [bad('a', 10n), 'settled, bad 1']),
      batch([keyed('b'), 'reserved'], [tutor.settle('b', 12n, { key }), 'settled, bad 1']),
      batch([tutor.correct('a', 15n, key), 'corrected from 10']),
    ],
    leaves: { wallets: [{ spentGrant: 15n }], idempotency: [{ walletPaid: 15n }] },
  },
  {
    name: 'a key that was paid under is not forgotten by a platform’s refusal',
    steps: [
      batch([keyed('a'), 'reserved'], [bad('a', 10n), 'settled, bad 1']),
      batch([keyed('b'), 'reserved']),
      batch([tutor.settle('b', 0n, { key, outcome: 'forgotten' }), 'settled, bad 1']),
      batch([keyed('c'), 'reserved'], [tutor.settle('c', 12n, { key }), 'settled, bad 1']),
    ],
    leaves: { wallets: [{ spentGrant: 12n }] },
  },
];

export function testInstances(open: () => Promise<Subject>) {
  test('an instance that was not seen for 10 s is dead if its process is gone', async () => {
    const subject = await open();
    await subject.seen('alpha', noonMs - 10_000);
    const words = [];
    for (const asked of [first, byBeta('b'), instead('b')]) {
      words.push(...(await subject.commit([asked])).map(wordOf));
    }
    const { instancesGoByTime } = subject;
    const met = instancesGoByTime ? ['dead a', 'reserved'] : ['attach a', 'attach a'];
    expect(words).toEqual(['reserved', ...met]);
    if (instancesGoByTime) expect(await subject.rows()).toMatchObject(takenOver);
  });
}
