import { describe, expect, test } from 'vitest';
import type { BudgetCheck } from '../../src/attack/books/books.ts';
import type { BudgetRows } from '../../src/attack/books/budget-rows.ts';
import { judgeBudgets } from '../../src/attack/budget-verdict.ts';
import { checkUsers, createReckoning } from '../../src/attack/members/reckoning.ts';
import { verdict } from '../../src/attack/verdict.ts';
import { booksOf, callPicoUsd } from './books.ts';

const day = '2026-11-27';
const group = 'group:shift';

function call(app: string, callId: string, picoUsd = 10n, userId?: string) {
  return { app, callId, userId, code: 'OK', picoUsd };
}

function rows(change: Partial<BudgetRows> & { spent?: bigint; held?: bigint } = {}): BudgetRows {
  const { spent: spentPicoUsd = 0n, held: heldPicoUsd = 0n, ...others } = change;
  const budgets = [{ scope: group, period: day, spentPicoUsd, heldPicoUsd }];
  return { calls: [], holds: [], budgets, ...others };
}

const both = { before: ['early', 'late'], after: ['early', 'late'] };
const early = { before: ['early'], after: ['early'] };

describe('the computed spending of a group', () => {
  const checksOf = (steps: readonly [BudgetRows, typeof both][]) => {
    const reckoning = createReckoning(group, [day]);
    for (const [read, change] of steps) reckoning.note(read, change);
    const [last] = steps.at(-1) ?? [rows()];
    return reckoning.checks(last, 'now')[0];
  };

  test('includes all calls of its members, also earlier ones', () => {
    const calls = [call('early', 'c1'), call('late', 'c2')];
    const check = checksOf([
      [rows({ calls }), { before: [], after: [] }],
      [rows({ calls }), { before: [], after: ['late'] }],
    ]);
    expect(check).toMatchObject({ leastPicoUsd: 10n, maximumCostPicoUsd: 10n });
  });

  test('includes only the spending as a member of an app that left', () => {
    const before = [call('late', 'c1')];
    const within = [...before, call('late', 'c2')];
    const after = [...within, call('late', 'c3')];
    const check = checksOf([
      [rows({ calls: before }), { before: [], after: ['late'] }],
      [rows({ calls: within }), { before: ['late'], after: ['late'] }],
      [rows({ calls: within }), { before: ['late'], after: [] }],
      [rows({ calls: after }), { before: [], after: [] }],
    ]);
    // The first call ended during the change that made the app a member.
    expect(check).toMatchObject({ leastPicoUsd: 10n, maximumCostPicoUsd: 20n });
  });

  test('includes the running calls of its members, whatever their lists', () => {
    const holds = [call('early', 'c1'), call('late', 'c2')];
    expect(checksOf([[rows({ holds }), early]])).toMatchObject({ runningPicoUsd: 10n });
    expect(checksOf([[rows({ holds }), both]])).toMatchObject({ runningPicoUsd: 20n });
  });
});

test('users are distinguished by any name, and a row without calls is found', () => {
  const budgets = ['%', '_', 'nobody'].map((userId) => ({
    ...{ scope: `user:odd:${userId}`, period: day, spentPicoUsd: 10n, heldPicoUsd: 0n },
  }));
  const calls = [call('odd', 'c1', 10n, '%'), call('odd', 'c2', 10n, '_'), call('early', 'c3')];
  const checks = checkUsers({ calls, holds: [], budgets }, { app: 'odd', day, when: 'now' });
  expect(judgeBudgets(checks)).toEqual([
    expect.objectContaining({ checks: 3, lostPicoUsd: 0n, doubledPicoUsd: 10n }),
  ]);
  expect(judgeBudgets(checks)[0]?.findings).toEqual([expect.stringContaining('user "nobody"')]);
});

describe('a gateway with a fault in a budget of several apps', () => {
  const sound: BudgetCheck = {
    ...{ name: 'group:shift@2026-11-27', when: 'now', leastPicoUsd: 20n, maximumCostPicoUsd: 30n },
    ...{ countedPicoUsd: 25n, runningPicoUsd: 5n, heldPicoUsd: 5n },
  };
  const none = { lostPicoUsd: 0n, doubledPicoUsd: 0n, wronglyHeldPicoUsd: 0n };
  test.each([
    ['nothing', {}, none],
    ['a call that is not counted', { countedPicoUsd: 19n }, { ...none, lostPicoUsd: 1n }],
    ['a call that is counted twice', { countedPicoUsd: 31n }, { ...none, doubledPicoUsd: 1n }],
    ['a hold that is forgotten', { heldPicoUsd: 0n }, { ...none, wronglyHeldPicoUsd: 5n }],
    ['a hold that never ends', { runningPicoUsd: 0n }, { ...none, wronglyHeldPicoUsd: 5n }],
  ])('%s', (what, change, expected) => {
    const result = verdict(booksOf({ budgets: [sound, { ...sound, ...change }, sound] }));
    expect(result.budgets).toMatchObject([{ checks: 3, ...expected }]);
    expect(result.isZero).toBe(what === 'nothing');
    expect(result.broken).toHaveLength(what === 'nothing' ? 0 : 1);
  });
});

test('an unbooked correction is found, and a booked one is no loss', () => {
  const books = booksOf();
  const [first, ...others] = books.booked;
  if (first === undefined) throw new Error('no call is booked');
  const picoUsd = callPicoUsd / 2n;
  const corrections = new Map([[first.callId, picoUsd]]);
  expect(verdict({ ...books, corrections })).toMatchObject({
    broken: [expect.stringContaining('was corrected to 500 pico-USD, and is booked with 1000')],
  });
  const booked = [{ ...first, picoUsd }, ...others];
  expect(verdict({ ...books, booked, corrections })).toMatchObject({ isClean: true });
});
