import { type Clock, every } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Store } from '../../../store/port.ts';
import { putPlanUse, selectPlanUses } from '../../../store/queries/plan-use.ts';
import type { PlanUse } from '../../../store/service-tables.ts';

/** What a key has used: the moment at which its bucket is full again, and a day's requests. */
export interface LocalUse {
  /** By the clock that never goes back, as the next. */
  fullAtMs: number;
  /** When a request was last taken, or this was read. */
  sinceMs: number;
  /** Above what an empty bucket lacks: of a charge. */
  owed: number;
  day: string;
  used: number;
}

/** What keys have used, in memory; what changes is written behind. */
export interface LocalUses {
  /** A key's use; a new one where there is none. */
  get(keyId: string): LocalUse;
  /** Says that a key's use has changed. */
  changed(keyId: string): void;
  /** Writes what is not written yet. Never rejects. */
  stop(): Promise<void>;
}

/** What a crash may forget, at most. ADR 0020. */
const writeMs = 1_000;

/** Reads what was used before, and writes from now on what is used. */
export async function openLocalUses(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<LocalUses> {
  const { store, clock, log } = parts;
  const uses = await readUses(store, clock);
  const unwritten = new Set<string>();
  const onError = (error: unknown) =>
    log.error({ error: String(error) }, 'the use of plans could not be written');
  const writing = every(clock, writeMs, write, onError);
  return {
    get(keyId) {
      const known = uses.get(keyId);
      if (known !== undefined) return known;
      const use = { fullAtMs: 0, sinceMs: 0, owed: 0, day: '', used: 0 };
      uses.set(keyId, use);
      return use;
    },
    changed: (keyId) => void unwritten.add(keyId),
    async stop() {
      await writing.stop();
      await write().catch(onError);
    },
  };

  async function write() {
    const keyIds = [...unwritten];
    if (keyIds.length === 0) return;
    unwritten.clear();
    const wallMs = clock.now() - clock.monotonic();
    const statements = keyIds.flatMap((keyId) => {
      const use = uses.get(keyId);
      return use === undefined ? [] : [putPlanUse(planUseOf(keyId, use, wallMs))];
    });
    try {
      await store.write(statements);
    } catch (error) {
      for (const keyId of keyIds) unwritten.add(keyId);
      throw error;
    }
  }
}

async function readUses(store: Store, clock: Clock): Promise<Map<string, LocalUse>> {
  const sinceMs = clock.monotonic();
  const aheadMs = sinceMs - clock.now();
  const stored = await store.read(selectPlanUses);
  return new Map(
    stored.map(({ keyId, fullAt, day, used }): [string, LocalUse] => [
      keyId,
      { fullAtMs: fullAt / 1_000 + aheadMs, sinceMs, owed: 0, day, used },
    ]),
  );
}

function planUseOf(keyId: string, { fullAtMs, day, used }: LocalUse, wallMs: number): PlanUse {
  return { keyId, fullAt: Math.max(0, Math.ceil((fullAtMs + wallMs) * 1_000)), day, used };
}
