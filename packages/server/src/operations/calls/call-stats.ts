import { firstCallIdAt, madeAt } from '../../lib/id.ts';
import { type CallFilter, selectStep } from '../../store/queries/call-search.ts';
import { selectCallStats } from '../../store/queries/call-stats.ts';
import { appRow } from '../apps/apps.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { CallStats } from '../documents/calls-pages.ts';
import { idSlackMs, searchedAtOnce, searchMs } from './find-calls.ts';
import { createStatSums } from './stat-sums.ts';

/** The range without `since`. */
const usualMs = 86_400_000;
const slicesMax = 60;

/**
 * Covers the calls admitted in the range, or the newest of them that 2 s of search reach. Throws an
 * AdminError for an unregistered app.
 */
export async function readCallStats(
  context: AdminContext,
  filter: CallFilter,
  stepRows = searchedAtOnce,
): Promise<CallStats> {
  const readContext = withOperatorReads(context);
  const { store, clock } = readContext;
  if (filter.app !== undefined) await appRow(readContext, filter.app);
  const until = Math.min(filter.until ?? clock.now(), clock.now());
  const since = Math.min(filter.since ?? until - usualMs, until);
  const widthMs = widthOf(since, until);
  const sums = createStatSums();
  const from = firstCallIdAt(since - idSlackMs);
  const endMs = clock.monotonic() + searchMs;
  let before = firstCallIdAt(until + idSlackMs);
  for (;;) {
    const step = await store.read(selectStep({ from, before }, stepRows));
    if (step.oldest === undefined) break;
    const range = { from: step.oldest, before };
    sums.add(await store.read(selectCallStats(range, { ...filter, since, until }, widthMs)));
    if (step.rows < stepRows) break;
    before = step.oldest;
    if (clock.monotonic() >= endMs) {
      const searchedBackTo = Math.max(since, madeAt(before));
      return sums.document({ since, until, sliceMs: widthMs, searchedBackTo });
    }
  }
  return sums.document({ since, until, sliceMs: widthMs, searchedBackTo: undefined });
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const widths = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 5, 10, 30, 100, 400].map((days) => days * dayMs),
];

/** The width of a slice, which begins at a multiple of its width. */
function widthOf(since: number, until: number): number {
  const fits = (widthMs: number) =>
    Math.ceil(until / widthMs) - Math.floor(since / widthMs) <= slicesMax;
  return widths.find(fits) ?? 4_000 * dayMs;
}
