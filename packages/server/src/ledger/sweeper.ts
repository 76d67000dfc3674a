import { instanceDeadMs } from '../books/instance.ts';
import { type Clock, every } from '../lib/clock.ts';
import { firstCallIdAt } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { type Store, StoreError } from '../store/port/port.ts';
import {
  deleteInstance,
  deleteOtherInstances,
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

/** Also sends this instance's heartbeats. */
export interface Sweeper {
  sweep(): Promise<number>;
  /**
   * False: the last heartbeat failed, or is so late that others treat this process as dead. The
   * store accepts no writes.
   */
  heartbeatIsFresh(): boolean;
  /** Others may then end this process's reservations at once. Never rejects. */
  stop(): Promise<void>;
}

export interface SweeperParts {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly instanceId: string;
  readonly configHash: string;
  readonly schemaVersion: number;
  /**
   * No other process can have a reservation: every other recorded instance is dead, whatever the
   * clock, and its reservations end at once.
   */
  readonly isFirstInstance: boolean;
  /**
   * Every instance is a thread of this process: all are alive, and so are their reservations,
   * whatever the clock.
   */
  readonly isOneProcess: boolean;
  /** Older calls have ended, and usually their idempotency keys have expired. */
  readonly keysLiveMs: number;
  readonly keyClock: Pick<Clock, 'now'>;
  readonly keyUse?: UsedKeys | undefined;
}

export interface UsedKeys {
  due(nowMs: number): readonly string[];
  noted(keyIds: readonly string[], nowMs: number): void;
}

const sweepMs = 5_000;
const pruneMs = 10_000;
/** Steps per prune: twice the number that a process at its limit creates between two prunes. */
const pruneStepsMax = 200;
/** Reservations per step, so a sweep never blocks the queue for long. */
const stepMax = 256;

/**
 * Sweeps once before serving. Throws a StoreError if the store now contains data that this version
 * cannot read.
 */
export async function startSweeper(parts: SweeperParts): Promise<Sweeper> {
  const { store, clock, log, instanceId } = parts;
  const heartbeat = createHeartbeat(clock);
  if (parts.isFirstInstance) await store.write([deleteOtherInstances(instanceId)]);
  await sendHeartbeat();
  await checkSchema(parts);
  const first = await sweep();
  if (first > 0)
    log.warn({ holds: first }, 'reservations of an earlier process were booked as estimated');
  const onError = (error: unknown) =>
    log.error({ error: String(error) }, 'heartbeat or cleanup of the ledger failed; will retry');
  const heartbeats = every(clock, heartbeatMs, sendHeartbeat, onError);
  const sweeps = every(clock, sweepMs, async () => void (await sweep()), onError);
  const prunes = every(clock, pruneMs, prune, onError);
  return {
    sweep,
    heartbeatIsFresh: heartbeat.isFresh,
    async stop() {
      await Promise.all([heartbeats.stop(), sweeps.stop(), prunes.stop()]);
      // If the store is unavailable, the others notice the missing heartbeats later.
      await store.write([deleteInstance(instanceId)]).catch(onError);
    },
  };

  async function sendHeartbeat() {
    try {
      await store.clock?.measure();
      await writeHeartbeat(parts);
      heartbeat.succeed();
    } catch (error) {
      heartbeat.fail();
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
 * Runs once this instance is visible. The first budget or run may have been created before; later
 * creators see this instance.
 */
async function checkSchema({ store, instanceId, schemaVersion }: SweeperParts) {
  if (!(await store.read(selectIsNewer(schemaVersion)))) return;
  const [allowed] = await store.write([mayRun(schemaVersion)]);
  if (allowed !== 0) return;
  await store.write([deleteInstance(instanceId)]);
  throw new StoreError(
    `the store now contains data that needs a newer schema than ${schemaVersion}; run a newer model-gateway`,
  );
}

/** Reservations that no other instance will settle; this instance checks its own live calls. */
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
 * While the store was unavailable, no instance wrote its heartbeat. Afterwards, none counts as dead
 * until all have had time to write.
 */
function createHeartbeat(clock: Clock) {
  let lastMs = clock.monotonic();
  let steadyFromMs = lastMs;
  let isMissed = false;
  const silentMs = () => clock.monotonic() - lastMs;
  const isOverdue = () => silentMs() > instanceDeadMs / 2;
  return {
    succeed() {
      if (isOverdue()) steadyFromMs = clock.monotonic() + instanceDeadMs;
      lastMs = clock.monotonic();
      isMissed = false;
    },
    fail() {
      isMissed = true;
    },
    isFresh: () => !isMissed && silentMs() < instanceDeadMs,
    isSteady: () => !isOverdue() && clock.monotonic() >= steadyFromMs,
  };
}

type StaleHold = ReturnType<ReturnType<typeof selectStaleHolds>['map']>[number];

async function writeHeartbeat({ store, clock, keyUse, ...parts }: SweeperParts): Promise<void> {
  const now = clock.now();
  const used = keyUse?.due(now) ?? [];
  await store.write([seen({ ...parts, id: parts.instanceId, seenAt: now }), ...noteUse(used, now)]);
  keyUse?.noted(used, now);
}
