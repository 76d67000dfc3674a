import { utcDayOf } from '../../lib/clock.ts';
import { selectMarkSums } from '../../store/queries/usage-marks.ts';
import type { AdminContext } from '../context/context.ts';
import type { Curves } from '../context/live-state.ts';
import { daysLike } from './pace.ts';

/** Of earlier days like today: a few hundred numbers per app. */
export async function readCurves({ store, clock }: AdminContext): Promise<Curves> {
  const { days, like } = daysLike(Date.parse(utcDayOf(clock.now())));
  const sums = await store.readAside(selectMarkSums(days));
  const byApp = Map.groupBy(sums, ({ app }) => app);
  return { of: (app) => byApp.get(app) ?? [], like };
}
/** Read once an hour, by one reader for all. */
export function createCurves(context: AdminContext): () => Promise<Curves> {
  let kept: { readonly hour: number; readonly curves: Promise<Curves> } | undefined;
  return async () => {
    const hour = Math.floor((context.clock.now() - turnMs) / hourMs);
    if (kept?.hour !== hour) kept = { hour, curves: readCurves(context) };
    const { curves } = kept;
    curves.catch(() => {
      kept = undefined;
    });
    return curves;
  };
}

const hourMs = 3_600_000;
/** Marks are made in an hour's first minutes. */
const turnMs = 150_000;
