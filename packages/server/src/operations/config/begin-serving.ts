import type { AppConfig } from '../../domain/app.ts';
import type { Log } from '../../lib/log.ts';
import { selectApps } from '../../store/queries/registry.ts';
import { planFile } from '../apps/file-plan.ts';
import type { AdminContext } from '../context/context.ts';
import { bookLostCalls } from '../days/days.ts';
import { openedBy, recordRestore } from '../restores/restores.ts';

/**
 * A store older than the one last served has lost billed calls, and its budgets would allow their
 * amounts again. So the budgets are closed. The apps must already match the configuration. ADR 0027
 * and 0080.
 */
export async function beginServing(context: AdminContext, log: Log): Promise<void> {
  const { epochs } = context.store;
  if (epochs === undefined) return;
  const origin = await epochs.readOrigin();
  if (origin === 'older') await closeLost(context, log);
  if (origin === 'missing') log.warn({}, `the .epoch file of the store was missing; ${unsure}`);
  if (origin === 'foreign') log.warn({}, `the .epoch file belonged to another store; ${unsure}`);
  // Must come last: after a failed startup, the next one must still detect the loss.
  await epochs.begin(context.ids.next('store'));
}

const unsure =
  'a new file is written, and lost calls cannot be detected. If the store was restored from a backup, close its budgets with "model-gateway days close --all"';

async function closeLost(context: AdminContext, log: Log) {
  const all = { app: undefined, day: undefined, picoUsd: undefined };
  const others = await recordRestore(context, { isAlone: true });
  const closed = await bookLostCalls(context, all);
  for (const { app, day, bookedUsd, callId } of closed) {
    log.error(
      { app, day, bookedUsd, callId },
      `store is older than the one last served here; calls of ${app} might be lost, so the rest of its daily budget was booked as spent. To undo: "model-gateway days reopen ${app}". To book the billed amount: "calls correct ${callId} --usd X"`,
    );
  }
  if (others.count > 0) {
    log.error(
      { closedBudgets: others.count },
      `store was restored and calls might be lost, so budgets are closed: ${others.names}; ${openedBy}`,
    );
  }
  if (closed.length + others.count > 0) return;
  const line =
    'store is older than the one last served here, and calls might be lost; no app has a budget to close';
  log.error({}, line);
}

/**
 * Startup with this file would create, change or miss these apps. A command's changes do not count.
 */
export async function findAppsUnlikeFile(
  { store, company }: Pick<AdminContext, 'store' | 'company'>,
  declared: readonly AppConfig[],
): Promise<readonly string[]> {
  const planned = planFile(declared, await store.read(selectApps(company)), []);
  return planned
    .filter((app) => {
      if (app.kind === 'change') return app.differences.length > 0;
      return app.kind === 'create' || (app.kind === 'unused' && app.row.isEnabled);
    })
    .map(({ name }) => name);
}
