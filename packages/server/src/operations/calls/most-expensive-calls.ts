import type { CallRecord } from '../../books/rows.ts';
import { firstCallIdAt, madeAt } from '../../lib/id.ts';
import { formatUsd, larger } from '../../lib/money.ts';
import {
  type CallSource,
  type IdRange,
  selectMostExpensiveCalls,
  selectStep,
} from '../../store/queries/call-search.ts';
import {
  type MaximumCost,
  selectMaximumCostState,
  selectMaximumCosts,
} from '../../store/sums/maximum-costs.ts';
import { appRow } from '../apps/apps.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { MostExpensiveCalls } from '../documents/calls-pages.ts';
import { summarizeCalls } from './call-summary.ts';
import { type CallSearch, idSlackMs, searchedAtOnce, searchMs } from './find-calls.ts';

/** Ids from the same 17 minutes share a prefix. */
const bucketMs = 2 ** 20;
/** The time limit allows no more. */
const bucketsMax = 4_000;

/**
 * Searches for 2 s at most: adjusted calls first, then 17-minute buckets by maximum cost, then
 * calls that no bucket covers. Throws an AdminError for an unregistered app.
 */
export async function findMostExpensive(
  context: AdminContext,
  search: Omit<CallSearch, 'after'>,
  stepRows = searchedAtOnce,
): Promise<
  { readonly calls: MostExpensiveCalls['items'] } & Pick<MostExpensiveCalls, 'unsearched'>
> {
  const readContext = withOperatorReads(context);
  const { store, clock } = readContext;
  const { app, since, until, limit } = search;
  if (app !== undefined) await appRow(readContext, app);
  const range = {
    from: firstCallIdAt(since === undefined ? 0 : since - idSlackMs),
    before: firstCallIdAt(Math.min(until ?? clock.now(), clock.now()) + idSlackMs),
  };
  const endMs = clock.monotonic() + searchMs;
  const best = createTopCalls(limit);
  const scan = { store, search, best, stepRows, isOver: () => clock.monotonic() >= endMs };
  const marks = await store.read(selectMaximumCostState);
  const middle = clamped(marks?.peakedUntil ?? '', range);
  const closed = { from: range.from, before: middle };
  const unsearched = [
    ...(await scanCalls(scan, closed, 'usage_late')),
    ...(await scanMaximumCosts(scan, closed)),
    ...(await scanCalls(scan, { from: middle, before: range.before }, 'call')),
  ];
  return {
    calls: await summarizeCalls(store, best.calls()),
    unsearched: unsearchedOf(unsearched, since),
  };
}

interface Scan {
  readonly store: AdminContext['store'];
  readonly search: Omit<CallSearch, 'after'>;
  readonly best: TopCalls;
  readonly stepRows: number;
  readonly isOver: () => boolean;
}

/** A range that was not searched; for a bucket, `atMost` is the maximum cost of its calls. */
interface UnsearchedRange extends IdRange {
  readonly atMost: bigint | undefined;
}

/** Newest calls first; reads at least one step. */
async function scanCalls(
  { store, search, best, stepRows, isOver }: Scan,
  { from, before: end }: IdRange,
  source: CallSource,
): Promise<readonly UnsearchedRange[]> {
  for (let before = end; before > from; ) {
    const step = await store.read(selectStep({ from, before }, stepRows, source));
    if (step.oldest === undefined) return [];
    const filter = { ...search, minPicoUsd: best.atLeast(search.minPicoUsd) };
    const options = { limit: search.limit, source };
    best.add(
      await store.read(selectMostExpensiveCalls({ from: step.oldest, before }, filter, options)),
    );
    if (step.rows < stepRows) return [];
    before = step.oldest;
    if (isOver()) return [{ from, before, atMost: undefined }];
  }
  return [];
}

/** Stops when no other call can cost more. */
async function scanMaximumCosts(scan: Scan, range: IdRange): Promise<readonly UnsearchedRange[]> {
  const { store, search, best, isOver } = scan;
  if (range.before <= range.from) return [];
  const maximumCosts = await store.read(selectMaximumCosts(range, search, bucketsMax));
  for (const [at, maximum] of maximumCosts.entries()) {
    if (maximum.cost < best.atLeast(search.minPicoUsd)) return [];
    const ids = bucketRange(maximum, range);
    const rest = isOver() ? [{ ...ids, atMost: maximum.cost }] : await scanCalls(scan, ids, 'call');
    if (rest.length === 0) continue;
    const others = maximumCosts.slice(at).map((other) => bucketRange(other, range));
    return others.map((other) => ({ ...other, atMost: maximum.cost }));
  }
  const last = maximumCosts.at(-1);
  if (last === undefined || maximumCosts.length < bucketsMax) return [];
  return [{ ...range, atMost: last.cost }];
}

function bucketRange({ bucket }: MaximumCost, range: IdRange): IdRange {
  const startMs = madeAt(bucket.padEnd(15, '0'));
  const [from, before] = [firstCallIdAt(startMs), firstCallIdAt(startMs + bucketMs)];
  return { from: clamped(from, range), before: clamped(before, range) };
}

function clamped(id: string, { from, before }: IdRange): string {
  if (id < from) return from;
  return id > before ? before : id;
}

function unsearchedOf(
  unsearched: readonly UnsearchedRange[],
  since: number | undefined,
): MostExpensiveCalls['unsearched'] {
  const [first] = unsearched;
  if (first === undefined) return null;
  const from = unsearched.reduce((low, one) => (one.from < low ? one.from : low), first.from);
  const before = unsearched.reduce(
    (high, one) => (one.before > high ? one.before : high),
    first.before,
  );
  const sinceMs = Math.max(madeAt(from), since ?? 0);
  const costs = unsearched.map(({ atMost }) => atMost);
  const atMost = costs.reduce((a, b) =>
    a === undefined || b === undefined ? undefined : larger(a, b),
  );
  return {
    since: sinceMs === 0 ? null : new Date(sinceMs).toISOString(),
    until: new Date(madeAt(before)).toISOString(),
    atMostUsd: atMost === undefined ? null : formatUsd(atMost),
  };
}

/** Contains each call once. */
interface TopCalls {
  add(calls: readonly CallRecord[]): void;
  /** The cost, in pico-USD, that another call needs; never below `least`. */
  atLeast(least: bigint | undefined): bigint;
  /** Most expensive first; at equal cost, newest first. */
  calls(): readonly CallRecord[];
}

/** Ignores calls without a cost. */
function createTopCalls(limit: number): TopCalls {
  let best: readonly CallRecord[] = [];
  return {
    add(calls) {
      const all = new Map([...best, ...calls].map((call) => [call.callId, call]));
      best = [...all.values()].toSorted(byCostDescending).slice(0, limit);
    },
    atLeast(least = 1n) {
      const last = best.length < limit ? undefined : best.at(-1);
      const floor = last === undefined ? 1n : last.cost + 1n;
      return least > floor ? least : floor;
    },
    calls: () => best,
  };
}

function byCostDescending(a: CallRecord, b: CallRecord): number {
  if (a.cost !== b.cost) return a.cost > b.cost ? -1 : 1;
  return a.callId > b.callId ? -1 : 1;
}
