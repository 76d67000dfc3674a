import { instanceDeadMs } from '../books/instance.ts';
import { type Clock, sleep } from '../lib/clock.ts';
import { firstCallIdAt, madeAt } from '../lib/id.ts';
import type { Store } from '../store/port/port.ts';
import { selectPruneHorizon } from '../store/sums/prune-calls.ts';
import {
  beginRollups,
  closeHours,
  type RollupState,
  rollUpStep,
  selectFirstHeldId,
  selectRollupState,
  selectRollupStep,
} from '../store/sums/rollups.ts';

/** `clock` is the store's clock. */
export interface RollupParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly schemaVersion?: number;
  readonly stepCalls?: number;
  readonly onStep?: (rolledUntilMs: number) => void;
  readonly isOver?: () => boolean;
}

export const rollupSchema = 28;

/** A call of 26 s, 60 s as a detached call, and as much again for a slow store. */
const closedAfterMs = 180_000;
const hourMs = 3_600_000;
/** Uses the database for a few milliseconds. */
const stepCallsMax = 500;
/** Ids come from the clocks of many processes, which may differ. */
const idSlackMs = 86_400_000;

/**
 * An hour closes 3 minutes after its end, once it has no open call. Each step is one transaction
 * with its watermark: interrupted or concurrent runs lose nothing and count nothing twice.
 */
export async function rollUp(parts: RollupParts): Promise<RollupState> {
  const { store, clock, stepCalls = stepCallsMax } = parts;
  let state = (await store.read(selectRollupState)) ?? (await begin(store));
  const until = await lastHour(store, clock.now() - closedAfterMs);
  if (state.closedUntil < until) state = await close(parts, until);
  while (state.rolledUntil < state.closedUntil && parts.isOver?.() !== true) {
    const { rolledUntil: after, closedUntil } = state;
    const range = { after, until: closedUntil };
    const next = (await store.read(selectRollupStep(range, stepCalls))) ?? closedUntil;
    const startedMs = clock.monotonic();
    const [moved] = await store.write(rollUpStep(after, next));
    state = moved === 0 ? await stateOf(store) : { closedUntil, rolledUntil: next };
    parts.onStep?.(madeAt(state.rolledUntil));
    // Leaves the database to the service for as long as the step used it.
    if (state.rolledUntil < closedUntil) await sleep(clock, clock.monotonic() - startedMs);
  }
  return state;
}

async function begin(store: Store): Promise<RollupState> {
  const horizon = await store.read(selectPruneHorizon);
  const pruned = horizon === undefined ? '' : firstCallIdAt(Date.parse(horizon) + idSlackMs);
  await store.write(beginRollups(pruned));
  return stateOf(store);
}

async function lastHour(store: Store, atMs: number): Promise<string> {
  const held = await store.read(selectFirstHeldId);
  const open = held === undefined ? atMs : Math.min(atMs, madeAt(held));
  return firstCallIdAt(Math.floor(open / hourMs) * hourMs);
}

async function close({ store, clock, schemaVersion = rollupSchema }: RollupParts, until: string) {
  const aliveSinceMs = clock.now() - instanceDeadMs;
  await store.write([closeHours(until, { schemaVersion, aliveSinceMs })]);
  return stateOf(store);
}

async function stateOf(store: Store): Promise<RollupState> {
  const state = await store.read(selectRollupState);
  if (state === undefined) throw new Error('the sums of calls have lost their mark');
  return state;
}
