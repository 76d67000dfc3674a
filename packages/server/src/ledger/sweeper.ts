import { instanceDeadMs } from '../books/instance.ts';
import { type Clock, every } from '../lib/clock.ts';
import { firstCallIdAt } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { type Store, StoreError } from '../store/port.ts';
import {
  forgetOthers,
  gone,
  heartbeatMs,
  mayRun,
  seen,
  selectIsNewer,
} from '../store/queries/instances.ts';
import { noteUse } from '../store/queries/key-use.ts';
import {
  selectHoldsOfNoOther,
  selectOverdueUnclaimed,
  selectStaleHolds,
} from '../store/queries/ledger.ts';
import { pruneStatements, pruneStepMax } from '../store/queries/prune-keys.ts';
import type { Ledger } from './ledger.ts';

/** Keeps this instance known as alive, and ends the holds that no instance will settle. */
export interface Sweeper {
  /** Ends stale holds now; answers how many. */
  sweep(): Promise<number>;
  /**
   * Whether the last heartbeat is in the store. One that failed, or that is so late that the others
   * take this process for dead, says that the store takes no writes.
   */
  heartbeatIsFresh(): boolean;
  /** Stops, and lets others end at once what this process still holds. Never rejects. */
  stop(): Promise<void>;
}

/** What a sweeper is made of. */
export interface SweeperParts {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly instanceId: string;
  readonly configHash: string;
  /** The newest schema that this process knows. */
  readonly schemaVersion: number;
  /**
   * True when no other process can have a hold: then every other instance that the store knows at
   * the start is gone, whatever the clock says, and its holds end at once.
   */
  readonly isFirstInstance: boolean;
  /**
   * True when every instance is a thread of this process, so that none ends without the others:
   * one that the store knows lives, and so do its holds, whatever the clock says.
   */
  readonly isOneProcess: boolean;
  /** Calls that began so long ago have ended, and mostly their idempotency keys with them. */
  readonly keysLiveMs: number;
  /** The time that idempotency keys live by. */
  readonly keyClock: Pick<Clock, 'now'>;
  /** Which keys were used: it is noted with the signs of life. */
  readonly keyUse?: UsedKeys | undefined;
}

/** Keys whose use is to be noted. */
export interface UsedKeys {
  due(nowMs: number): readonly string[];
  noted(keyIds: readonly string[], nowMs: number): void;
}

const sweepMs = 5_000;
const pruneMs = 10_000;
/** Steps of one prune: twice what a process at its limit makes in the meantime. */
const pruneStepsMax = 200;
/** Holds that one step ends: a sweep never blocks the queue for long. */
const stepMax = 256;

/**
 * Makes this instance known, and sweeps once before it serves. Throws a StoreError where the store
 * has meanwhile come to hold what this version knows nothing of.
 */
export async function startSweeper(parts: SweeperParts): Promise<Sweeper> {
  const { store, clock, log, instanceId } = parts;
  const heartbeat = createHeartbeat(clock);
  if (parts.isFirstInstance) await store.write([forgetOthers(instanceId)]);
  await beat();
  await checkSchema(parts);
  const first = await sweep();
  if (first > 0) log.warn({ holds: first }, 'holds of an earlier process were booked as estimated');
  const onError = (error: unknown) =>
    log.error({ error: String(error) }, 'upkeep did not go through');
  const beats = every(clock, heartbeatMs, beat, onError);
  const sweeps = every(clock, sweepMs, async () => void (await sweep()), onError);
  const prunes = every(clock, pruneMs, prune, onError);
  return {
    sweep,
    heartbeatIsFresh: heartbeat.isFresh,
    async stop() {
      await Promise.all([beats.stop(), sweeps.stop(), prunes.stop()]);
      // Without a store to say it in, the others find out after a while.
      await store.write([gone(instanceId)]).catch(onError);
    },
  };

  async function beat() {
    try {
      await store.clock?.measure();
      await sayAlive(parts);
      heartbeat.beat();
    } catch (error) {
      heartbeat.miss();
      throw error;
    }
  }

  async function sweep(): Promise<number> {
    await releaseUnclaimed(parts);
    let ended = 0;
    for (let after = ''; ; ) {
      const now = clock.now();
      const stale = await store.read(stalePage(parts, heartbeat, { now, after }));
      const mine = stale.filter(
        (hold) => hold.instanceId !== instanceId || !parts.ledger.isLive(hold.callId),
      );
      const outcomes = await Promise.all(mine.map((hold) => end(hold, now)));
      ended += outcomes.filter((kind) => kind === 'expired').length;
      const last = stale.at(-1);
      if (last === undefined || stale.length < stepMax) return ended;
      after = last.callId;
    }
  }

  async function prune() {
    const before = firstCallIdAt(clock.now() - parts.keysLiveMs);
    const statements = pruneStatements(before, parts.keyClock.now());
    for (let step = 0; step < pruneStepsMax; step++) {
      const [, answers = 0, , results = 0] = await store.write(statements);
      if (answers < pruneStepMax && results < pruneStepMax) return;
    }
  }

  async function end(hold: StaleHold, now: number) {
    const { callId, app, day, userId, month, keyHash } = hold;
    const ids = { callId, app, day, userId, month, keyHash };
    const { kind } = await parts.ledger.submit({ kind: 'expire', ...ids, now });
    return kind;
  }
}

/** Lets wallets have back what no retry has taken up in time, of any process. */
async function releaseUnclaimed({ store, ledger, keyClock }: SweeperParts) {
  for (let after = ''; ; ) {
    const now = keyClock.now();
    const overdue = await store.read(selectOverdueUnclaimed({ now, after, limit: stepMax }));
    await Promise.all(
      overdue.map(({ callId, app, day, userId, month }) =>
        ledger.submit({ kind: 'release', callId, app, day, userId, month, now }),
      ),
    );
    const last = overdue.at(-1);
    if (last === undefined || overdue.length < stepMax) return;
    after = last.callId;
  }
}

/**
 * Looks again whether this version may run on the store, now that it is seen there: who has made
 * the first budget or run since it was opened has not seen it, and who makes it later does.
 */
async function checkSchema({ store, instanceId, schemaVersion }: SweeperParts) {
  if (!(await store.read(selectIsNewer(schemaVersion)))) return;
  const [allowed] = await store.write([mayRun(schemaVersion)]);
  if (allowed !== 0) return;
  await store.write([gone(instanceId)]);
  throw new StoreError(
    `the store has come to hold what this model-gateway, which knows schema ${schemaVersion}, knows nothing of: run a newer one`,
  );
}

/** Holds that no instance but this one will settle, which knows the calls of its own that live. */
function stalePage(
  { isOneProcess, instanceId }: Pick<SweeperParts, 'isOneProcess' | 'instanceId'>,
  heartbeat: { isSteady(): boolean },
  { now, after }: { readonly now: number; readonly after: string },
) {
  const limit = stepMax;
  if (isOneProcess) return selectHoldsOfNoOther({ instanceId, after, limit });
  const instancesSince = heartbeat.isSteady() ? now - instanceDeadMs : 0;
  return selectStaleHolds({ now, instancesSince, after, limit });
}

/**
 * While the store was away no instance could write its heartbeat. One that has just found it again
 * takes no other for dead, until all have had the time to write theirs.
 */
function createHeartbeat(clock: Clock) {
  let lastMs = clock.monotonic();
  let steadyFromMs = lastMs;
  let isMissed = false;
  const silentMs = () => clock.monotonic() - lastMs;
  const isLate = () => silentMs() > instanceDeadMs / 2;
  return {
    beat() {
      if (isLate()) steadyFromMs = clock.monotonic() + instanceDeadMs;
      lastMs = clock.monotonic();
      isMissed = false;
    },
    miss() {
      isMissed = true;
    },
    isFresh: () => !isMissed && silentMs() < instanceDeadMs,
    isSteady: () => !isLate() && clock.monotonic() >= steadyFromMs,
  };
}

type StaleHold = ReturnType<ReturnType<typeof selectStaleHolds>['map']>[number];

/** The sign of life, and what else is noted now and then. */
async function sayAlive({ store, clock, keyUse, ...parts }: SweeperParts): Promise<void> {
  const now = clock.now();
  const used = keyUse?.due(now) ?? [];
  await store.write([seen({ ...parts, id: parts.instanceId, seenAt: now }), ...noteUse(used, now)]);
  keyUse?.noted(used, now);
}
