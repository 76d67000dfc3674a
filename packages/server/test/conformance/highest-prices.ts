import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordMaximumCosts } from '../../src/ledger/roller.ts';
import { rollUp } from '../../src/ledger/rollups.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { firstCallIdAt } from '../../src/lib/id.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { anyCall } from '../../src/operations/calls/find-calls.ts';
import { findMostExpensive } from '../../src/operations/calls/most-expensive-calls.ts';
import { pruneDays } from '../../src/operations/days/prune.ts';
import type { Store } from '../../src/store/port/port.ts';
import { prove } from '../ledger/proof-size.ts';
import { noonMs, search, tutor } from './operations.ts';
import { adminOn, type Subject } from './subject.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const endMs = noonMs + 10 * hourMs;
const models = ['alias', 'sim-echo', 'sim-slow'] as const;

interface Made {
  readonly id: string;
  readonly app: string;
  readonly model: string;
  readonly usageModel: string;
  readonly startedAt: number;
  cost: bigint;
}

const move = fc.oneof(
  fc.record({
    kind: fc.constant('book' as const),
    isTutor: fc.boolean(),
    model: fc.constantFrom(...models),
    minute: fc.integer({ min: 0, max: 500 }),
    cost: fc.bigInt({ min: 0n, max: 99n }),
  }),
  fc.record({
    kind: fc.constant('correct' as const),
    pick: fc.nat(),
    cost: fc.bigInt({ min: 0n, max: 199n }),
  }),
  fc.record({ kind: fc.constant('roll' as const), hour: fc.integer({ min: 0, max: 9 }) }),
  fc.record({ kind: fc.constant('note' as const), calls: fc.integer({ min: 1, max: 5 }) }),
);

const wish = fc.record({
  app: fc.constantFrom(undefined, 'search', 'tutor'),
  model: fc.constantFrom(undefined, ...models),
  since: fc.constantFrom(undefined, noonMs + 90 * minuteMs),
  until: fc.constantFrom(undefined, noonMs + 300 * minuteMs),
  minPicoUsd: fc.constantFrom(undefined, 40n),
  limit: fc.integer({ min: 1, max: 4 }),
});

/** The most expensive calls equal those of a scan of every record. */
export function testDearest(open: () => Promise<Subject>, storeOf: () => Store, runs: number) {
  test('the most expensive calls equal the records’, for any state of the index', async () => {
    const property = fc.asyncProperty(
      fc.array(move, { minLength: 4, maxLength: 30 }),
      fc.array(wish, { minLength: 3, maxLength: 3 }),
      async (moves, wishes) => {
        const subject = await open();
        const made: Made[] = [];
        let closedMs = 0;
        for (const one of moves) {
          if (one.kind === 'book') await book(subject, made, { ...one, closedMs });
          if (one.kind === 'correct') await correct(subject, made, one);
          if (one.kind === 'roll') closedMs = Math.max(closedMs, await rollTo(one.hour));
          if (one.kind === 'note') await recordMaximumCosts({ ...at(endMs), stepCalls: one.calls });
        }
        // With the machine's clock a search ends after 2 s, and a busy machine needs more.
        const admin = adminOn(storeOf(), endMs);
        const stopped = { ...admin, clock: { ...admin.clock, monotonic: () => 0 } };
        for (const wanted of wishes) {
          const found = await findMostExpensive(stopped, { ...anyCall, ...wanted }, 3);
          expect(found.unsearched).toBeNull();
          const costs = new Map(made.map(({ id, cost }) => [id, formatUsd(cost)]));
          for (const { id, costUsd } of found.calls) expect(costUsd).toBe(costs.get(id));
          expect(found.calls.map(({ costUsd }) => costUsd)).toEqual(naive(made, wanted));
          expect(new Set(found.calls.map(({ id }) => id)).size).toBe(found.calls.length);
        }
      },
    );
    await prove(property, runs);
  });

  test('index entries are deleted with their records', async () => {
    const subject = await open();
    const october = Date.UTC(2026, 9, 10, 12);
    for (const [index, whose] of [search.at(october), search].entries()) {
      const id = idAt(index === 0 ? october : noonMs, index);
      await subject.commit([whose.reserve(id, 5n), whose.settle(id, 5n)]);
    }
    await rollUp(at(endMs));
    await recordMaximumCosts(at(endMs));
    expect(await peaks()).toBe(2n);
    await pruneDays(adminOn(storeOf(), endMs), { before: '2026-11-01' });
    expect(await peaks()).toBe(1n);
  });

  function at(nowMs: number) {
    return { store: storeOf(), clock: { ...systemClock, now: () => nowMs } };
  }

  /** Closes the hours before an hour of the day. Returns the boundary. */
  async function rollTo(hour: number): Promise<number> {
    await rollUp(at(noonMs + hour * hourMs + 3 * minuteMs));
    return noonMs + hour * hourMs;
  }

  function peaks(): Promise<unknown> {
    const sql = 'select count(*) as n from call_peak';
    return storeOf().read({ sql, values: [], map: ([row]) => row?.n });
  }
}

/** Books a call. Ids of closed hours are not used again. */
async function book(
  subject: Subject,
  made: Made[],
  asked: {
    readonly isTutor: boolean;
    readonly model: string;
    readonly minute: number;
    readonly cost: bigint;
    readonly closedMs: number;
  },
) {
  const startedAt = noonMs + asked.minute * minuteMs;
  if (startedAt < asked.closedMs) return;
  const whose = (asked.isTutor ? tutor.as({ userId: undefined, granted: undefined }) : search).at(
    startedAt,
  );
  const id = idAt(startedAt, made.length);
  const usageModel = asked.model === 'alias' ? 'sim-echo' : asked.model;
  const facts = { model: asked.model, usageModel };
  const results = await subject.commit([
    whose.reserve(id, asked.cost, { facts }),
    whose.settle(id, asked.cost, { facts }),
  ]);
  for (const result of results) expect(result).toMatchObject({ ok: true });
  const app = asked.isTutor ? 'tutor' : 'search';
  made.push({ id, app, startedAt, ...facts, cost: asked.cost });
}

async function correct(
  subject: Subject,
  made: readonly Made[],
  { pick, cost }: { readonly pick: number; readonly cost: bigint },
) {
  const call = made[pick % Math.max(1, made.length)];
  if (call === undefined) return;
  const whose = search.as({ app: call.app }).at(call.startedAt);
  const [result] = await subject.commit([whose.correct(call.id, cost)]);
  expect(result).toMatchObject({ ok: true });
  call.cost = cost;
}

/** The costs of the most expensive calls, by a scan. */
function naive(
  made: readonly Made[],
  wanted: {
    readonly app: string | undefined;
    readonly model: string | undefined;
    readonly since: number | undefined;
    readonly until: number | undefined;
    readonly minPicoUsd: bigint | undefined;
    readonly limit: number;
  },
): readonly string[] {
  const { app, model, since = 0, until = endMs, minPicoUsd = 1n, limit } = wanted;
  return made
    .filter((call) => app === undefined || call.app === app)
    .filter((call) => model === undefined || [call.model, call.usageModel].includes(model))
    .filter(({ startedAt }) => startedAt >= since && startedAt < until)
    .map(({ cost }) => cost)
    .filter((cost) => cost >= minPicoUsd)
    .toSorted((a, b) => (a > b ? -1 : 1))
    .slice(0, limit)
    .map(formatUsd);
}

function idAt(ms: number, index: number): string {
  return `${firstCallIdAt(ms)}${String(index).padStart(16, '0')}`;
}
