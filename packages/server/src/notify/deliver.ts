import { alertTypes, type WebhookConfig, type WebhookFormat } from '../domain/notify.ts';
import { type Clock, sleep } from '../lib/clock.ts';
import { within } from '../lib/deadline.ts';
import type { Ids } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { createOneShot } from '../lib/one-shot.ts';
import type { AttemptResult, DueDelivery } from '../store/queries/alerts.ts';
import { type DisabledWebhooks, disabledReason } from './disabled-webhooks.ts';
import type { Alert } from './formats/words.ts';
import { bodyBytesMax, type Outbox } from './outbox.ts';
import { isSuccess, reasonOf, type Send, type Sent } from './send.ts';

export type FormatBody = (alert: Alert, format: WebhookFormat) => string;

export type DeliveryResult = 'delivered' | 'failed' | 'dead';

export interface DeliverParts {
  readonly outbox: Outbox;
  readonly webhooks: readonly WebhookConfig[];
  readonly disabledWebhooks: DisabledWebhooks;
  readonly send: Send;
  readonly formatBody: FormatBody;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'random'>;
  readonly log: Log;
  readonly mayDeliver: () => boolean;
  readonly count: (webhook: string, result: DeliveryResult) => void;
}

export interface Deliverer {
  /** Does not wait for the attempts; begins as many as the limits allow. */
  begin(waiting: readonly { readonly hook: string }[]): Promise<void>;
  /** Waits some seconds for running attempts; the next process does the rest. */
  stop(): Promise<void>;
}

/** `webhooksMax` times this is the maximum of concurrent attempts. */
const attemptsPerWebhook = 2;
const noteAgainMs = 5_000;
const stopMs = 2_000;

export function createDeliverer(parts: DeliverParts): Deliverer {
  const over = createOneShot();
  const aborting = new AbortController();
  const lanes = parts.webhooks.map((webhook) =>
    createLane(webhook, { ...parts, over, signal: aborting.signal }),
  );
  return {
    async begin(waiting) {
      const names = new Set(waiting.map(({ hook }) => hook));
      const dueLanes = lanes.filter(({ name }) => names.has(name));
      await Promise.all(dueLanes.map((lane) => lane.fill()));
    },
    async stop() {
      over.fire();
      const idle = Promise.all(lanes.map((lane) => lane.idle()));
      if (await within(parts.clock, stopMs, idle)) return;
      aborting.abort();
      await idle;
    },
  };
}

interface LaneParts extends DeliverParts {
  readonly over: ReturnType<typeof createOneShot>;
  readonly signal: AbortSignal;
}

function createLane(webhook: WebhookConfig, parts: LaneParts) {
  const { outbox, clock, log, over, mayDeliver } = parts;
  const running = new Map<string, Promise<void>>();
  /** A read of the store may still contain deliveries that have just ended. */
  const ended = new Set<string>();
  let filling: Promise<void> | undefined;
  return { name: webhook.name, fill, idle };

  async function idle() {
    await filling?.catch(() => undefined);
    await Promise.all(running.values());
  }

  function fill(): Promise<void> {
    filling ??= beginDue().finally(() => {
      filling = undefined;
    });
    return filling;
  }

  async function beginDue() {
    if (over.hasFired() || !mayDeliver() || running.size >= attemptsPerWebhook) return;
    ended.clear();
    const due = await outbox.due(webhook.name, clock.now(), attemptsPerWebhook + running.size);
    for (const each of due) {
      if (over.hasFired() || running.size >= attemptsPerWebhook) return;
      if (!running.has(each.id) && !ended.has(each.id)) begin(each);
    }
  }

  function begin(due: DueDelivery) {
    const end = () => {
      running.delete(due.id);
      ended.add(due.id);
    };
    const attempt = attemptOnce(webhook, due, parts).then(
      () => {
        end();
        void fill().catch(() => undefined);
      },
      (error: unknown) => {
        // No immediate retry: the next round retries.
        end();
        log.error(
          { hook: webhook.name, error: String(error) },
          'alert delivery failed unexpectedly; will retry',
        );
      },
    );
    running.set(due.id, attempt);
  }
}

async function attemptOnce(
  webhook: WebhookConfig,
  due: DueDelivery,
  parts: LaneParts,
): Promise<void> {
  const { disabledWebhooks, clock, send, formatBody, signal, log } = parts;
  if (disabledWebhooks.has(webhook)) return disabledWebhooks.giveUp(webhook);
  const alert = alertOf(due);
  if (alert === undefined) {
    return noteSurely(deadOf(due, 'event type is unknown to this version'), parts);
  }
  const body = formatBody(alert, webhook.format);
  const bytes = Buffer.byteLength(body);
  if (bytes > bodyBytesMax) {
    return noteSurely(deadOf(due, `body is too large: ${bytes} bytes`), parts);
  }
  const sent = await send(webhook, { id: due.id, body, signal });
  // The delivery is uncertain: the next process repeats it under the same id.
  if (signal.aborted) return;
  if (sent.kind === 'answered' && sent.status === 410) {
    log.warn({ hook: webhook.name }, `webhook turned off: ${disabledReason}`);
    parts.count(webhook.name, 'dead');
    return disabledWebhooks.add(webhook, clock.now());
  }
  return noteSurely(resultOf(due, sent, parts), parts);
}

/** Undefined for an event type that a later version raised. */
function alertOf({ id, subject, period, mark, at, body, type: storedType }: DueDelivery) {
  const type = alertTypes.find((known) => known === storedType);
  return type === undefined
    ? undefined
    : { id, type, subject, period, mark, at, data: JSON.parse(body) };
}

function resultOf(due: DueDelivery, sent: Sent, { clock, ids }: LaneParts): AttemptResult {
  const { id: event, hook } = due;
  const attempts = due.attempts + 1;
  const nextAt = clock.now();
  if (isSuccess(sent)) {
    return { event, hook, attempts, status: 'delivered', nextAt, lastError: undefined };
  }
  const lastError = reasonOf(sent);
  const retryAfterMs = sent.kind === 'answered' ? sent.retryAfterMs : undefined;
  const delayMs = retryDelayMs(attempts, ids.random(), retryAfterMs);
  if (delayMs === undefined) return deadOf(due, lastError);
  return { event, hook, attempts, status: 'waiting', nextAt: nextAt + delayMs, lastError };
}

function deadOf({ id, hook, attempts }: DueDelivery, lastError: string): AttemptResult {
  return { event: id, hook, attempts: attempts + 1, status: 'dead', nextAt: 0, lastError };
}

/** Retries until the store is available: an unrecorded attempt would be sent again. */
async function noteSurely(result: AttemptResult, parts: LaneParts): Promise<void> {
  const { outbox, clock, over, log, count } = parts;
  const { hook, event, status, attempts, lastError } = result;
  count(hook, status === 'waiting' ? 'failed' : status);
  if (status === 'dead') {
    log.warn({ hook, event, attempts, error: lastError }, 'alert delivery abandoned');
  } else if (status === 'waiting') {
    log.info({ hook, event, attempts, error: lastError }, 'alert delivery failed; will retry');
  }
  for (;;) {
    try {
      return await outbox.note(result);
    } catch (error) {
      if (!(await sleep(clock, noteAgainMs, over))) throw error;
    }
  }
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Times after the first attempt. Source: Standard Webhooks 1.0.0, "Retries". */
const attemptsAtMs = [
  ...[0, 5 * second, 5 * minute, 30 * minute, 2 * hour],
  ...[5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
];

const jitter = 0.1;

/** A longer `retry-after` counts as this. */
const retryAfterMaxMs = hour;

/** Undefined after the last attempt. At least `retry-after`, which counts for at most an hour. */
function retryDelayMs(failed: number, random: number, retryAfterMs = 0): number | undefined {
  const next = attemptsAtMs[failed];
  const last = attemptsAtMs[failed - 1];
  if (next === undefined || last === undefined) return undefined;
  const delayMs = (next - last) * (1 - jitter * random);
  return Math.round(Math.max(delayMs, Math.min(retryAfterMs, retryAfterMaxMs)));
}
