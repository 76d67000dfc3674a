import type { MonthCorrection } from '../../books/month-correction.ts';
import type { Query } from '../port/port.ts';
import { usageCorrections } from '../schema/sum-tables.ts';

/** Corrections of these days' calls, or made on one of them. */
export function selectMonthCorrections({
  from,
  to,
  apps,
}: {
  readonly from: string;
  readonly to: string;
  /** Undefined: all apps. */
  readonly apps: readonly string[] | undefined;
}): Query<readonly MonthCorrection[]> {
  const among = (apps ?? []).map((_, index) => `$${index + 3}`);
  const ofApps = apps === undefined ? '' : `and app in (${among.join(', ')})`;
  return {
    sql: `
      select *
        from usage_correction
       where (day >= $1 and day <= $2 or made_day >= $1 and made_day <= $2) ${ofApps}
       order by made_day, day, app, model, platform`,
    values: [from, to, ...(apps ?? [])],
    isLong: true,
    map: (rows) => rows.map(usageCorrections.read),
  };
}
