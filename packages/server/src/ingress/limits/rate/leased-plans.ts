import type { Plan } from '../../../domain/plan.ts';
import { type Clock, nextTurn, utcDayOf } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { QuotaGrant, QuotaRequest, Store } from '../../../store/port.ts';
import {
  chargeTokens,
  createAllowance,
  dropLeases,
  isLow,
  type LocalAllowance,
  owes,
  receive,
  release,
  requestFor,
  takeOne,
  usePlan,
} from './local-allowance.ts';
import type { PlanLimiter, PlanVerdict } from './plan-limiter.ts';

/** What is here of a key's plan, and the requests that wait for more. */
interface Key {
  readonly allowance: LocalAllowance;
  waiting: ((verdict: PlanVerdict) => void)[];
}

/** A request on its way to the store, and those that wait for what comes of it. */
interface Sent extends Key {
  readonly request: QuotaRequest;
  readonly plan: Plan;
}

/** Acquires quota of the plans that all replicas share. */
export type Acquire = NonNullable<Store['acquire']>;

/** What leases are made with. */
interface LeaseParts {
  readonly acquire: Acquire;
  /** The time by which the store grants; undefined where it has a clock of its own. */
  readonly now: () => number | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Plans over many replicas: each leases some of an API key's rate and quota from the store, and
 * lets requests through by itself. Together they never pass a plan: ADR 0020, 0038.
 */
export function createLeasedPlans(parts: LeaseParts): PlanLimiter {
  const { clock } = parts;
  // Fewer than there are keys.
  const keys = new Map<string, Key>();
  const wanting = new Set<Key>();
  let acquiring: Promise<void> | undefined;
  return {
    take(keyId, plan) {
      const key = keyOf(keyId, plan);
      const nowMs = clock.monotonic();
      const verdict = takeOne(key.allowance, nowMs, utcDayOf(clock.now()));
      if (verdict === undefined) {
        return new Promise((resolve) => {
          key.waiting.push(resolve);
          want(key);
        });
      }
      if (isLow(key.allowance, nowMs)) want(key);
      return verdict;
    },
    charge(keyId, plan, requests) {
      const key = keyOf(keyId, plan);
      chargeTokens(key.allowance, requests, clock.monotonic());
      if (owes(key.allowance, clock.monotonic())) want(key);
    },
    async stop() {
      await acquiring;
      await giveBack(
        parts,
        [...keys.values()].filter(({ allowance }) => allowance.dayTokens + allowance.returned > 0),
      );
    },
  };

  function keyOf(keyId: string, plan: Plan): Key {
    const known = keys.get(keyId) ?? { allowance: createAllowance(keyId, plan), waiting: [] };
    keys.set(keyId, known);
    usePlan(known.allowance, plan);
    return known;
  }

  function want(key: Key) {
    wanting.add(key);
    acquiring ??= acquireAll().finally(() => {
      acquiring = undefined;
    });
  }

  /** One statement at a time: what is wanted in the meantime is in the next one. */
  async function acquireAll() {
    await nextTurn();
    while (wanting.size > 0) {
      const sent = [...wanting].map((key) => send(key, clock.monotonic()));
      wanting.clear();
      await acquireFor(parts, sent, clock.monotonic());
    }
  }
}

async function acquireFor(parts: LeaseParts, sent: readonly Sent[], sentMs: number) {
  try {
    const requests = sent.map(({ request }) => request);
    const grants = await parts.acquire(requests, parts.now());
    const byKey = new Map(grants.map((grant) => [grant.keyId, grant]));
    for (const one of sent) answer(one, byKey.get(one.request.keyId), sentMs);
  } catch (error) {
    parts.log.warn({ error: String(error), keys: sent.length }, 'plans could not be asked');
    for (const { waiting } of sent)
      for (const tell of waiting) tell({ kind: 'unavailable', error });
  }
}

async function giveBack({ acquire, now, clock, log }: LeaseParts, unused: readonly Key[]) {
  if (unused.length === 0) return;
  for (const { allowance } of unused) release(allowance);
  const requests = unused.map((key) => send(key, clock.monotonic()).request);
  await acquire(requests, now()).catch((error: unknown) => {
    log.warn({ error: String(error) }, 'quota could not be given back to the other replicas');
  });
}

/** Those that come from now on wait for the next request. */
function send(key: Key, nowMs: number): Sent {
  const { allowance, waiting } = key;
  key.waiting = [];
  const request = requestFor(allowance, waiting.length, nowMs);
  return { allowance, waiting, request, plan: allowance.plan };
}

function answer(sent: Sent, grant: QuotaGrant | undefined, sentMs: number) {
  const { allowance, waiting, plan } = sent;
  const verdicts = grant && receive(allowance, grant, waiting.length, sentMs);
  // Its times are those of the plan that it was requested of.
  if (allowance.plan !== plan) dropLeases(allowance);
  for (const [index, tell] of waiting.entries()) tell(verdicts?.[index] ?? lost);
}

/** A store that leaves out what it was asked for is as good as away. */
const lost = {
  kind: 'unavailable',
  error: new Error('the store did not say what is left of the plan'),
} as const;
