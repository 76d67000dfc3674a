import type { CallRecord } from '../../books/rows.ts';
import { firstCallIdAt, madeAt } from '../../lib/id.ts';
import { formatUsd, larger } from '../../lib/money.ts';
import {
  type CallSource,
  type IdRange,
  selectDearest,
  selectStep,
} from '../../store/queries/call-search.ts';
import { type Peak, selectPeakState, selectPeaks } from '../../store/sums/peaks.ts';
import { appRow } from '../apps/apps.ts';
import { type AdminContext, readingAside } from '../context/context.ts';
import type { DearestCalls } from '../documents/calls-pages.ts';
import { type CallSearch, idSlackMs, searchedAtOnce, searchMs } from './find-calls.ts';
import { foundOf } from './found-call.ts';

/** Ids of 17 minutes share a prefix. */
const bucketMs = 2 ** 20;
/** More cannot be searched within the time limit. */
const bucketsMax = 4_000;

/**
 * Searches for 2 s at most: calls changed after their hour closed, then 17-minute buckets by peak,
 * then calls in no peak. Throws an AdminError for an unregistered app.
 */
export async function findDearest(
  context: AdminContext,
  search: Omit<CallSearch, 'after'>,
  stepRows = searchedAtOnce,
): Promise<{ readonly calls: DearestCalls['items'] } & Pick<DearestCalls, 'unsearched'>> {
  const reading = readingAside(context);
  const { store, clock } = reading;
  const { app, since, until, limit } = search;
  if (app !== undefined) await appRow(reading, app);
  const range = {
    from: firstCallIdAt(since === undefined ? 0 : since - idSlackMs),
    before: firstCallIdAt(Math.min(until ?? clock.now(), clock.now()) + idSlackMs),
  };
  const endMs = clock.monotonic() + searchMs;
  const best = createDearest(limit);
  const looking = { store, search, best, stepRows, isOver: () => clock.monotonic() >= endMs };
  const marks = await store.read(selectPeakState);
  const middle = clamped(marks?.peakedUntil ?? '', range);
  const closed = { from: range.from, before: middle };
  const left = [
    ...(await lookThrough(looking, closed, 'usage_late')),
    ...(await lookAtPeaks(looking, closed)),
    ...(await lookThrough(looking, { from: middle, before: range.before }, 'call')),
  ];
  return { calls: await foundOf(store, best.calls()), unsearched: unsearchedOf(left, since) };
}

interface Looking {
  readonly store: AdminContext['store'];
  readonly search: Omit<CallSearch, 'after'>;
  readonly best: Dearest;
  readonly stepRows: number;
  readonly isOver: () => boolean;
}

/** Not searched; for a peak, `atMost` bounds the cost of its calls. */
interface Left extends IdRange {
  readonly atMost: bigint | undefined;
}

/** Newest calls first; at least one step. */
async function lookThrough(
  { store, search, best, stepRows, isOver }: Looking,
  { from, before: end }: IdRange,
  source: CallSource,
): Promise<readonly Left[]> {
  for (let before = end; before > from; ) {
    const step = await store.read(selectStep({ from, before }, stepRows, source));
    if (step.oldest === undefined) return [];
    const filter = { ...search, minPicoUsd: best.atLeast(search.minPicoUsd) };
    const wanted = { limit: search.limit, source };
    best.add(await store.read(selectDearest({ from: step.oldest, before }, filter, wanted)));
    if (step.rows < stepRows) return [];
    before = step.oldest;
    if (isOver()) return [{ from, before, atMost: undefined }];
  }
  return [];
}

/** Stops when no other call can be dearer. */
async function lookAtPeaks(looking: Looking, range: IdRange): Promise<readonly Left[]> {
  const { store, search, best, isOver } = looking;
  if (range.before <= range.from) return [];
  const peaks = await store.read(selectPeaks(range, search, bucketsMax));
  for (const [at, peak] of peaks.entries()) {
    if (peak.cost < best.atLeast(search.minPicoUsd)) return [];
    const below = below17(peak, range);
    const rest = isOver()
      ? [{ ...below, atMost: peak.cost }]
      : await lookThrough(looking, below, 'call');
    if (rest.length === 0) continue;
    const others = peaks.slice(at).map((other) => below17(other, range));
    return others.map((other) => ({ ...other, atMost: peak.cost }));
  }
  const last = peaks.at(-1);
  if (last === undefined || peaks.length < bucketsMax) return [];
  return [{ ...range, atMost: last.cost }];
}

function below17({ bucket }: Peak, range: IdRange): IdRange {
  const startMs = madeAt(bucket.padEnd(15, '0'));
  const [from, before] = [firstCallIdAt(startMs), firstCallIdAt(startMs + bucketMs)];
  return { from: clamped(from, range), before: clamped(before, range) };
}

function clamped(id: string, { from, before }: IdRange): string {
  if (id < from) return from;
  return id > before ? before : id;
}

function unsearchedOf(
  left: readonly Left[],
  since: number | undefined,
): DearestCalls['unsearched'] {
  const [first] = left;
  if (first === undefined) return null;
  const from = left.reduce((low, one) => (one.from < low ? one.from : low), first.from);
  const before = left.reduce((high, one) => (one.before > high ? one.before : high), first.before);
  const sinceMs = Math.max(madeAt(from), since ?? 0);
  const costs = left.map(({ atMost }) => atMost);
  const atMost = costs.reduce((a, b) =>
    a === undefined || b === undefined ? undefined : larger(a, b),
  );
  return {
    since: sinceMs === 0 ? null : new Date(sinceMs).toISOString(),
    until: new Date(madeAt(before)).toISOString(),
    atMostUsd: atMost === undefined ? null : formatUsd(atMost),
  };
}

/** Each call once. */
interface Dearest {
  add(found: readonly CallRecord[]): void;
  /** The cost, in pico-USD, that another call needs; never below `least`. */
  atLeast(least: bigint | undefined): bigint;
  /** The dearest first; at equal cost, the newest first. */
  calls(): readonly CallRecord[];
}

/** Ignores calls without a cost. */
function createDearest(limit: number): Dearest {
  let best: readonly CallRecord[] = [];
  return {
    add(found) {
      const all = new Map([...best, ...found].map((call) => [call.callId, call]));
      best = [...all.values()].toSorted(dearestFirst).slice(0, limit);
    },
    atLeast(least = 1n) {
      const last = best.length < limit ? undefined : best.at(-1);
      const floor = last === undefined ? 1n : last.cost + 1n;
      return least > floor ? least : floor;
    },
    calls: () => best,
  };
}

function dearestFirst(a: CallRecord, b: CallRecord): number {
  if (a.cost !== b.cost) return a.cost > b.cost ? -1 : 1;
  return a.callId > b.callId ? -1 : 1;
}
