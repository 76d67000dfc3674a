import type { WebhookConfig } from '../domain/notify.ts';
import { type Clock, every } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { createRareErrorWarning } from '../lib/rare-warning.ts';
import type { Store } from '../store/port/port.ts';
import type { WaitingDeliveries } from '../store/queries/alerts.ts';
import { createDeliverer, type DeliveryResult, type FormatBody } from './deliver.ts';
import { createDisabledWebhooks } from './disabled-webhooks.ts';
import type { AlertEvent } from './events.ts';
import { createLease } from './lease.ts';
import { createOutbox } from './outbox.ts';
import type { Send } from './send.ts';

export interface Rules {
  /** Events from the store, only on the process that delivers. */
  round(nowMs: number): Promise<readonly AlertEvent[]>;
  /** Events that only this process has seen; runs on every process. */
  local(nowMs: number): Promise<readonly AlertEvent[]>;
  /** The store now has these events, new or not. */
  markRaised(events: readonly AlertEvent[]): void;
}

export interface NotifierParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly instanceId: string;
  readonly webhooks: readonly WebhookConfig[];
  readonly rules: Rules;
  readonly send: Send;
  readonly formatBody: FormatBody;
}

export interface Notifier {
  attempts(): ReadonlyMap<string, Readonly<Record<DeliveryResult, number>>>;
  /** Deliveries by webhook; empty on processes that do not deliver. */
  waiting(): readonly WaitingDeliveries[];
  /** Never rejects; the next process delivers the rest. */
  stop(): Promise<void>;
}

const roundMs = 5_000;
const pruneMs = 600_000;

/** Runs one round at once, and one every 5 s. */
export function startNotifier(parts: NotifierParts): Notifier {
  const { store, clock, webhooks, rules, instanceId: holder } = parts;
  const outbox = createOutbox(parts);
  const disabledWebhooks = createDisabledWebhooks(store);
  const lease = createLease({ store, clock, name: 'notify', holder });
  const attempts = countsOf(webhooks);
  const deliverer = createDeliverer({
    ...parts,
    ...{ outbox, disabledWebhooks, mayDeliver: lease.isHeld },
    count: (webhook, result) => attempts.count(webhook, result),
  });
  const warn = createRareErrorWarning(parts, 'alert processing failed; will retry');
  let waiting: readonly WaitingDeliveries[] = [];
  let pruneAtMs = 0;
  const first = round().catch(warn);
  const rounds = every(clock, roundMs, () => first.then(round), warn);
  return {
    attempts: attempts.all,
    waiting: () => waiting,
    async stop() {
      await Promise.all([first, rounds.stop()]);
      await deliverer.stop();
      await lease.leave().catch(warn);
    },
  };

  async function round() {
    // A failure of the local rules must not block other deliveries.
    await rules.local(clock.now()).then(raise).catch(warn);
    if (await lease.hold()) await deliver();
    else waiting = [];
  }

  async function deliver() {
    await rules.round(clock.now()).then(raise).catch(warn);
    await disabledWebhooks.refresh();
    waiting = await outbox.waiting();
    await deliverer.begin(waiting);
    if (clock.monotonic() < pruneAtMs) return;
    await outbox.prune(clock.now());
    pruneAtMs = clock.monotonic() + pruneMs;
  }

  async function raise(events: readonly AlertEvent[]) {
    if (events.length === 0) return;
    await outbox.raise(events, webhooks);
    rules.markRaised(events);
  }
}

function countsOf(webhooks: readonly WebhookConfig[]) {
  const none = () => ({ delivered: 0, failed: 0, dead: 0 });
  const counts = new Map(webhooks.map(({ name }) => [name, none()]));
  return {
    all: () => counts,
    count(webhook: string, result: DeliveryResult) {
      const webhookCounts = counts.get(webhook);
      if (webhookCounts !== undefined) webhookCounts[result] += 1;
    },
  };
}
