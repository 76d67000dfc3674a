import { expect, test } from 'vitest';
import type { Attempt } from '../../src/books/rows.ts';
import { firstCallIdAt } from '../../src/lib/id.ts';
import { pruneDays } from '../../src/operations/days/prune.ts';
import type { Store } from '../../src/store/port/port.ts';
import { noonMs, search, tutor } from './operations.ts';
import { adminOn, type Subject } from './subject.ts';
import { batch, day, type Row } from './table.ts';

const dearest = { priceVersion: 'dearest-1' } as const;
const first = { model: 'sim-echo', usageModel: 'sim-echo' } as const;
const second = { model: 'sim-second', usageModel: 'sim-second' } as const;

/** A first attempt of 20 that might have been billed, and a response of another model for 10. */
const lostThenAnswered: readonly Partial<Attempt>[] = [
  {
    ...{ ...first, cost: 20n, basis: 'estimated', isCounted: false },
    ...{ outcome: 'SERVER', status: undefined },
  },
  { ...second, cost: 10n },
];
const booked = { estimated: 20n, basis: 'mixed', facts: second } as const;

/** Calls with several attempts, each with its own row and counted under its own model. */
export const attemptRows: readonly Row[] = [
  {
    name: 'the only attempt of a call is its own row',
    steps: [batch([search.reserve('a', 40n), 'reserved'], [search.settle('a', 4n), 'settled'])],
    leaves: { attempts: [], usage: [{ model: 'sim-echo', calls: 1, inputTokens: 1, cost: 4n }] },
  },
  {
    name: 'each of several attempts counts under its own model, and their call once',
    steps: [
      batch([search.reserve('a', 40n, { facts: second }), 'reserved']),
      batch([search.settle('a', 30n, { ...booked, several: lostThenAnswered }), 'settled']),
      // The same settlement again, as after a commit with unknown outcome.
      batch([search.settle('a', 30n, { ...booked, several: lostThenAnswered }), 'settled']),
    ],
    leaves: {
      budgets: [day({ spent: 30n, estimated: 20n })],
      calls: [{ callId: 'a', cost: 30n, attempts: '[]' }],
      attempts: [
        { n: 1, model: 'sim-echo', cost: 20n, basis: 'estimated', status: undefined },
        { n: 2, model: 'sim-second', cost: 10n, basis: 'exact', upstreamId: 'upstream-a-2' },
      ],
      usage: [
        { model: 'sim-echo', calls: 0, inputTokens: 1, cost: 20n, estimated: 20n },
        { model: 'sim-second', calls: 1, inputTokens: 1, cost: 10n, estimated: 0n },
      ],
    },
  },
  {
    name: 'a settlement that its attempts do not add up to fails alone',
    steps: [
      batch([search.reserve('a', 40n), 'reserved'], [search.reserve('b', 40n), 'reserved']),
      batch(
        [search.settle('a', 12n, { several: [{ cost: 5n }, { cost: 6n }] }), 'invalid'],
        [search.settle('b', 12n, { several: [{ cost: 5n }, { cost: 7n }] }), 'settled'],
        [search.reserve('c', 1n), 'reserved'],
      ),
      batch([search.settle('a', 12n, { estimated: 13n, basis: 'mixed' }), 'invalid']),
      batch([search.settle('a', 12n), 'settled']),
    ],
    leaves: { budgets: [day({ spent: 24n, held: 1n })] },
  },
  {
    name: 'attempts of one model are added up',
    steps: [
      batch([search.reserve('a', 40n), 'reserved']),
      batch([search.settle('a', 12n, { several: [{ cost: 5n }, { cost: 7n }] }), 'settled']),
    ],
    leaves: { usage: [{ calls: 1, inputTokens: 2, outputTokens: 2, cost: 12n }] },
  },
  {
    name: 'a correction takes estimates first, and gives more to the last attempt',
    steps: [
      batch([search.reserve('a', 40n, { facts: second }), 'reserved']),
      batch([search.settle('a', 30n, { ...booked, several: lostThenAnswered }), 'settled']),
      batch([search.correct('a', 13n), 'corrected from 30']),
    ],
    leaves: {
      calls: [{ cost: 13n, estimated: 0n, basis: 'corrected' }],
      attempts: [
        { n: 1, cost: 3n, basis: 'corrected' },
        { n: 2, cost: 10n, basis: 'corrected' },
      ],
      usage: [
        { model: 'sim-echo', cost: 3n, estimated: 0n },
        { model: 'sim-second', calls: 1, cost: 10n },
      ],
    },
  },
  {
    name: 'a correction up is of the last attempt',
    steps: [
      batch(
        [search.reserve('a', 40n, { facts: second }), 'reserved'],
        [search.settle('a', 30n, { ...booked, several: lostThenAnswered }), 'settled'],
        [search.correct('a', 35n), 'corrected from 30'],
      ),
    ],
    leaves: { attempts: [{ cost: 20n }, { cost: 15n }], usage: [{ cost: 20n }, { cost: 15n }] },
  },
  {
    name: 'a repricing gives each attempt that has no price the one that is known now',
    steps: [
      batch([search.reserve('a', 90n, { facts: dearest }), 'reserved']),
      batch([
        search.settle('a', 80n, {
          ...{ estimated: 80n, basis: 'estimated', facts: dearest },
          several: [
            { cost: 50n, basis: 'estimated', isCounted: false },
            { ...second, cost: 30n, basis: 'estimated' },
          ],
        }),
        'settled',
      ]),
      batch([
        { ...search.reprice('a', 80n, 58n, 50n), attempts: [{ n: 2, cost: 9n }] },
        'not-repriced',
      ]),
      batch([
        { ...search.reprice('a', 80n, 59n, 50n), attempts: [{ n: 2, cost: 9n }] },
        'repriced',
      ]),
    ],
    leaves: {
      budgets: [day({ spent: 59n, estimated: 50n })],
      attempts: [
        { cost: 50n, basis: 'estimated', priceVersion: 'dearest-1' },
        { cost: 9n, basis: 'corrected', priceVersion: 'sim-echo@2' },
      ],
      usage: [
        { model: 'sim-echo', calls: 1, cost: 50n, estimated: 50n, unpricedCalls: 0 },
        { model: 'sim-second', calls: 0, cost: 9n, estimated: 0n },
      ],
    },
  },
  {
    name: 'a late settlement brings its attempts, and the estimate of the expiry goes',
    steps: [
      batch([search.reserve('a', 40n, { facts: second }), 'reserved']),
      batch([search.expire('a'), 'expired']),
      batch([search.settle('a', 30n, { ...booked, several: lostThenAnswered }), 'settled']),
    ],
    leaves: {
      budgets: [day({ spent: 30n, estimated: 20n })],
      attempts: [{ cost: 20n }, { cost: 10n }],
      usage: [
        { model: 'sim-echo', calls: 0, cost: 20n },
        { model: 'sim-second', calls: 1, errors: 0, cost: 10n },
      ],
    },
  },
  {
    name: "a late settlement after a correction spreads the operator's figure",
    steps: [
      batch([search.reserve('a', 40n, { facts: second }), 'reserved']),
      batch([search.expire('a'), 'expired'], [search.correct('a', 15n), 'corrected from 40']),
      batch([search.settle('a', 30n, { ...booked, several: lostThenAnswered }), 'settled']),
    ],
    leaves: {
      budgets: [day({ spent: 15n, estimated: 0n })],
      attempts: [{ cost: 5n }, { cost: 10n }],
    },
  },
  {
    name: 'a wallet pays what the settlement says, whatever the attempts before cost',
    steps: [
      batch([tutor.reserve('a', 40n, { facts: second }), 'reserved']),
      batch([
        tutor.settle('a', 30n, { ...booked, several: lostThenAnswered, walletCost: 10n }),
        'settled',
      ]),
    ],
    leaves: {
      wallets: [{ spentGrant: 10n, heldGrant: 0n }],
      budgets: [day({ spent: 30n, estimated: 20n })],
    },
  },
];

/** Rows of a version without attempts, and their later use. */
export function testAttempts(open: () => Promise<Subject>, storeOf: () => Store) {
  test('the previous version’s corrections are clean, and spread by the next one', async () => {
    const subject = await open();
    await settleWith(subject, 'a', noonMs);
    await storeOf().write(
      [
        "update call set cost = 12, estimated = 0, basis = 'corrected' where call_id = 'a'",
        "update budget_day set spent = spent - 18, estimated = estimated - 20 where app = 'search'",
        "update usage_day set cost = cost - 18, estimated = estimated - 20 where model = 'sim-second'",
      ].map((sql) => ({ sql, values: [] })),
    );
    expect(await subject.breaches()).toEqual([]);
    await subject.commit([search.correct('a', 11n)]);
    expect(await subject.rows()).toMatchObject({
      attempts: [{ cost: 1n }, { cost: 10n }],
      usage: [
        { model: 'sim-echo', cost: 1n, estimated: 0n },
        { model: 'sim-second', cost: 10n, estimated: 0n },
      ],
    });
    expect(await subject.breaches()).toEqual([]);
  });

  test('a prune deletes the attempts of its calls and leftovers of an earlier prune', async () => {
    const subject = await open();
    const october = Date.UTC(2026, 9, 10, 12);
    const idAt = (epochMs: number) => firstCallIdAt(epochMs).padEnd(31, '0');
    const [gone, other, kept] = [idAt(october), idAt(october + 1), idAt(noonMs)];
    await settleWith(subject, gone, october);
    await settleWith(subject, other, october + 1);
    await settleWith(subject, kept, noonMs);
    const old = await pruneDays(adminOn(storeOf(), noonMs), { before: '2026-10-01' });
    expect(old.calls).toBe(0);
    await storeOf().write([{ sql: 'delete from call where call_id = $1', values: [other] }]);
    const pruned = await pruneDays(adminOn(storeOf(), noonMs), { before: '2026-11-01' });
    expect(pruned.calls).toBe(1);
    const left = await subject.rows();
    expect(left.attempts.map(({ callId }) => callId)).toEqual([kept, kept]);
    expect(await subject.breaches()).toEqual([]);
  });
}

async function settleWith(subject: Subject, callId: string, at: number) {
  const whose = search.at(at);
  const results = await subject.commit([
    whose.reserve(callId, 30n, { facts: second }),
    whose.settle(callId, 30n, { ...booked, several: lostThenAnswered }),
  ]);
  for (const result of results) expect(result).toMatchObject({ ok: true });
}
