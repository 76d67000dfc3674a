import { expect, test } from 'vitest';
import { expectInvariants } from './invariants.ts';
import { search, tutor } from './operations.ts';
import type { Subject } from './subject.ts';
import { batch, cap, day, type Row, testRows } from './table.ts';

/** The largest amount that a column holds. */
const most = 2n ** 63n - 1n;

/** Amounts near the limit of the columns, and user names that could break a statement. */
export function testAmounts(open: () => Promise<Subject>) {
  testRows(amountRows, open);

  test('users with unusual names have their own wallets', async () => {
    const subject = await open();
    const users = oddNames.map((userId) => tutor.as({ userId }));
    const topUps = users.map((user, index) => user.topUp(BigInt(index), `r'"${index}`));
    const reserves = users.map((user, index) => user.reserve(`call-${index}`, 10n));
    for (const result of await subject.commit([...topUps, ...reserves])) {
      expect(result).toMatchObject({ ok: true });
    }
    const settles = users.map((user, index) => user.settle(`call-${index}`, BigInt(index % 10)));
    for (const result of await subject.commit(settles)) {
      expect(result).toMatchObject({ ok: true, outcome: { isOrphan: false } });
    }
    const rows = await subject.rows();
    for (const [index, userId] of oddNames.entries()) {
      expect(rows.topups.find((row) => row.userId === userId)).toMatchObject({
        added: BigInt(index),
      });
      expect(rows.wallets.find((row) => row.userId === userId)).toMatchObject({
        spentGrant: BigInt(index % 10),
      });
    }
    expect(rows.wallets).toHaveLength(oddNames.length);
    expectInvariants(rows);
    expect(await subject.breaches()).toEqual([]);
  });

  test('a result of 4 MB and one of every character are stored unchanged', async () => {
    const subject = await open();
    const characters = Array.from({ length: 0x2000 }, (_, index) =>
      String.fromCodePoint(index + 1),
    ).join('');
    const bodies = ['x'.repeat(4 * 1024 * 1024), `${characters}👩‍👩‍👧'"\\`];
    await subject.commit(
      bodies.flatMap((body, index) => [
        search.reserve(`call-${index}`, 1n, { key: `k${index}` }),
        search.settle(`call-${index}`, 1n, { key: `k${index}`, body }),
      ]),
    );
    const { results } = await subject.rows();
    expect(results.map(({ body }) => body.length)).toEqual(bodies.map(({ length }) => length));
    expect(results.every(({ body }, index) => body === bodies[index])).toBe(true);
  });
}

const oddNames = [
  'ada',
  'Ada',
  'ADA',
  'ada ',
  ' ada',
  ' ',
  "o'hara",
  '"; drop table call; --',
  '%',
  '_',
  '\\',
  '$1',
  '?1',
  'null',
  'undefined',
  '0',
  '\u00e9',
  'e\u0301',
  'ß',
  'ss',
  'İ',
  'i',
  '日本語',
  'שלום',
  '👩‍👩‍👧',
  '\u200b',
  '\ufeffada',
  'a:b',
  'a\u00a0b',
  'x'.repeat(128),
] as const;

const inShadow = {
  scopes: [{ scope: 'group:all', period: '2026-11-21', cap: 50n, mode: 'shadow' }],
} as const;

const amountRows: readonly Row[] = [
  {
    name: 'the largest cap is reached exactly, and not passed',
    steps: [
      cap('search', most),
      batch([search.reserve('a', most), 'reserved']),
      batch([search.reserve('b', 1n), 'BUDGET_EXCEEDED'], [search.reserve('c', 0n), 'reserved']),
      batch([search.settle('a', most), 'settled'], [search.reserve('d', most), 'BUDGET_EXCEEDED']),
    ],
    leaves: { budgets: [day({ spent: most })], usage: [{ cost: most }] },
  },
  {
    name: 'a hold too much for its column is refused, and small ones are not',
    steps: [
      cap('search', undefined),
      batch([search.reserve('a', most), 'reserved']),
      batch(
        [tutor.reserve('b', 1n), 'reserved'],
        [search.reserve('c', 1n), 'INVALID'],
        [search.reserve('d', 0n), 'reserved'],
      ),
      batch([search.extend('a', 1, 1n), 'not-extended'], [search.settle('d', 0n), 'settled']),
      batch([search.settle('a', 5n), 'settled'], [search.reserve('e', 1n), 'reserved']),
    ],
    leaves: { holds: [{ callId: 'b' }, { callId: 'e' }] },
  },
  {
    name: 'an amount that no column holds is refused',
    steps: [
      cap('search', undefined),
      batch([search.reserve('a', 2n ** 63n), 'INVALID'], [search.reserve('b', 1n), 'reserved']),
      batch([search.reserve('c', 2n ** 70n), 'INVALID']),
    ],
    leaves: { budgets: [day({ held: 1n })], holds: [{ callId: 'b' }] },
  },
  {
    name: 'a cost too much for its column fails alone, and its hold stands',
    steps: [
      batch([search.reserve('a', 50n), 'reserved'], [search.reserve('b', 2n), 'reserved']),
      batch([search.settle('a', most), 'settled']),
      batch([search.settle('b', 1n), 'invalid'], [tutor.reserve('c', 1n), 'reserved']),
      batch([search.settle('b', 0n), 'settled']),
    ],
    leaves: {
      budgets: [day({ spent: most, overrun: most - 50n }), day({ held: 1n })],
      usage: [{ calls: 2, cost: most }],
    },
  },
  {
    name: 'a correction too much for its column fails alone',
    steps: [
      batch([search.reserve('a', 50n), 'reserved'], [search.settle('a', 5n), 'settled']),
      batch([search.reserve('b', 50n), 'reserved'], [search.settle('b', 6n), 'settled']),
      batch([search.correct('a', most), 'invalid'], [search.correct('b', 7n), 'corrected from 6']),
      batch([search.correct('a', most - 7n), 'corrected from 5']),
    ],
    leaves: { budgets: [day({ spent: most, overrun: most - 11n })] },
  },
  {
    name: 'a budget in shadow refuses no call that it cannot count, and is without that call',
    steps: [
      cap('search', undefined),
      batch([search.reserve('a', most - 10n, inShadow), 'reserved']),
      batch(
        [search.settle('a', most - 10n), 'settled'],
        [tutor.reserve('b', 11n, inShadow), 'reserved'],
        [tutor.reserve('c', 9n, inShadow), 'reserved'],
        [tutor.reserve('d', 1n, inShadow), 'reserved'],
      ),
      batch(
        [tutor.extend('c', 1, 1n), 'extended'],
        [tutor.settle('b', 11n), 'settled'],
        [tutor.settle('c', 10n), 'settled'],
      ),
      batch([tutor.settle('d', 20n), 'settled']),
    ],
    leaves: {
      scopes: [{ spent: most - 10n, held: 0n, overrun: 0n, wouldRefuse: 4n }],
      calls: [
        { callId: 'a', scopes: '["group:all@2026-11-21"]' },
        { callId: 'b', scopes: undefined },
        { callId: 'c', scopes: undefined },
        { callId: 'd', scopes: undefined },
      ],
    },
  },
  {
    name: 'a top-up too much for its column is refused with what would fit',
    steps: [
      batch([tutor.topUp(most, 'r'), 'topped-up']),
      batch([tutor.topUp(1n, 's'), 'room for 0'], [tutor.reserve('a', 1n), 'reserved']),
      batch([tutor.topUp(-1n, 'a debit'), 'topped-up']),
      batch([tutor.topUp(1n, 's'), 'topped-up'], [tutor.topUp(2n ** 63n, 'u'), 'room for 0']),
    ],
    leaves: { topups: [{ added: most }] },
  },
  {
    name: 'a wallet of the largest grant and the largest top-up pays for the largest call',
    steps: [
      cap('tutor', most),
      batch([tutor.topUp(most, 'r'), 'topped-up']),
      batch([tutor.as({ granted: most }).reserve('a', most), 'reserved']),
      batch([tutor.settle('a', most), 'settled'], [tutor.topUp(-most, 's'), 'topped-up']),
    ],
    leaves: { wallets: [{ granted: most, spentGrant: most }], topups: [{ added: 0n, held: 0n }] },
  },
];
