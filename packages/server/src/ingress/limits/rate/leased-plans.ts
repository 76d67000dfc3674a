import type { Plan } from '../../../domain/plan.ts';
import { type Clock, nextTurn, utcDayOf } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { QuotaRequest, QuotaTime, Store } from '../../../store/port.ts';
import {
  chargeTokens,
  createAllowance,
  isLow,
  type LocalAllowance,
  owedAt,
  receive,
  requestFor,
  takeOne,
} from './local-allowance.ts';
import type { PlanLimiter, PlanVerdict } from './plan-limiter.ts';

/** Acquires quota of the plans that all replicas share. */
export type Acquire = NonNullable<Store['acquire']>;

/** What leases are made with. */
interface LeaseParts {
  readonly acquire: Acquire;
  /** The time by which the store grants; undefined where it has a clock of its own. */
  readonly time: () => QuotaTime | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Plans over many replicas: each leases some of an API key's rate and quota from the store, and
 * lets requests through by itself. Together they never pass a plan: ADR 0020, 0047.
 */
export function createLeasedPlans(parts: LeaseParts): PlanLimiter {
  const { clock } = parts;
  // Fewer than there are keys.
  const keys = new Map<string, LocalAllowance>();
  const wanting = new Set<LocalAllowance>();
  let acquiring: Promise<void> | undefined;
  return {
    take(keyId, plan) {
      const key = allowanceOf(keyId, plan);
      const nowMs = clock.monotonic();
      const verdict = takeOne(key, nowMs, utcDayOf(clock.now()));
      if (verdict === undefined) {
        return new Promise((resolve) => {
          key.waiting.push(resolve);
          want(key);
        });
      }
      if (isLow(key, nowMs)) want(key);
      return verdict;
    },
    charge(keyId, plan, requests) {
      const key = allowanceOf(keyId, plan);
      const nowMs = clock.monotonic();
      chargeTokens(key, requests, nowMs);
      if (owedAt(key, nowMs) > 0) want(key);
    },
    async stop() {
      await acquiring;
      await giveBack(parts, [...keys.values()]);
    },
  };

  function allowanceOf(keyId: string, plan: Plan): LocalAllowance {
    const known = keys.get(keyId);
    if (known?.plan === plan) return known;
    const key = createAllowance(keyId, plan, known);
    keys.set(keyId, key);
    return key;
  }

  function want(key: LocalAllowance) {
    wanting.add(key);
    acquiring ??= acquireAll().finally(() => {
      acquiring = undefined;
    });
  }

  /** One statement at a time: what is wanted in the meantime is in the next one. */
  async function acquireAll() {
    await nextTurn();
    while (wanting.size > 0) {
      const wanted = [...wanting];
      wanting.clear();
      await acquireFor(parts, wanted);
    }
  }
}

async function acquireFor({ acquire, time, clock, log }: LeaseParts, keys: LocalAllowance[]) {
  const sentMs = clock.monotonic();
  const sent = keys.map((key) => send(key, sentMs));
  try {
    const grants = await acquire(
      sent.map(({ request }) => request),
      time(),
    );
    const byKey = new Map(grants.map((grant) => [grant.keyId, grant]));
    for (const { key, waiting } of sent) {
      const grant = byKey.get(key.keyId);
      const verdicts = grant && receive(key, grant, waiting.length, sentMs);
      for (const [index, tell] of waiting.entries()) tell(verdicts?.[index] ?? lost);
    }
  } catch (error) {
    log.warn({ error: String(error), keys: sent.length }, 'plans could not be asked');
    for (const { waiting } of sent)
      for (const tell of waiting) tell({ kind: 'unavailable', error });
  }
}

/** Those that come from now on wait for the next request. */
function send(key: LocalAllowance, nowMs: number) {
  const { waiting } = key;
  key.waiting = [];
  return { key, waiting, request: requestFor(key, waiting.length, nowMs) };
}

async function giveBack({ acquire, time, log }: LeaseParts, keys: LocalAllowance[]) {
  const requests = keys.flatMap(({ keyId, plan, day, quota }): QuotaRequest[] =>
    quota === 0 ? [] : [{ keyId, ...plan, needed: 0, owed: 0, ahead: 0, day, returned: quota }],
  );
  if (requests.length === 0) return;
  await acquire(requests, time()).catch((error: unknown) => {
    log.warn({ error: String(error) }, 'quota could not be given back to the other replicas');
  });
}

/** A store that leaves out what it was asked for is as good as away. */
const lost: PlanVerdict = {
  kind: 'unavailable',
  error: new Error('the store did not say what is left of the plan'),
};
