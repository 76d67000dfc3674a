import { utcDayOf } from '../../lib/clock.ts';
import { selectMarkSums } from '../../store/queries/usage-marks.ts';
import type { AdminContext } from '../context.ts';
import { type Curve, daysLike } from './pace.ts';

/** How days like today went, by app. */
export interface Curves {
  of(app: string): Curve;
  /** What days they are. */
  readonly like: string;
}

/** Reads how the days before went that are like today: a few hundred numbers an app. */
export async function readCurves({ store, clock }: AdminContext): Promise<Curves> {
  const { days, like } = daysLike(Date.parse(utcDayOf(clock.now())));
  const sums = await store.readAside(selectMarkSums(days));
  const byApp = Map.groupBy(sums, ({ app }) => app);
  return { of: (app) => byApp.get(app) ?? [], like };
}
/** The same, read anew once an hour, and by one reader for all. */
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
/** Marks are made in the first minutes of an hour. */
const turnMs = 150_000;
