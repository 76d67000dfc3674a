import type { Plan } from '../../../domain/plan.ts';
import { type Clock, nextTurn, utcDayOf } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { createRareWarning } from '../../../lib/rare-warning.ts';
import type { QuotaRequest, QuotaTime, Store } from '../../../store/port/port.ts';
import {
  chargeTokens,
  createAllowance,
  isLow,
  knownRefusal,
  type LocalAllowance,
  owedAt,
  putBack,
  receive,
  refusedWith,
  requestFor,
  type TimeOfRequest,
  type TokenResult,
  takeOne,
} from './local-allowance.ts';
import { longerRefusal, ofAppRate, type PlanLimiter, type PlanVerdict } from './plan-limiter.ts';

export type Acquire = NonNullable<Store['acquire']>;

interface LeaseParts {
  readonly acquire: Acquire;
  /** Time for grants; undefined if the store has its own clock. */
  readonly time: () => QuotaTime | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Each replica leases rate and quota per API key and admits locally. Together the replicas never
 * exceed a rate limit. ADR 0020, 0047.
 */
export function createLeasedPlans(parts: LeaseParts): PlanLimiter {
  const { clock } = parts;
  const warn = createRareWarning(parts, 'rate limits could not be read from the store');
  // At most one entry per key.
  const keys = new Map<string, LocalAllowance>();
  const pending = new Set<LocalAllowance>();
  let acquiring: Promise<void> | undefined;
  return {
    take(keyId, plan, app) {
      const key = allowanceOf(keyId, plan);
      if (app !== undefined) {
        const ofApp = allowanceOf(app.id, app.plan);
        const now = timeNow();
        const refusal = longerRefusal(knownRefusal(key, now), knownRefusal(ofApp, now));
        return refusal ?? takeBoth(takeFrom, key, ofApp);
      }
      const result = takeFrom(key);
      return result instanceof Promise ? result.then(({ verdict }) => verdict) : result.verdict;
    },
    charge(keyId, plan, requests) {
      const key = allowanceOf(keyId, plan);
      const nowMs = clock.monotonic();
      chargeTokens(key, requests, nowMs);
      if (owedAt(key, nowMs) > 0) requestGrant(key);
    },
    async stop() {
      await acquiring;
      await returnUnused(parts, [...keys.values()]);
    },
  };

  function takeFrom(allowance: LocalAllowance): TokenResult | Promise<TokenResult> {
    const now = timeNow();
    const result = takeOne(allowance, now);
    if (result === undefined) {
      return new Promise((resolve) => {
        allowance.waiting.push(resolve);
        requestGrant(allowance);
      });
    }
    if (isLow(allowance, now.ms)) requestGrant(allowance);
    return result;
  }

  function timeNow(): TimeOfRequest {
    return { ms: clock.monotonic(), day: utcDayOf(clock.now()) };
  }

  function allowanceOf(keyId: string, plan: Plan): LocalAllowance {
    const known = keys.get(keyId);
    if (known !== undefined && isSamePlan(known.plan, plan)) return known;
    const key = createAllowance(keyId, plan, known);
    keys.set(keyId, key);
    return key;
  }

  function requestGrant(key: LocalAllowance) {
    pending.add(key);
    acquiring ??= acquireAll().finally(() => {
      acquiring = undefined;
    });
  }

  /** One statement at a time; the next one includes later requests. */
  async function acquireAll() {
    await nextTurn();
    while (pending.size > 0) {
      const batch = [...pending];
      pending.clear();
      await acquireFor({ ...parts, warn }, batch);
    }
  }
}

/**
 * The app's rate first: its rejection takes nothing of the key's rate limit on any replica. If the
 * key's limit rejects, the app's token returns.
 */
function takeBoth(
  takeFrom: (allowance: LocalAllowance) => TokenResult | Promise<TokenResult>,
  key: LocalAllowance,
  ofApp: LocalAllowance,
): PlanVerdict | Promise<PlanVerdict> {
  const first = takeFrom(ofApp);
  return first instanceof Promise ? first.then(takeOfKey) : takeOfKey(first);

  function takeOfKey(token: TokenResult): PlanVerdict | Promise<PlanVerdict> {
    if (token.verdict.kind !== 'allowed') return ofAppRate(token.verdict);
    const result = takeFrom(key);
    return result instanceof Promise
      ? result.then((known) => decide(token, known))
      : decide(token, result);
  }

  function decide(token: TokenResult, { verdict }: TokenResult): PlanVerdict {
    if (verdict.kind !== 'allowed') putBack(ofApp, token);
    return verdict;
  }
}

/** Compares values, because a reloaded registry has new objects. */
function isSamePlan(one: Plan, other: Plan): boolean {
  if (one === other) return true;
  return (
    one.ratePerSecond === other.ratePerSecond &&
    one.burst === other.burst &&
    one.requestsPerDay === other.requestsPerDay
  );
}

async function acquireFor(
  { acquire, time, clock, warn }: LeaseParts & { readonly warn: (fields: object) => void },
  keys: LocalAllowance[],
) {
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
      const result = grant && receive(key, grant, waiting.length, sentMs);
      for (const [index, resolve] of waiting.entries()) resolve(result?.[index] ?? missingGrant);
    }
  } catch (error) {
    warn({ error: String(error), keys: sent.length });
    for (const { waiting } of sent)
      for (const resolve of waiting) resolve(refusedWith({ kind: 'unavailable', error }));
  }
}

function send(key: LocalAllowance, nowMs: number) {
  const { waiting } = key;
  key.waiting = [];
  return { key, waiting, request: requestFor(key, waiting.length, nowMs) };
}

async function returnUnused({ acquire, time, log }: LeaseParts, keys: LocalAllowance[]) {
  const requests = keys.flatMap(({ keyId, plan, day, quota }): QuotaRequest[] =>
    quota === 0 ? [] : [{ keyId, ...plan, needed: 0, owed: 0, ahead: 0, day, returned: quota }],
  );
  if (requests.length === 0) return;
  await acquire(requests, time()).catch((error: unknown) => {
    log.warn({ error: String(error) }, 'unused quota could not be returned to the store');
  });
}

/** A store that omits a requested key counts as unavailable. */
const missingGrant = refusedWith({
  kind: 'unavailable',
  error: new Error('the store returned no rate-limit state for this key'),
});
