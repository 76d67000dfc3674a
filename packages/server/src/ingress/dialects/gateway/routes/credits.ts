import { CallError } from '../../../../calls/model/call-error.ts';
import { type App, creditsIn } from '../../../../domain/registered-app.ts';
import type { Run } from '../../../../domain/run.ts';
import { creditsReport } from '../../../../ledger/credits-report.ts';
import { type Clock, utcMonthOf } from '../../../../lib/clock.ts';
import { isUserId, userIdRule } from '../../../../registry/user-id.ts';
import type { Store } from '../../../../store/port/port.ts';
import type { ReportHandler } from '../../../exchange/dialect.ts';
import { pathParameter } from '../../path-parameter.ts';

/** The current month. */
export function createCreditsRoute({
  store,
  clock,
}: {
  store: Store;
  clock: Clock;
}): ReportHandler {
  return { kind: 'report', report, isForRun };

  function isForRun({ userId }: Run, parameters: readonly string[]) {
    return userId !== undefined && pathParameter(parameters[0]) === userId;
  }

  async function report(app: App, parameters: readonly string[]) {
    const userId = pathParameter(parameters[0]);
    const nowMs = clock.now();
    const credits = creditsIn(app, utcMonthOf(nowMs));
    if (credits === undefined) {
      throw new CallError(
        'CREDITS_NOT_ENABLED',
        `The app ${app.name} does not meter credits, so its users have no wallets.`,
      );
    }
    if (!isUserId(userId)) throw new CallError('INVALID', `The userId in the path ${userIdRule}.`);
    return creditsReport(store, { app: app.name, userId, credits }, nowMs);
  }
}
