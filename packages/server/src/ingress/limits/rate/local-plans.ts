import type { Plan } from '../../../domain/plan.ts';
import { type Clock, every, utcDayOf } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Store } from '../../../store/port/port.ts';
import { putPlanUse, selectPlanUses } from '../../../store/queries/plan-use.ts';
import type { PlanUse } from '../../../store/schema/service-tables.ts';
import {
  type AppRate,
  allowed,
  limitExceeded,
  owedBurstsMax,
  type PlanLimiter,
  type PlanVerdict,
} from './plan-limiter.ts';

const roundingMs = 1e-6;

/**
 * For one process: a bucket of `burst` tokens, initially full, refilled at `ratePerSecond`, and a
 * count per UTC day.
 */
export async function openLocalPlans(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<PlanLimiter> {
  const { clock } = parts;
  const uses = await openLocalUses(parts);
  return { take, charge, stop: uses.stop };

  function take(keyId: string, plan: Plan, app?: AppRate): PlanVerdict {
    const use = uses.get(keyId);
    const nowMs = clock.monotonic();
    const requestMs = 1_000 / plan.ratePerSecond;
    const debtMs = debtOf(use, plan, nowMs);
    const waitMs = debtMs - (plan.burst - 1) * requestMs;
    // Both are checked before either grants a token. The longer wait applies.
    const appWaitMs = app === undefined ? 0 : waitOf(app, nowMs);
    if (appWaitMs > Math.max(waitMs, roundingMs)) {
      return { kind: 'too-many', waitMs: appWaitMs, isOfApp: true };
    }
    if (waitMs > roundingMs) return { kind: 'too-many', waitMs };
    uses.changed(keyId);
    use.fullAtMs = nowMs + debtMs + requestMs;
    use.sinceMs = nowMs;
    use.owed = 0;
    const day = utcDayOf(clock.now());
    if (day !== use.day) {
      use.day = day;
      use.used = 0;
    }
    if (use.used >= plan.requestsPerDay) return limitExceeded;
    use.used += 1;
    if (app !== undefined) takeFromApp(app, nowMs);
    return allowed;
  }

  /** At most 0 if a token is available. */
  function waitOf({ id, plan }: AppRate, nowMs: number): number {
    const fullMs = ((plan.burst - 1) * 1_000) / plan.ratePerSecond;
    return debtOf(uses.get(id), plan, nowMs) - fullMs;
  }

  function takeFromApp({ id, plan }: AppRate, nowMs: number) {
    const use = uses.get(id);
    use.fullAtMs = nowMs + debtOf(use, plan, nowMs) + 1_000 / plan.ratePerSecond;
    use.sinceMs = nowMs;
    uses.changed(id);
  }

  function charge(keyId: string, plan: Plan, requests: number) {
    const use = uses.get(keyId);
    const nowMs = clock.monotonic();
    const requestMs = 1_000 / plan.ratePerSecond;
    const requestsOwed = debtOf(use, plan, nowMs) / requestMs + requests;
    const debt = Math.min(requestsOwed, plan.burst * (1 + owedBurstsMax));
    use.fullAtMs = nowMs + debt * requestMs;
    use.sinceMs = nowMs;
    use.owed = Math.max(0, debt - plan.burst);
    uses.changed(keyId);
  }
}

/** Milliseconds until the bucket is full. */
function debtOf(use: LocalUse, plan: Plan, nowMs: number): number {
  // A bucket lacks at most its capacity and the owed tokens. It seems to lack more if the rate
  // limit changed, or if the wall clock was set back. Then it must not reject until the recorded
  // time.
  const maxMs = ((plan.burst + use.owed) * 1_000) / plan.ratePerSecond;
  use.fullAtMs = Math.min(use.fullAtMs, use.sinceMs + maxMs);
  return Math.max(0, use.fullAtMs - nowMs);
}

interface LocalUse {
  /** Monotonic milliseconds, like `sinceMs`. */
  fullAtMs: number;
  /** When the last request was admitted, or this entry was read. */
  sinceMs: number;
  owed: number;
  day: string;
  used: number;
}

/** In memory; writes follow later. */
interface LocalUses {
  get(keyId: string): LocalUse;
  changed(keyId: string): void;
  /** Writes the rest. Never rejects. */
  stop(): Promise<void>;
}

/** The longest use that a crash can lose. ADR 0020. */
const writeMs = 1_000;

async function openLocalUses(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<LocalUses> {
  const { store, clock, log } = parts;
  const uses = await readUses(store, clock);
  const unwritten = new Set<string>();
  const onError = (error: unknown) =>
    log.error({ error: String(error) }, 'rate-limit usage could not be saved; will retry');
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
