import type { WebhookConfig } from '../../../src/domain/notify.ts';
import { createIds } from '../../../src/lib/id.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { AlertEvent } from '../../../src/notify/events.ts';
import { type NotifierParts, startNotifier } from '../../../src/notify/notifier.ts';
import type { Message, Sent } from '../../../src/notify/send.ts';
import type { Store } from '../../../src/store/port/port.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';
import { watchStore } from '../../support/watched-store.ts';

/** A response with a status, and nothing else. */
export function answered(status: number): Sent {
  return { kind: 'answered', status, retryAfterMs: undefined, words: '' };
}

/** An attempt as its receiver sees it. */
export interface Attempt {
  readonly webhook: string;
  readonly id: string;
  readonly body: string;
  readonly atMs: number;
}

/** An event to send; each name occurs once. */
export function event(name: string, more: Partial<AlertEvent> = {}): AlertEvent {
  return {
    ...{ type: 'price.unknown', subject: `model:${name}`, period: '2026-11-21', mark: '' },
    ...{ atMs: Date.UTC(2026, 10, 21, 12), data: { model: name } },
    ...more,
  };
}

/** The parts of a process that notifies, for a test. */
export interface ProcessParts extends Partial<NotifierParts> {
  readonly store: Store;
  readonly webhooks: readonly WebhookConfig[];
  /** The finding of the rules in every round until it is raised. */
  readonly ruleEvents?: readonly AlertEvent[];
  /** The webhooks' response; the default is 204. */
  readonly answer?: (attempt: Attempt, message: Message) => Sent | Promise<Sent>;
  readonly startMs?: number;
}

/** A process that notifies, with its own clock: a process whose clock is frozen was killed. */
export function startProcess({ ruleEvents = [], answer, startMs, ...parts }: ProcessParts) {
  const store = watchStore(parts.store);
  const clock: TestClock = createTestClock({ ...(startMs && { startMs }), pending: store.pending });
  const attempts: Attempt[] = [];
  const pending = new Set(ruleEvents);
  const notifier = startNotifier({
    ...{ clock, ids: createIds(clock), log: silentLog, instanceId: 'instance_1' },
    formatBody: ({ type, subject }) => JSON.stringify({ type, subject }),
    rules: {
      round: async () => [...pending],
      local: async () => [],
      markRaised: (events) => {
        for (const each of events) pending.delete(each);
      },
    },
    async send(webhook, message) {
      const attempt = {
        webhook: webhook.name,
        id: message.id,
        body: message.body,
        atMs: clock.now(),
      };
      attempts.push(attempt);
      return answer?.(attempt, message) ?? answered(204);
    },
    ...parts,
    store,
  });
  return { clock, attempts, notifier };
}
