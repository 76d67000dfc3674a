import { expect, test } from 'vitest';
import { expectInvariants } from './invariants.ts';
import { search, tutor } from './operations.ts';
import type { Subject } from './subject.ts';
import { batch, cap, day, type Row, testRows, wordOf } from './table.ts';

/** Batches: one transaction, decided in order, in which a poisoned operation is alone. */
export function testBatches(open: () => Promise<Subject>) {
  testRows(batchRows, open);

  test('an empty batch is nothing', async () => {
    const subject = await open();
    expect(await subject.commit([])).toEqual([]);
    expect(await subject.rows()).toMatchObject({ budgets: [], holds: [] });
  });

  test('200 reservations in one batch against a cap that fits 37', async () => {
    const subject = await open();
    await subject.setCap({ app: 'search', cap: 37n * 7n + 6n, today: '2026-11-21' });
    const callIds = Array.from({ length: 200 }, (_, index) => `call-${index}`);
    const results = await subject.commit(callIds.map((callId) => search.reserve(callId, 7n)));
    const words = results.map(wordOf);
    expect(words.slice(0, 37)).toEqual(Array(37).fill('reserved'));
    const refusal = { cap: 265n, spent: 0n, held: 259n, needed: 7n, remaining: 6n };
    for (const result of results.slice(37)) {
      expect(result).toEqual({
        ok: true,
        outcome: {
          ...{ kind: 'refused', code: 'BUDGET_EXCEEDED', ...refusal },
          ...{ scope: undefined, refusing: [] },
        },
      });
    }
    const rows = await subject.rows();
    expect(rows).toMatchObject({ budgets: [day({ held: 259n })] });
    expect(rows.holds).toHaveLength(37);
    expectInvariants(rows);
    expect(await subject.breaches()).toEqual([]);
  });

  test('three poisoned operations among 256 fail by themselves', async () => {
    const subject = await open();
    await subject.setCap({ app: 'search', cap: undefined, today: '2026-11-21' });
    const batchOf256 = Array.from({ length: 256 }, (_, index) => {
      const isPoisoned = index % 100 === 50;
      return isPoisoned
        ? search.as({ app: 'nobody' }).reserve(`call-${index}`, 1n)
        : search.reserve(`call-${index}`, 1n);
    });
    const words = (await subject.commit(batchOf256)).map(wordOf);
    expect(words.flatMap((word, index) => (word === 'reserved' ? [] : [[index, word]]))).toEqual([
      [50, 'invalid'],
      [150, 'invalid'],
      [250, 'invalid'],
    ]);
    const rows = await subject.rows();
    expect(rows).toMatchObject({ budgets: [day({ held: 253n })] });
    expect(await subject.breaches()).toEqual([]);
  });

  test('a failed operation says why', async () => {
    const subject = await open();
    const [result] = await subject.commit([search.as({ app: 'nobody' }).reserve('a', 1n)]);
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining('nobody') });
  });
}

const batchRows: readonly Row[] = [
  {
    name: 'a poisoned operation leaves its batch-mates alone, before and after it',
    steps: [
      batch([search.reserve('a', 10n), 'reserved']),
      batch(
        [search.reserve('b', 10n), 'reserved'],
        [search.reserve('a', 11n), 'invalid'],
        [search.settle('a', 5n), 'settled'],
        [search.settle('a', 6n), 'invalid'],
        [search.reserve('c', 10n), 'reserved'],
      ),
    ],
    leaves: {
      budgets: [day({ spent: 5n, held: 20n })],
      holds: [{ callId: 'b' }, { callId: 'c' }],
    },
  },
  {
    name: 'each operation sees what the one before it left',
    steps: [
      batch(
        [search.reserve('a', 100n), 'reserved'],
        [search.reserve('b', 1n), 'BUDGET_EXCEEDED'],
        [search.settle('a', 99n), 'settled'],
        [search.reserve('c', 2n), 'BUDGET_EXCEEDED'],
        [search.reserve('d', 1n), 'reserved'],
        [search.expire('d'), 'expired'],
        [search.settle('d', 0n), 'settled'],
        [search.correct('a', 50n), 'corrected from 99'],
        [search.reserve('e', 50n), 'reserved'],
        [search.extend('e', 1, 1n), 'not-extended'],
      ),
    ],
    leaves: { budgets: [day({ spent: 50n, held: 50n })] },
  },
  {
    name: 'a top-up pays for the next call of its batch',
    steps: [
      batch(
        [tutor.reserve('a', 100n), 'reserved'],
        [tutor.reserve('b', 1n), 'INSUFFICIENT_CREDITS'],
        [tutor.topUp(1n, 'r'), 'topped-up'],
        [tutor.reserve('c', 1n), 'reserved'],
        [tutor.topUp(-1n, 's'), 'only 0'],
      ),
    ],
    leaves: { topups: [{ added: 1n, held: 1n }] },
  },
  {
    name: 'a whole life in one batch',
    steps: [
      batch(
        [tutor.reserve('a', 60n, { key: 'k' }), 'reserved'],
        [tutor.extend('a', 1, 60n), 'extended'],
        [tutor.settle('a', 70n, { key: 'k', walletCost: 40n }), 'settled'],
        [tutor.reserve('b', 60n, { key: 'k' }), 'unstored a'],
        [tutor.correct('a', 50n), 'corrected from 70'],
        [tutor.settle('a', 70n, { key: 'k', walletCost: 40n }), 'settled'],
      ),
    ],
    leaves: {
      budgets: [day({ spent: 50n })],
      wallets: [{ spentGrant: 50n, heldGrant: 0n }],
      holds: [],
      calls: [{ callId: 'a', cost: 50n }],
      usage: [{ calls: 1, cost: 50n }],
      results: [{ callId: 'a' }],
    },
  },
  {
    name: 'two apps and two days in one batch stay apart',
    steps: [
      batch(
        [search.reserve('a', 100n), 'reserved'],
        [tutor.reserve('b', 100n), 'reserved'],
        [search.at(Date.UTC(2026, 10, 22)).reserve('c', 100n), 'reserved'],
      ),
    ],
    leaves: {
      budgets: [
        day({ app: 'search', day: '2026-11-21', held: 100n }),
        day({ app: 'search', day: '2026-11-22', held: 100n }),
        day({ app: 'tutor', day: '2026-11-21', held: 100n }),
      ],
    },
  },
  {
    name: 'a refusal beside an admission writes nothing of its own',
    steps: [
      cap('search', 10n),
      batch(
        [search.reserve('a', 11n, { key: 'k' }), 'BUDGET_EXCEEDED'],
        [tutor.reserve('b', 1n), 'reserved'],
      ),
    ],
    leaves: { idempotency: [], holds: [{ callId: 'b' }], budgets: [day({}), day({ held: 1n })] },
  },
];
