import { noonMs, search, tutor } from './operations.ts';
import { batch, cap, day, type Row } from './table.ts';

const lastMoment = Date.UTC(2026, 10, 30, 23, 59, 59, 999);
const firstMoment = lastMoment + 1;
const tomorrow = noonMs + 86_400_000;

const lateSearch = search.at(lastMoment);
const lateTutor = tutor.at(lastMoment);

/** Midnight, month's end, and changes of a budget. */
export const dayRows: readonly Row[] = [
  {
    name: 'each day has a budget of its own',
    steps: [
      batch([search.reserve('a', 100n), 'reserved'], [search.reserve('b', 1n), 'BUDGET_EXCEEDED']),
      batch([search.at(tomorrow).reserve('c', 100n), 'reserved']),
    ],
    leaves: {
      budgets: [day({ day: '2026-11-21', held: 100n }), day({ day: '2026-11-22', held: 100n })],
    },
  },
  {
    name: 'a call over midnight is charged to the day that it was admitted in',
    steps: [
      batch([lateSearch.reserve('a', 50n), 'reserved']),
      batch([lateSearch.settle('a', 20n, { now: firstMoment }), 'settled']),
    ],
    leaves: {
      budgets: [day({ day: '2026-11-30', spent: 20n })],
      calls: [{ day: '2026-11-30', endedAt: firstMoment }],
      usage: [{ day: '2026-11-30', calls: 1 }],
    },
  },
  {
    name: "a call over a month's end is paid by the month that it was admitted in",
    steps: [
      batch([lateTutor.reserve('a', 60n), 'reserved']),
      batch([tutor.at(firstMoment).reserve('b', 100n), 'reserved']),
      batch([lateTutor.settle('a', 40n, { now: firstMoment }), 'settled']),
    ],
    leaves: {
      wallets: [
        { month: '2026-11', spentGrant: 40n, heldGrant: 0n },
        { month: '2026-12', spentGrant: 0n, heldGrant: 100n },
      ],
    },
  },
  {
    name: "top-up money has no month: what is left of it is there after the month's end",
    steps: [
      batch([lateTutor.topUp(50n, 'r'), 'topped-up'], [lateTutor.reserve('a', 150n), 'reserved']),
      batch([lateTutor.settle('a', 120n, { now: firstMoment }), 'settled']),
      batch(
        [tutor.at(firstMoment).reserve('b', 131n), 'INSUFFICIENT_CREDITS'],
        [tutor.at(firstMoment).reserve('c', 130n), 'reserved'],
      ),
    ],
    leaves: { topups: [{ added: 50n, spent: 20n, held: 30n }] },
  },
  {
    name: "an expiry over a month's end gives back to the month that it took from",
    steps: [
      batch([lateTutor.topUp(50n, 'r'), 'topped-up'], [lateTutor.reserve('a', 150n), 'reserved']),
      batch([{ ...lateTutor.expire('a'), now: firstMoment }, 'expired']),
    ],
    leaves: {
      budgets: [day({ day: '2026-11-30', spent: 150n, estimated: 150n })],
      wallets: [{ month: '2026-11', spentGrant: 0n, heldGrant: 0n }],
      topups: [{ added: 50n, spent: 0n, held: 0n }],
    },
  },
  {
    name: 'a clock that goes back finds the earlier day as it was',
    steps: [
      batch([search.at(tomorrow).reserve('a', 10n), 'reserved']),
      batch([search.reserve('b', 100n), 'reserved'], [search.reserve('c', 1n), 'BUDGET_EXCEEDED']),
    ],
    leaves: {
      budgets: [day({ day: '2026-11-21', held: 100n }), day({ day: '2026-11-22', held: 10n })],
    },
  },
  {
    name: 'a cap below what is spent admits nothing new, and loses nothing',
    steps: [
      batch([search.reserve('a', 60n), 'reserved'], [search.reserve('b', 40n), 'reserved']),
      cap('search', 50n),
      batch(
        [search.settle('a', 60n), 'settled'],
        [search.reserve('c', 0n), 'BUDGET_EXCEEDED'],
        [search.extend('b', 1, 0n), 'not-extended'],
        [search.settle('b', 40n), 'settled'],
      ),
    ],
    leaves: { budgets: [day({ cap: 50n, admittedCap: 100n, spent: 100n })] },
  },
  {
    name: 'a lowered cap admits again what fits under it',
    steps: [
      batch([search.reserve('a', 100n), 'reserved']),
      cap('search', 50n),
      batch([search.settle('a', 20n), 'settled'], [search.reserve('b', 31n), 'BUDGET_EXCEEDED']),
      batch([search.reserve('c', 30n), 'reserved']),
    ],
    leaves: { budgets: [day({ cap: 50n, admittedCap: 50n, spent: 20n, held: 30n })] },
  },
  {
    name: 'a raised cap admits more',
    steps: [
      batch([search.reserve('a', 100n), 'reserved']),
      cap('search', 150n),
      batch([search.reserve('b', 51n), 'BUDGET_EXCEEDED'], [search.reserve('c', 50n), 'reserved']),
    ],
    leaves: { budgets: [day({ cap: 150n, held: 150n })] },
  },
  {
    name: 'a cap that is taken away admits everything, and the audit knows that it was',
    steps: [
      batch([search.reserve('a', 100n), 'reserved']),
      cap('search', undefined),
      batch([search.reserve('b', 900n), 'reserved']),
    ],
    leaves: { budgets: [day({ cap: undefined, held: 1_000n })] },
  },
  {
    name: 'a cap that comes back refuses until enough is free',
    steps: [
      cap('search', undefined),
      batch([search.reserve('a', 900n), 'reserved']),
      cap('search', 100n),
      batch([search.reserve('b', 1n), 'BUDGET_EXCEEDED'], [search.settle('a', 40n), 'settled']),
      batch([search.reserve('c', 60n), 'reserved']),
    ],
    leaves: { budgets: [day({ cap: 100n, admittedCap: 100n, spent: 40n, held: 60n })] },
  },
];
