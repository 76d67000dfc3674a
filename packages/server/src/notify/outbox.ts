import type { WebhookConfig } from '../domain/notify.ts';
import type { Ids } from '../lib/id.ts';
import type { Store } from '../store/port/port.ts';
import * as sql from '../store/queries/alerts.ts';
import type { StoredAlert } from '../store/schema/alert-tables.ts';
import { type AlertEvent, subscribesTo } from './events.ts';

export interface Outbox {
  /**
   * Stores and returns events that are new by type, subject, period and mark, with a delivery for
   * each subscribed webhook. Throws a StoreError, possibly after storing some events.
   */
  raise(
    events: readonly AlertEvent[],
    webhooks: readonly WebhookConfig[],
  ): Promise<readonly AlertEvent[]>;
  due(webhook: string, nowMs: number, limit: number): Promise<readonly sql.DueDelivery[]>;
  /** No effect once another process has ended the delivery. */
  note(result: sql.AttemptResult): Promise<void>;
  waiting(): Promise<readonly sql.WaitingDeliveries[]>;
  /**
   * Deletes rows older than {@link retentionMs}, and abandons deliveries that no process attempts.
   */
  prune(nowMs: number): Promise<void>;
}

export const bodyBytesMax = 20_000;

/** Limits a transaction to a few milliseconds of the store's thread. */
const stepMax = 100;
const pruneMax = 500;

const dayMs = 86_400_000;

/** Longer than a month: a monthly event must not be sent twice in one. */
export const retentionMs = 35 * dayMs;

const abandonAfterMs = 2 * dayMs;

export function createOutbox({
  store,
  ids,
}: {
  readonly store: Pick<Store, 'read' | 'write'>;
  readonly ids: Pick<Ids, 'next'>;
}): Outbox {
  return {
    async raise(events, webhooks) {
      const raised: AlertEvent[] = [];
      // A fixed order prevents deadlocks: processes may raise the same events at once.
      const ordered = events.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
      for (let from = 0; from < ordered.length; from += stepMax) {
        raised.push(...(await raiseStep(ordered.slice(from, from + stepMax), webhooks)));
      }
      return raised;
    },
    due: (webhook, nowMs, limit) => store.read(sql.selectDue(webhook, nowMs, limit)),
    async note(result) {
      await store.write([sql.noteAttempt(result)]);
    },
    waiting: () => store.read(sql.selectWaiting),
    async prune(nowMs) {
      await store.write([sql.giveUpUnknown(nowMs - abandonAfterMs)]);
      for (let deleted = pruneMax; deleted === pruneMax; ) {
        [, deleted = 0] = await store.write(sql.pruneAlerts(nowMs - retentionMs, pruneMax));
      }
    },
  };

  async function raiseStep(events: readonly AlertEvent[], webhooks: readonly WebhookConfig[]) {
    const steps = events.map((event) => {
      const stored = storedOf(event, ids.next('evt'));
      const subscribers = webhooks.filter((webhook) => subscribesTo(webhook, event));
      const deliveries = subscribers.map(({ name }) => sql.addDelivery(stored, name));
      return { event, statements: [sql.raiseAlert(stored), ...deliveries] };
    });
    const counts = await store.write(steps.flatMap(({ statements }) => statements));
    let at = 0;
    return steps.flatMap(({ event, statements }) => {
      const isNew = counts[at] === 1;
      at += statements.length;
      return isNew ? [event] : [];
    });
  }
}

function orderOf({ type, subject, period, mark }: AlertEvent): string {
  return [type, subject, period, mark].join('\n');
}

function storedOf(
  { type, subject, period, mark, atMs, data }: AlertEvent,
  id: string,
): StoredAlert {
  const body = JSON.stringify(data);
  if (Buffer.byteLength(body) > bodyBytesMax) throw new Error(`${type} of ${subject} is too long`);
  return { id, type, subject, period, mark, at: atMs, body };
}
