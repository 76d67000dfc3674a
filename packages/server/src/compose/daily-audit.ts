import type { Catalog } from '../catalog/catalog.ts';
import type { WebhookConfig } from '../domain/notify.ts';
import { every } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createLease } from '../notify/lease.ts';
import { createOutbox } from '../notify/outbox.ts';
import type { AdminContext } from '../operations/context/context.ts';
import { auditDay, wasAuditedSince } from '../operations/health/daily-audit.ts';

const dayMs = 86_400_000;
const checkIntervalMs = 60_000;
const holdMs = 5_000;

/**
 * One replica audits once a day and notifies the webhooks of problems. The next process catches up
 * on a missed audit. Does nothing without a configured time.
 */
export function startDailyAudit(
  admin: AdminContext,
  parts: {
    readonly audit: { readonly dailyAtMs: number } | undefined;
    readonly webhooks: readonly WebhookConfig[];
    readonly catalog: Catalog;
    readonly log: Log;
  },
): { stop(): Promise<void> } | undefined {
  const { audit, webhooks, catalog, log } = parts;
  if (audit === undefined) return undefined;
  const { store, clock, ids, actor } = admin;
  const lease = createLease({ store, clock, name: 'daily audit', holder: actor });
  const outbox = createOutbox({ store, ids });
  let doneMs = 0;
  return every(clock, checkIntervalMs, auditIfDue, (error) =>
    log.error({ error: String(error) }, 'daily audit did not complete; will retry'),
  );

  async function auditIfDue() {
    const nowMs = clock.now();
    const dueMs = lastDueMs(nowMs, audit?.dailyAtMs ?? 0);
    if (doneMs >= dueMs || !(await lease.hold())) return;
    const holding = every(clock, holdMs, async () => void (await lease.hold()), ignore);
    try {
      if (!(await wasAuditedSince(admin, dueMs))) await run();
      doneMs = dueMs;
    } finally {
      await holding.stop();
      await lease.leave();
    }
  }

  async function run() {
    const { broken, events } = await auditDay(admin, catalog);
    if (broken.length > 0) {
      log.error({ rules: broken }, 'daily audit found broken rules; run "model-gateway audit"');
    } else log.info({}, 'daily audit passed');
    await outbox.raise(events, webhooks);
  }
}

function ignore() {
  // A process that takes the lost lease repeats the audit, so its audit line may appear twice.
}

function lastDueMs(nowMs: number, dailyAtMs: number): number {
  return Math.floor((nowMs - dailyAtMs) / dayMs) * dayMs + dailyAtMs;
}
