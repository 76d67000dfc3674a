import { usageReport } from '../../../../ledger/usage-report.ts';
import { type Clock, utcDayOf } from '../../../../lib/clock.ts';
import type { Store } from '../../../../store/port.ts';
import { ok, type Route } from './route.ts';

/** `GET /v1/usage`: the caller's own usage of the UTC day. */
export function createUsageRoute({ store, clock }: { store: Store; clock: Clock }): Route {
  return async ({ app }) => {
    const today = utcDayOf(clock.now());
    return ok(await usageReport(store, app, { day: today, today }));
  };
}
