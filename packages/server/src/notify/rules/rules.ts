import type { HookConfig } from '../../domain/notify.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store/port.ts';
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

/** What decides of which things operators are told. */
export interface Rules {
  /**
   * Every few seconds on the one process that tells: what is to be told now, by the store. What it
   * answers is answered again until it is {@link Rules.raised}. Throws a StoreError when the store
   * is away.
   */
  round(nowMs: number): Promise<readonly AlertEvent[]>;
  /** Every few seconds on every process: what no other knows. Throws as `round` does. */
  local(nowMs: number): Promise<readonly AlertEvent[]>;
  /** These are in the store now, be they new or not. */
  raised(events: readonly AlertEvent[]): void;
}

/** What rules are made of. */
export interface RulesParts {
  readonly store: Pick<Store, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Of this process, as its signs of life name it. */
  readonly instanceId: string;
  readonly hooks: readonly Pick<HookConfig, 'at' | 'events'>[];
  readonly circuits: Circuits;
  /** Its observer hears of this process's calls. */
  readonly refusals: Refusals;
  /** As with refusals. */
  readonly mismatches: Mismatches;
  /** How bodies name users; asked for when the first is named. */
  readonly pseudonyms: () => Promise<Pseudonyms>;
}

/** How often it is looked at what changes slowly. */
const slowMs = 60_000;

/** Rules that know nothing yet: what was told is read of the store. */
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

/** The shares that some hook is told of, the smallest first. */
function marksOf(hooks: RulesParts['hooks']): readonly number[] {
  return [...new Set(hooks.flatMap(({ at }) => at))].toSorted((a, b) => a - b);
}

/** What is answered again until the next look; that it was told is known beside. */
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
