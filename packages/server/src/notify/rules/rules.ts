import type { WebhookConfig } from '../../domain/notify.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store/port/port.ts';
import { deleteGoneCircuits } from '../../store/queries/circuits.ts';
import { releaseMark } from '../../store/queries/sent-alerts.ts';
import type { AlertEvent } from '../events.ts';
import type { Pseudonyms } from '../pseudonyms.ts';
import { type BudgetEvents, budgetEvents, type RaisedMark } from './budget-events.ts';
import { type CheckedPeriods, createUseReader, periodsAt } from './budget-use.ts';
import { type Circuits, createCircuitReport, createOutageRules } from './circuits.ts';
import { closedEvents, keyEvents, priceEvents } from './due-things.ts';
import type { Mismatches } from './mismatches.ts';
import type { Refusals } from './refusals.ts';
import { readSentEvents, type SentEvents } from './sent-events.ts';
import { createWalletDigests } from './wallet-digests.ts';

export interface Rules {
  /**
   * Runs every few seconds, on the one process that delivers. Events repeat until
   * {@link Rules.markRaised}. Throws a StoreError when the store is unavailable.
   */
  round(nowMs: number): Promise<readonly AlertEvent[]>;
  /**
   * Runs every few seconds on every process; returns only events that it has seen. Throws as
   * `round` does.
   */
  local(nowMs: number): Promise<readonly AlertEvent[]>;
  /** The store now has these events, new or not. */
  markRaised(events: readonly AlertEvent[]): void;
}

export interface RulesParts {
  readonly store: Pick<Store, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** This process's id, as in its heartbeats. */
  readonly instanceId: string;
  readonly webhooks: readonly Pick<WebhookConfig, 'at' | 'events'>[];
  readonly circuits: Circuits;
  /** Must observe this process's calls. */
  readonly refusals: Refusals;
  readonly mismatches: Mismatches;
  readonly pseudonyms: () => Promise<Pseudonyms>;
}

const slowMs = 60_000;

export function createRules(parts: RulesParts): Rules {
  const { store, clock, refusals, mismatches } = parts;
  const reportCircuits = createCircuitReport(store, parts.circuits, parts.instanceId);
  const budgets = createBudgetRules(store, marksOf(parts.webhooks));
  const outages = createOutageRules(store);
  const slow = createSlowRules(parts);
  const wallets = parts.webhooks.some(({ events }) => events.includes('wallet.low'))
    ? createWalletDigests(store, parts.pseudonyms)
    : undefined;
  return {
    async round(nowMs) {
      const periods = periodsAt(nowMs);
      const candidates = [
        await budgets.events(periods, nowMs, clock.monotonic()),
        await slow.events(periods, nowMs),
        await outages.events(nowMs, clock.monotonic()),
        (await wallets?.events(nowMs)) ?? [],
      ];
      return candidates.flat().filter((event) => budgets.sentEvents()?.has(event) !== true);
    },
    async local(nowMs) {
      await reportCircuits(nowMs);
      return [...(await refusals.events(store, nowMs)), ...mismatches.events(nowMs)];
    },
    markRaised(events) {
      for (const event of events) {
        budgets.sentEvents()?.add(event);
        outages.markSent(event);
        if (event.type === 'wallet.low') wallets?.markSent(event);
        if (event.type === 'budget.refused') refusals.markSent(event);
        if (event.type === 'price.mismatch' || event.type === 'platform.account')
          mismatches.markSent(event);
      }
    },
  };
}

function marksOf(webhooks: RulesParts['webhooks']): readonly number[] {
  return [...new Set(webhooks.flatMap(({ at }) => at))].toSorted((a, b) => a - b);
}

/** Repeats its events until the next check; other code filters those already sent. */
function createSlowRules({ store, clock }: Pick<RulesParts, 'store' | 'clock'>) {
  let checkedAtMs: number | undefined;
  let lastEvents: readonly AlertEvent[] = [];
  return {
    async events(periods: CheckedPeriods, nowMs: number): Promise<readonly AlertEvent[]> {
      const monotonicMs = clock.monotonic();
      if (checkedAtMs !== undefined && monotonicMs - checkedAtMs < slowMs) return lastEvents;
      const [closed, keys, prices] = await Promise.all([
        closedEvents(store, nowMs),
        keyEvents(store, nowMs),
        priceEvents(store, periods, nowMs),
      ]);
      await store.write([deleteGoneCircuits]);
      lastEvents = [...closed, ...keys, ...prices];
      checkedAtMs = monotonicMs;
      return lastEvents;
    },
  };
}

interface BudgetRules {
  events(
    periods: CheckedPeriods,
    nowMs: number,
    monotonicMs: number,
  ): Promise<readonly AlertEvent[]>;
  /** Undefined before the first check. */
  sentEvents(): SentEvents | undefined;
}

/** After a longer gap between checks, another process's events may be missing. */
const checkGapMaxMs = 12_000;

const stepMax = 100;

function createBudgetRules(
  store: Pick<Store, 'read' | 'write'>,
  marks: readonly number[],
): BudgetRules {
  let sent: { readonly events: SentEvents; readonly of: string } | undefined;
  let before: ReadonlyMap<string, bigint> = new Map();
  let checkedAtMs = 0;
  const readUses = createUseReader(store);
  return {
    sentEvents: () => sent?.events,
    async events(periods, nowMs, monotonicMs) {
      if (monotonicMs - checkedAtMs > checkGapMaxMs) {
        sent = undefined;
        before = new Map();
      }
      const name = periods.map((each) => each?.day).join();
      if (sent?.of !== name) sent = { events: await readSentEvents(store, periods), of: name };
      const uses = await readUses(periods);
      const decide = (events: SentEvents): BudgetEvents =>
        budgetEvents(uses, { sent: events, before, marks, nowMs });
      let decision = decide(sent.events);
      if (decision.raised.length > 0) {
        // Another process may have sent events since, so only marks that the store has are
        // released.
        sent = { events: await readSentEvents(store, periods), of: name };
        await releaseMarks(store, sent.events, decide(sent.events).raised);
        decision = decide(sent.events);
      }
      before = new Map(
        uses.map((use) => [use.budgetKey, use.spentPicoUsd + use.heldPicoUsd] as const),
      );
      checkedAtMs = monotonicMs;
      return decision.events;
    },
  };
}

async function releaseMarks(
  store: Pick<Store, 'write'>,
  sent: SentEvents,
  raised: readonly RaisedMark[],
) {
  for (let from = 0; from < raised.length; from += stepMax) {
    const step = raised.slice(from, from + stepMax);
    await store.write(
      step.flatMap(({ id, mark }) => (id === undefined ? [] : [releaseMark(id, mark)])),
    );
    for (const { budgetKey, key } of step) sent.remove(budgetKey, key);
  }
}
