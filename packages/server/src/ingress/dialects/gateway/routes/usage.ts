import { usageReport } from '../../../../ledger/usage-report.ts';
import { type Clock, utcDayOf } from '../../../../lib/clock.ts';
import type { Store } from '../../../../store/port.ts';
import type { ReportHandler } from '../../dialect.ts';

/** `GET /v1/usage`: the caller's own usage of the UTC day. */
export function createUsageRoute({ store, clock }: { store: Store; clock: Clock }): ReportHandler {
  return {
    kind: 'report',
    report(app) {
      const today = utcDayOf(clock.now());
      return usageReport(store, app, { day: today, today });
    },
  };
}
