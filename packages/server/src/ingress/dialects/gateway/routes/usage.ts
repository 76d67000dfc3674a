import { scopesReport } from '../../../../ledger/scopes-report.ts';
import { usageReport } from '../../../../ledger/usage-report.ts';
import { type Clock, utcDayOf } from '../../../../lib/clock.ts';
import type { Registry } from '../../../../registry/registry.ts';
import type { Store } from '../../../../store/port/port.ts';
import type { ReportHandler } from '../../../exchange/dialect.ts';

/** The current UTC day. */
export function createUsageRoute(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly registry: Registry;
}): ReportHandler {
  const { store, clock } = parts;
  return {
    kind: 'report',
    async report(app) {
      const today = utcDayOf(clock.now());
      const reported = { day: today, today };
      const [usage, scopes] = await Promise.all([
        usageReport(store, app, reported),
        scopesReport(parts, app.name, reported),
      ]);
      return scopes.length === 0 ? usage : { ...usage, scopes };
    },
  };
}
