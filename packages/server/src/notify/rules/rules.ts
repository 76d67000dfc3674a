import type { HookConfig } from '../../domain/notify.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store/port/port.ts';
import { forgetGoneCircuits } from '../../store/queries/circuits.ts';
import { putMarkAside } from '../../store/queries/told-alerts.ts';
import type { AlertEvent } from '../events.ts';
import type { Pseudonyms } from '../pseudonyms.ts';
import { type BudgetEvents, budgetEvents, type RaisedMark } from './budget-events.ts';
import { createUseReader, type LookedAt, periodsAt } from './budget-use.ts';
import { type Circuits, createCircuitReport, createOutageRules } from './circuits.ts';
import { closedEvents, keyEvents, priceEvents } from './due-things.ts';
import type { Mismatches } from './mismatches.ts';
import type { Refusals } from './refusals.ts';
import { readTold, type ToldEvents } from './told.ts';
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
  readonly mismatches: Mismatches;
  readonly pseudonyms: () => Promise<Pseudonyms>;
}

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

interface BudgetRules {
  events(periods: LookedAt, nowMs: number, monotonicMs: number): Promise<readonly AlertEvent[]>;
  /** Undefined before the first look. */
  told(): ToldEvents | undefined;
}

/** After so long without a look, another process's events may be missing. */
const keptMs = 12_000;

const stepMax = 100;

function createBudgetRules(
  store: Pick<Store, 'read' | 'write'>,
  marks: readonly number[],
): BudgetRules {
  let told: { readonly events: ToldEvents; readonly of: string } | undefined;
  let before: ReadonlyMap<string, bigint> = new Map();
  let lookedMs = 0;
  const readUses = createUseReader(store);
  return {
    told: () => told?.events,
    async events(periods, nowMs, monotonicMs) {
      if (monotonicMs - lookedMs > keptMs) {
        told = undefined;
        before = new Map();
      }
      const name = periods.map((each) => each?.day).join();
      if (told?.of !== name) told = { events: await readTold(store, periods), of: name };
      const uses = await readUses(periods);
      const decide = (events: ToldEvents): BudgetEvents =>
        budgetEvents(uses, { told: events, before, marks, nowMs });
      let found = decide(told.events);
      if (found.raised.length > 0) {
        // Another process may have told of them since: what is put aside is what the store has.
        told = { events: await readTold(store, periods), of: name };
        await putAside(store, told.events, decide(told.events).raised);
        found = decide(told.events);
      }
      before = new Map(uses.map((use) => [use.place, use.spentPicoUsd + use.heldPicoUsd] as const));
      lookedMs = monotonicMs;
      return found.events;
    },
  };
}

async function putAside(
  store: Pick<Store, 'write'>,
  told: ToldEvents,
  raised: readonly RaisedMark[],
) {
  for (let from = 0; from < raised.length; from += stepMax) {
    const step = raised.slice(from, from + stepMax);
    await store.write(
      step.flatMap(({ id, mark }) => (id === undefined ? [] : [putMarkAside(id, mark)])),
    );
    for (const { place, key } of step) told.forget(place, key);
  }
}
