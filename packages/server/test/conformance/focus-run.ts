import type { Attempt, CallFacts } from '../../src/books/rows.ts';
import { noTokens } from '../../src/books/usage.ts';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { rollUp } from '../../src/ledger/rollups.ts';
import { systemClock, utcDayOf, utcMonthOf } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { formatUsd, smaller } from '../../src/lib/money.ts';
import { attemptsOf } from '../../src/operations/calls/call-attempts.ts';
import { correctCall } from '../../src/operations/calls/corrections.ts';
import { repriceCalls } from '../../src/operations/calls/reprice.ts';
import { bookLostCalls } from '../../src/operations/days/days.ts';
import { pruneDays } from '../../src/operations/days/prune.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectCallRecord } from '../../src/store/queries/ledger.ts';
import { type AttemptStep, countedCost, type FocusStep, prices } from './focus-steps.ts';
import { operationsOf } from './operations.ts';
import { adminOn } from './subject.ts';

/** Applies steps to a store, and records them. */
export interface FocusRun {
  readonly now: () => number;
  play(step: Exclude<FocusStep, { kind: 'look' | 'wait' }>): Promise<void>;
  wait(hours: number): void;
  /** The cost that was booked by counts only, by month. */
  readonly counted: ReadonlyMap<string, bigint>;
  /** Months before this day have no records. */
  prunedBefore(): string;
  /** Whether an attempt among several got a price and its row has no other price. */
  isRepriced(): boolean;
}

interface Played {
  readonly callId: string;
  readonly app: string;
  readonly at: number;
}

const hourMs = 3_600_000;

export function createFocusRun(store: Store, catalog: Catalog, startMs: number): FocusRun {
  let nowMs = startMs;
  let pruned = '';
  let isRepriced = false;
  const ids = createIds({ ...systemClock, now: () => nowMs });
  const played: Played[] = [];
  const counted = new Map<string, bigint>();
  const pick = (ago: number) => played.at(-1 - (ago % Math.max(1, played.length)));
  const admin = () => adminOn(store, nowMs);
  const owner = (app: string, at = nowMs) =>
    operationsOf({ app, userId: undefined, granted: undefined, now: at });
  return {
    now: () => nowMs,
    counted,
    prunedBefore: () => pruned,
    isRepriced: () => isRepriced,
    wait(hours) {
      nowMs += hours * hourMs;
    },
    async play(step) {
      if (step.kind === 'call') await call(step.app, step.attempts);
      else if (step.kind === 'lost') await lose(step.app, step.amount);
      else if (step.kind === 'correct') await correct(pick(step.ago), step.amount);
      else if (step.kind === 'settle') await settle(pick(step.ago), step.share);
      else if (step.kind === 'reprice') await reprice(pick(step.ago));
      else if (step.kind === 'close') await close(step);
      else await prune();
    },
  };

  async function call(app: string, wanted: readonly AttemptStep[]) {
    // A corrected row of several attempts has no earlier cost, only that of its counts.
    const steps = wanted.map((step) =>
      step.kind === 'less' && wanted.length > 1 ? { ...step, kind: 'exact' as const } : step,
    );
    const callId = ids.call();
    const booked = steps.map(bookedAs);
    const last = booked.at(-1);
    const facts: Partial<CallFacts> = last === undefined ? {} : factsOf(last);
    const total = booked.reduce((sum, { cost }) => sum + cost, 0n);
    const estimates = booked.filter(({ basis }) => basis === 'estimated');
    const estimated = estimates.reduce((sum, { cost }) => sum + cost, 0n);
    const ops = owner(app);
    const basis = total === 0n ? 'free' : estimated === 0n ? 'exact' : 'mixed';
    await store.commit([
      ops.reserve(callId, total, { facts }),
      ops.settle(callId, total, {
        ...{ facts, estimated, basis, tokens: last?.tokens ?? noTokens },
        ...(booked.length > 1 ? { several: booked } : { attempts: noteOf(last) }),
      }),
    ]);
    played.push({ callId, app, at: nowMs });
    const month = utcMonthOf(nowMs);
    for (const [index, step] of steps.entries()) {
      const own = booked[index];
      const amount = countedCost(step) ?? 0n;
      if (own?.basis === 'exact' && own.cost >= amount)
        counted.set(month, (counted.get(month) ?? 0n) + amount);
    }
  }

  async function lose(app: string, amount: bigint) {
    const callId = ids.call();
    await store.commit([owner(app).reserve(callId, amount), owner(app).expire(callId)]);
    played.push({ callId, app, at: nowMs });
  }

  async function correct(of: Played | undefined, amount: bigint) {
    if (of === undefined || (await store.read(selectCallRecord(of.callId))) === undefined) return;
    await correctCall(admin(), { callId: of.callId, usd: formatUsd(amount) });
  }

  async function settle(of: Played | undefined, share: number) {
    const record = of && (await store.read(selectCallRecord(of.callId)));
    if (of === undefined || record === undefined || record.estimated === 0n) return;
    const rows = (await attemptsOf(store, record)).filter(({ basis }) => basis === 'estimated');
    const isRows = record.attempts === '[]' && rows.length > 0;
    const part = (amount: bigint) => (amount * BigInt(share)) / 100n;
    const attempts = isRows ? rows.map(({ n, cost }) => ({ n, cost: part(cost) })) : [];
    const left = isRows
      ? attempts.reduce((sum, row) => sum + row.cost, 0n)
      : part(record.estimated);
    const cost = record.cost - record.estimated + left;
    const line = lineOf('call.settle', of.callId);
    const estimates = { costBefore: record.cost, attempts };
    await store.commit([{ ...owner(of.app, of.at).correct(of.callId, cost), estimates, line }]);
  }

  function lineOf(action: string, subject: string) {
    return { id: ids.next('log'), at: nowMs, actor: 'test', action, subject };
  }

  async function reprice(of: Played | undefined) {
    const record = of && (await store.read(selectCallRecord(of.callId)));
    if (of === undefined || record === undefined) return;
    const since = new Date(of.at).toISOString().slice(0, 10);
    isRepriced = true;
    await repriceCalls(admin(), catalog, { model: 'sim-echo', since });
  }

  async function close(step: Extract<FocusStep, { kind: 'close' }>) {
    const at = Math.max(startMs, nowMs - step.daysAgo * 24 * hourMs);
    const day = utcDayOf(at);
    const { app, amount: picoUsd } = step;
    if (day >= pruned) await bookLostCalls(admin(), { app, day, picoUsd });
  }

  async function prune() {
    const before = `${utcMonthOf(nowMs - 24 * hourMs)}-01`;
    await rollUp({ store, clock: admin().clock, stepCalls: 3 });
    const { prunedBefore } = await pruneDays(admin(), { before, stepCalls: 3 });
    pruned = prunedBefore ?? pruned;
  }
}

function factsOf(attempt: Partial<Attempt>): Partial<CallFacts> {
  const { model = '', usageModel = '', priceVersion, platform } = attempt;
  return { model, usageModel, priceVersion, platform };
}

type Booked = Pick<
  Attempt,
  'model' | 'usageModel' | 'priceVersion' | 'platform' | 'tokens' | 'toolUses' | 'cost' | 'basis'
> &
  Pick<Attempt, 'isCounted' | 'startedAt' | 'tookMs'>;

function bookedAs(step: AttemptStep): Booked {
  const { model, platform, price, tokens, searches, amount } = step;
  const plain = countedCost(step);
  const isFree = step.kind === 'free';
  const isEstimated = !isFree && (step.kind === 'estimated' || price === 'dearest');
  const exact = price === 'none' ? 0n : (plain ?? amount);
  const costs = { more: exact + amount, less: smaller(exact, amount) };
  const stated = step.kind === 'more' || step.kind === 'less' ? costs[step.kind] : exact;
  const isCounted = !isFree && step.kind !== 'estimated';
  return {
    ...{ model, usageModel: model, platform, priceVersion: versionOf(price) },
    ...{ startedAt: 1, tookMs: 8, isCounted, tokens: isCounted ? tokens : noTokens },
    toolUses: isCounted ? JSON.stringify({ web_search: searches }) : undefined,
    cost: isFree ? 0n : isEstimated ? amount : price === 'none' ? 0n : stated,
    basis: isFree ? 'free' : isEstimated ? 'estimated' : 'exact',
  };
}

function versionOf(price: AttemptStep['price']): string | undefined {
  if (price === 'none') return undefined;
  if (price === 'forgotten') return 'forgotten';
  return price === 'dearest' ? `dearest-${prices.plain.version}` : prices[price].version;
}

function noteOf(booked: Booked | undefined): string {
  if (booked === undefined) return '[]';
  const { startedAt, tookMs, cost, basis, isCounted, toolUses } = booked;
  return JSON.stringify([
    {
      ...{ startedAt, tookMs, outcome: 'answered', status: 200, costPicoUsd: String(cost) },
      ...{ isEstimated: basis === 'estimated', isCounted },
      ...(toolUses !== undefined && { toolUses: JSON.parse(toolUses) }),
    },
  ]);
}
