import { nextUtcDayMs, utcDayOf } from '../../lib/clock.ts';
import { formatUsd } from '../../lib/money.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import type { CappedDay } from '../documents/apps.ts';
import { appRow, changeApp } from './apps.ts';

/**
 * The app keeps its own cap for later days; a change of its daily budget replaces this. Throws an
 * AdminError for an app without a budget, or one that no longer matches `expected`.
 */
export async function capToday(
  context: AdminContext,
  name: string,
  capPicoUsd: bigint,
  expected?: string,
): Promise<CappedDay> {
  const { dailyBudgetPicoUsd } = await appRow(context, name);
  if (dailyBudgetPicoUsd === undefined) {
    throw new AdminError(
      `the app ${name} has no daily budget that could be another one until midnight; give it one without --until`,
    );
  }
  const nowMs = context.clock.now();
  const day = utcDayOf(nowMs);
  const capUsd = formatUsd(capPicoUsd);
  const dailyBudgetUsd = formatUsd(dailyBudgetPicoUsd);
  await changeApp(context, name, expected, () => [
    { sql: sql.putCap, values: [name, day, capPicoUsd] },
    auditLine(context, {
      action: 'app.cap-today',
      subject: `${name} ${day}`,
      before: dailyBudgetUsd,
      after: capUsd,
    }),
  ]);
  const until = new Date(nextUtcDayMs(nowMs)).toISOString();
  return { app: name, day, capUsd, dailyBudgetUsd, until };
}
