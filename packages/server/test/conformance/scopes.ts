import { expect, test } from 'vitest';
import type { ScopeClaim } from '../../src/books/claims.ts';
import type { BudgetScope } from '../../src/books/scope.ts';
import { noonMs, search, tutor } from './operations.ts';
import type { Subject } from './subject.ts';
import { batch, cap, day, type Row, scopeCap, wordOf } from './table.ts';

const month = '2026-11';
const today = '2026-11-21';
const lastMoment = Date.UTC(2026, 10, 30, 23, 59, 59, 999);

const research: ScopeClaim = { scope: 'group:research', period: month, cap: 150n, mode: 'enforce' };
const shadow: ScopeClaim = { scope: 'group:a@b', period: today, cap: 50n, mode: 'shadow' };
const run: ScopeClaim = { scope: 'run:search:r1', period: 'run', cap: 80n, mode: 'enforce' };
const asList = (...claims: readonly ScopeClaim[]) =>
  JSON.stringify(claims.map(({ scope, period }) => `${scope}@${period}`).toSorted());

const inResearch = { scopes: [research] };
const inAll = { scopes: [run, research, shadow] };
const twoScopes = { scopes: [run, research] };

/** A scope's amounts; what is not named is 0. */
function scope({ scope, period }: ScopeClaim, amounts: Partial<BudgetScope>) {
  return { scope, period, spent: 0n, held: 0n, estimated: 0n, overrun: 0n, ...amounts };
}

/** Caps beside the app's own day. */
export const scopeRows: readonly Row[] = [
  {
    name: 'a call is held and booked in each cap of its list',
    steps: [
      batch([search.reserve('a', 40n, inAll), 'reserved'], [search.reserve('b', 30n), 'reserved']),
      batch([search.settle('a', 15n, { estimated: 5n, basis: 'mixed' }), 'settled']),
    ],
    leaves: {
      budgets: [day({ spent: 15n, held: 30n, estimated: 5n })],
      scopes: [
        scope(shadow, { spent: 15n, estimated: 5n, admittedCap: undefined, mode: 'shadow' }),
        scope(research, { spent: 15n, estimated: 5n, admittedCap: 150n, mode: 'enforce' }),
        scope(run, { spent: 15n, estimated: 5n, admittedCap: 80n }),
      ],
      holds: [{ callId: 'b', scopes: undefined }],
      calls: [{ callId: 'a', scopes: asList(...inAll.scopes) }],
    },
  },
  {
    name: 'two apps share what a group has, and what fits exactly is admitted',
    steps: [
      batch(
        [search.reserve('a', 90n, inResearch), 'reserved'],
        [tutor.reserve('b', 61n, inResearch), 'BUDGET_EXCEEDED'],
        [tutor.reserve('c', 60n, inResearch), 'reserved'],
        [tutor.reserve('d', 1n, inResearch), 'BUDGET_EXCEEDED'],
        [tutor.reserve('e', 1n), 'reserved'],
      ),
    ],
    leaves: {
      scopes: [scope(research, { held: 150n })],
      wallets: [{ heldGrant: 61n }],
      holds: [{ callId: 'a' }, { callId: 'c' }, { callId: 'e' }],
    },
  },
  {
    name: 'a refusal by the last of them takes nothing of any',
    steps: [
      batch([tutor.reserve('a', 80n, { scopes: [run] }), 'reserved']),
      batch([tutor.reserve('b', 1n, { ...inAll, key: 'k' }), 'BUDGET_EXCEEDED']),
      batch([tutor.reserve('c', 21n, inResearch), 'INSUFFICIENT_CREDITS']),
    ],
    leaves: {
      budgets: [day({ held: 80n })],
      scopes: [scope(run, { held: 80n, admittedCap: 80n })],
      idempotency: [],
      wallets: [{ heldGrant: 80n }],
    },
  },
  {
    name: 'a cap in shadow refuses nothing, and counts what it would have refused',
    steps: [
      batch(
        [search.reserve('a', 50n, { scopes: [shadow] }), 'reserved'],
        [search.reserve('b', 20n, { scopes: [shadow] }), 'reserved'],
        [search.reserve('c', 40n, { scopes: [shadow] }), 'BUDGET_EXCEEDED'],
        [search.reserve('d', 10n, { scopes: [shadow] }), 'reserved'],
        [search.extend('d', 1, 5n), 'extended'],
      ),
    ],
    leaves: {
      scopes: [scope(shadow, { held: 85n, wouldRefuse: 2n, wouldRefuseAmount: 30n })],
    },
  },
  {
    name: 'a further maximum needs room in each of them',
    steps: [
      batch([search.reserve('a', 50n, twoScopes), 'reserved']),
      batch(
        [search.extend('a', 1, 31n), 'not-extended'],
        [search.extend('a', 1, 30n), 'extended'],
        [search.extend('a', 1, 30n), 'extended'],
        [search.extend('a', 2, 1n), 'not-extended'],
      ),
    ],
    leaves: {
      budgets: [day({ held: 80n })],
      scopes: [scope(research, { held: 80n }), scope(run, { held: 80n })],
    },
  },
  {
    name: 'an expiry, a late settlement and a correction go to the list of the call',
    steps: [
      batch([search.reserve('a', 60n, twoScopes), 'reserved']),
      batch([search.expire('a'), 'expired']),
      batch([search.reserve('b', 80n, { scopes: [run] }), 'BUDGET_EXCEEDED']),
      batch([search.settle('a', 70n), 'settled']),
      batch([search.correct('a', 20n), 'corrected from 70']),
    ],
    leaves: {
      budgets: [day({ spent: 20n })],
      scopes: [scope(research, { spent: 20n }), scope(run, { spent: 20n })],
      calls: [{ callId: 'a', cost: 20n, scopes: asList(...twoScopes.scopes) }],
    },
  },
  {
    name: 'an overrun is booked in full in each of them',
    steps: [
      batch([search.reserve('a', 60n, twoScopes), 'reserved']),
      batch([search.settle('a', 95n), 'settled'], [search.correct('a', 96n), 'corrected from 95']),
      batch([search.reserve('b', 1n, { scopes: [run] }), 'BUDGET_EXCEEDED']),
    ],
    leaves: {
      scopes: [
        scope(research, { spent: 96n, overrun: 36n }),
        scope(run, { spent: 96n, overrun: 36n }),
      ],
    },
  },
  {
    name: 'a price that comes later is booked in each of them',
    steps: [
      batch([search.reserve('a', 0n, { ...twoScopes, isUnpriced: true }), 'reserved']),
      batch([search.settle('a', 0n, { facts: { priceVersion: undefined } }), 'settled']),
      batch([search.reprice('a', 0n, 7n), 'repriced']),
    ],
    leaves: {
      scopes: [scope(research, { spent: 7n, overrun: 7n }), scope(run, { spent: 7n, overrun: 7n })],
    },
  },
  {
    name: 'a cap below what is held ends nothing, and admits again what fits under it',
    steps: [
      batch([search.reserve('a', 60n, inResearch), 'reserved']),
      scopeCap('group:research', 40n),
      batch(
        [search.reserve('b', 0n, { ...inResearch, revision: 1n }), 'BUDGET_EXCEEDED'],
        [search.extend('a', 1, 0n), 'not-extended'],
        [search.settle('a', 25n), 'settled'],
        [search.reserve('c', 16n, { ...inResearch, revision: 1n }), 'BUDGET_EXCEEDED'],
        [search.reserve('d', 15n, { ...inResearch, revision: 1n }), 'reserved'],
      ),
    ],
    leaves: { scopes: [scope(research, { cap: 40n, admittedCap: 40n, spent: 25n, held: 15n })] },
  },
  {
    name: 'what was decided on earlier definitions writes nothing, and makes no row',
    steps: [
      scopeCap('group:research', 40n),
      batch(
        [search.reserve('a', 10n, { ...inResearch, key: 'k' }), 'outdated-budgets'],
        [search.reserve('b', 10n), 'outdated-budgets'],
        [tutor.reserve('c', 10n, { revision: 1n }), 'reserved'],
      ),
      batch([
        search.reserve('a', 10n, { scopes: [{ ...research, cap: 40n }], revision: 1n }),
        'reserved',
      ]),
      batch([search.reserve('a', 10n, inResearch), 'reserved']),
    ],
    leaves: { scopes: [scope(research, { cap: 40n, held: 10n })], idempotency: [] },
  },
  {
    name: "a month's cap ends with the month, a run's with no calendar",
    steps: [
      cap('search', undefined),
      batch([search.at(lastMoment).reserve('a', 50n, twoScopes), 'reserved']),
      batch([
        search.at(lastMoment + 1).reserve('b', 30n, {
          scopes: [{ ...research, period: '2026-12' }, run],
        }),
        'reserved',
      ]),
      batch([search.at(lastMoment).settle('a', 45n, { now: lastMoment + 9 }), 'settled']),
    ],
    leaves: {
      scopes: [
        scope(research, { spent: 45n }),
        scope({ ...research, period: '2026-12' }, { held: 30n }),
        scope(run, { spent: 45n, held: 30n }),
      ],
    },
  },
  {
    name: 'a claim that names a cap twice is refused as a broken promise',
    steps: [batch([search.reserve('a', 1n, { scopes: [run, run] }), 'invalid'])],
    leaves: { holds: [] },
  },
];

/** What a refusal tells, and what comes of many at once. */
export function testScopes(open: () => Promise<Subject>) {
  test('a refusal names the cap with the least room, and all others that refuse', async () => {
    const subject = await open();
    await subject.commit([search.reserve('a', 75n, inAll)]);
    const [byRun, byDay] = await subject.commit([
      search.reserve('b', 30n, inAll),
      search.reserve('c', 30n, inResearch),
    ]);
    expect(byRun).toMatchObject({
      outcome: {
        ...{ code: 'BUDGET_EXCEEDED', scope: { scope: 'run:search:r1', period: 'run' } },
        ...{ cap: 80n, spent: 0n, held: 75n, needed: 30n, remaining: 5n },
        refusing: [{ scope: 'app:search', period: today, cap: 100n }],
      },
    });
    expect(byDay).toMatchObject({
      outcome: { scope: undefined, cap: 100n, remaining: 25n, refusing: [] },
    });
  });

  test('200 calls of two apps in one batch against a group that fits 37', async () => {
    const subject = await open();
    await subject.setCap({ app: 'search', cap: undefined, today });
    await subject.setCap({ app: 'tutor', cap: undefined, today });
    const claim = { scopes: [{ ...research, cap: 37n }] };
    const calls = Array.from({ length: 200 }, (_, index) => {
      const whose = index % 2 === 0 ? search : search.as({ app: 'tutor' });
      return whose.at(noonMs + index).reserve(`call-${index}`, 1n, claim);
    });
    const words = (await subject.commit(calls)).map(wordOf);
    expect(words.filter((word) => word === 'reserved')).toHaveLength(37);
    expect((await subject.rows()).scopes).toMatchObject([{ held: 37n, spent: 0n }]);
    expect(await subject.breaches()).toEqual([]);
  });
}
