import type { Store } from '../../store/port/port.ts';
import { putMarkAside } from '../../store/queries/told-alerts.ts';
import type { AlertEvent } from '../events.ts';
import { type BudgetEvents, budgetEvents, type RaisedMark } from './budget-events.ts';
import { createUseReader, type LookedAt } from './budget-use.ts';
import { readTold, type ToldEvents } from './told.ts';

export interface BudgetRules {
  events(periods: LookedAt, nowMs: number, monotonicMs: number): Promise<readonly AlertEvent[]>;
  /** Undefined before the first look. */
  told(): ToldEvents | undefined;
}

/** After so long without a look, another process's events may be missing. */
const keptMs = 12_000;

const stepMax = 100;

export function createBudgetRules(
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
