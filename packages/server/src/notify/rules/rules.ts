import type { HookConfig } from '../../domain/notify.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store/port/port.ts';
import { forgetGoneCircuits } from '../../store/queries/circuits.ts';
import type { AlertEvent } from '../events.ts';
import type { Pseudonyms } from '../pseudonyms.ts';
import { createBudgetRules } from './budget-rules.ts';
import { type LookedAt, periodsAt } from './budget-use.ts';
import { type Circuits, createCircuitReport, createOutageRules } from './circuits.ts';
import { closedEvents, keyEvents, priceEvents } from './due-things.ts';
import type { Mismatches } from './mismatches.ts';
import type { Refusals } from './refusals.ts';
import { createWalletDigests } from './wallet-digests.ts';

export interface Rules {
  /**
   * Every few seconds, on the one process that delivers. Events repeat until they are {@link
   * Rules.raised}. Throws a StoreError when the store is away.
   */
  round(nowMs: number): Promise<readonly AlertEvent[]>;
  /** Every few seconds, on every process: events known only to it. Throws as `round` does. */
  local(nowMs: number): Promise<readonly AlertEvent[]>;
  /** They are in the store now, new or not. */
  raised(events: readonly AlertEvent[]): void;
}

export interface RulesParts {
  readonly store: Pick<Store, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Of this process, as in its signs of life. */
  readonly instanceId: string;
  readonly hooks: readonly Pick<HookConfig, 'at' | 'events'>[];
  readonly circuits: Circuits;
  /** Must hear of this process's calls. */
  readonly refusals: Refusals;
  /** As with refusals. */
  readonly mismatches: Mismatches;
  /** Called when the first user is named. */
  readonly pseudonyms: () => Promise<Pseudonyms>;
}

/** For facts that change slowly. */
const slowMs = 60_000;

export function createRules(parts: RulesParts): Rules {
  const { store, clock, refusals, mismatches } = parts;
  const reportCircuits = createCircuitReport(store, parts.circuits, parts.instanceId);
  const budgets = createBudgetRules(store, marksOf(parts.hooks));
  const outages = createOutageRules(store);
  const slow = createSlowRules(parts);
  const wallets = parts.hooks.some(({ events }) => events.includes('wallet.low'))
    ? createWalletDigests(store, parts.pseudonyms)
    : undefined;
  return {
    async round(nowMs) {
      const periods = periodsAt(nowMs);
      const found = [
        await budgets.events(periods, nowMs, clock.monotonic()),
        await slow.events(periods, nowMs),
        await outages.events(nowMs, clock.monotonic()),
        (await wallets?.events(nowMs)) ?? [],
      ];
      return found.flat().filter((event) => budgets.told()?.has(event) !== true);
    },
    async local(nowMs) {
      await reportCircuits(nowMs);
      return [...(await refusals.events(store, nowMs)), ...mismatches.events(nowMs)];
    },
    raised(events) {
      for (const event of events) {
        budgets.told()?.add(event);
        outages.told(event);
        if (event.type === 'wallet.low') wallets?.told(event);
        if (event.type === 'budget.refused') refusals.told(event);
        if (event.type === 'price.mismatch' || event.type === 'platform.account')
          mismatches.told(event);
      }
    },
  };
}

/** The smallest first. */
function marksOf(hooks: RulesParts['hooks']): readonly number[] {
  return [...new Set(hooks.flatMap(({ at }) => at))].toSorted((a, b) => a - b);
}

/** Repeats its events until the next look; other code knows which were sent. */
function createSlowRules({ store, clock }: Pick<RulesParts, 'store' | 'clock'>) {
  let lookedMs: number | undefined;
  let found: readonly AlertEvent[] = [];
  return {
    async events(periods: LookedAt, nowMs: number): Promise<readonly AlertEvent[]> {
      const monotonicMs = clock.monotonic();
      if (lookedMs !== undefined && monotonicMs - lookedMs < slowMs) return found;
      const [closed, keys, prices] = await Promise.all([
        closedEvents(store, nowMs),
        keyEvents(store, nowMs),
        priceEvents(store, periods, nowMs),
      ]);
      await store.write([forgetGoneCircuits]);
      found = [...closed, ...keys, ...prices];
      lookedMs = monotonicMs;
      return found;
    },
  };
}
