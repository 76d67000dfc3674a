import type { HookConfig } from '../domain/notify.ts';
import { type Clock, every } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { createRareErrorWarning } from '../lib/rare-warning.ts';
import type { Store } from '../store/port.ts';
import type { WaitingDeliveries } from '../store/queries/alerts.ts';
import { createDeliverer, type DeliveryResult, type FormatBody } from './deliver.ts';
import type { AlertEvent } from './events.ts';
import { createGoneHooks } from './gone.ts';
import { createLease } from './lease.ts';
import { createOutbox } from './outbox.ts';
import type { Send } from './send.ts';

/** What decides which events there are. */
export interface Rules {
  /** What the store says, on the one process that delivers. */
  round(nowMs: number): Promise<readonly AlertEvent[]>;
  /** What this process alone knows, on every process. */
  local(nowMs: number): Promise<readonly AlertEvent[]>;
  /** These are in the store now, whether they were new or not. */
  raised(events: readonly AlertEvent[]): void;
}

/** What a notifier is made of. */
export interface NotifierParts {
  readonly store: Store;
  /** The store's time. */
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly instanceId: string;
  readonly hooks: readonly HookConfig[];
  readonly rules: Rules;
  readonly send: Send;
  readonly formatBody: FormatBody;
}

/** Watches the rules and brings events to their hooks, until it is stopped. */
export interface Notifier {
  /** Attempts of this process, by hook and result. */
  attempts(): ReadonlyMap<string, Readonly<Record<DeliveryResult, number>>>;
  /** What waits, by hook; empty on processes that do not deliver. */
  waiting(): readonly WaitingDeliveries[];
  /** Never rejects; what is not delivered by then is left to the next process. */
  stop(): Promise<void>;
}

const roundMs = 5_000;
const pruneMs = 600_000;

/** Starts a round at once, and one every five seconds. */
export function startNotifier(parts: NotifierParts): Notifier {
  const { store, clock, hooks, rules, instanceId: holder } = parts;
  const outbox = createOutbox(parts);
  const gone = createGoneHooks(store);
  const lease = createLease({ store, clock, name: 'notify', holder });
  const attempts = countsOf(hooks);
  const deliverer = createDeliverer({
    ...parts,
    ...{ outbox, gone, mayDeliver: lease.isHeld },
    count: (hook, result) => attempts.count(hook, result),
  });
  const warn = createRareErrorWarning(parts, 'alerts could not be looked after; it is tried again');
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
    // What the rules cannot find out keeps nothing from its hooks.
    await rules.local(clock.now()).then(raise).catch(warn);
    if (await lease.hold()) await deliver();
    else waiting = [];
  }

  async function deliver() {
    await rules.round(clock.now()).then(raise).catch(warn);
    await gone.refresh();
    waiting = await outbox.waiting();
    await deliverer.begin(waiting);
    if (clock.monotonic() < pruneAtMs) return;
    await outbox.prune(clock.now());
    pruneAtMs = clock.monotonic() + pruneMs;
  }

  async function raise(events: readonly AlertEvent[]) {
    if (events.length === 0) return;
    await outbox.raise(events, hooks);
    rules.raised(events);
  }
}

function countsOf(hooks: readonly HookConfig[]) {
  const none = () => ({ delivered: 0, failed: 0, dead: 0 });
  const counts = new Map(hooks.map(({ name }) => [name, none()]));
  return {
    all: () => counts,
    count(hook: string, result: DeliveryResult) {
      const ofHook = counts.get(hook);
      if (ofHook !== undefined) ofHook[result] += 1;
    },
  };
}
