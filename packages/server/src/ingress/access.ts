import { CallError } from '../calls/model/call-error.ts';
import type { RequestLog } from '../calls/model/request-log.ts';
import type { Runs } from '../calls/runs/runs.ts';
import type { Limits } from '../domain/limits.ts';
import type { Plan, Plans } from '../domain/plan.ts';
import { isRunKey } from '../registry/key-format.ts';
import type { Registry } from '../registry/registry.ts';
import { credentialOf, keyRejectionOf } from './credential.ts';
import {
  type Caller,
  type CallerLookup,
  callerInRun,
  callerOf,
  callerOfRun,
  runIdHeader,
} from './exchange/caller.ts';
import type { Dialect } from './exchange/dialect.ts';
import { full, limited, type Refusal, refused } from './exchange/refusal.ts';
import type { IncomingRequest } from './exchange/request.ts';
import type { Bodies } from './limits/bodies.ts';
import type { ConcurrencyLimiter, RequestPermit } from './limits/concurrency.ts';
import type { ProcessorShares } from './limits/processor-shares.ts';
import { appRateOf, type PlanLimiter, type PlanVerdict } from './limits/rate/plan-limiter.ts';
import { rejectKey, rejectRun } from './reject-key.ts';

/** Checks before the body is read: key, permit, rate limit. Contract, section 2. */
export interface Access {
  /**
   * Takes the permit. Asynchronous only for a run, which may need the store; then rejects with a
   * StoreError while the store is unavailable.
   */
  authorize(request: AccessRequest, log: RequestLog): Entry | Promise<Entry>;
  chargeRefused(
    owner: { readonly caller: Caller; readonly plans: Plans },
    body: { readonly bytes: number; readonly values: number },
  ): void;
}

export type Entry = Refusal | Authorized;

export interface AccessRequest {
  readonly request: IncomingRequest;
  readonly dialect: Dialect;
  readonly plans: Plans;
}

export interface Authorized {
  readonly kind: 'authorized';
  readonly caller: Caller;
  readonly permit: RequestPermit;
  readonly refusal: Promise<Refusal | undefined> | undefined;
}

export interface AccessParts {
  readonly registry: Registry;
  readonly runs: Pick<Runs, 'ofKey' | 'ofApp'>;
  readonly processor: Pick<ProcessorShares, 'delayMsFor'>;
  readonly concurrency: ConcurrencyLimiter;
  readonly bodies: Pick<Bodies, 'isFull'>;
  readonly limiter: PlanLimiter;
  readonly limits: Limits;
}

/** Counted before a body arrives, unless it announces less: this much can arrive at once. */
const firstBytesMax = 65_536;

export function createAccess(parts: AccessParts): Access {
  const { registry, runs, processor, concurrency, bodies, limiter, limits } = parts;
  const refusedBodies = createRefusedBodies(limiter);
  return {
    authorize,
    chargeRefused: ({ caller, plans }, { bytes, values }) =>
      refusedBodies.add(caller.key.lineage, planOf(caller, plans), bytes, values),
  };

  function authorize(accessRequest: AccessRequest, log: RequestLog) {
    const { request, dialect } = accessRequest;
    const keyText = credentialOf(request, dialect);
    const runId = request.header(runIdHeader);
    const known = callerOf(keyText, registry);
    const isOfRun = known === undefined && keyText !== undefined && isRunKey(keyText);
    if (known === undefined && !isOfRun) {
      return rejectKey(keyRejectionOf(request, dialect, registry), dialect, log);
    }
    if (known !== undefined && runId === undefined) return admit(accessRequest, known, log);
    const caller = isOfRun ? callerOfRun(keyText, registry, runs) : known;
    return authorizeInRun(accessRequest, caller, { runId, log });
  }

  /** Searches for the run only after the key's rate limit paid for the request. */
  async function authorizeInRun(
    accessRequest: AccessRequest,
    lookup: CallerLookup | Promise<CallerLookup>,
    { runId, log }: { readonly runId: string | undefined; readonly log: RequestLog },
  ): Promise<Entry> {
    const caller = await lookup;
    if (caller === 'busy') return full;
    if (caller === undefined) return rejectRun(log);
    const entry = admit(accessRequest, caller, log);
    if (runId === undefined || !('permit' in entry)) return entry;
    let inRun: CallerLookup;
    try {
      inRun = await callerInRun(entry.caller, runId, runs);
    } finally {
      if (typeof inRun !== 'object') entry.permit.release();
    }
    if (typeof inRun === 'object') return { ...entry, caller: inRun };
    return inRun === 'busy' ? full : rejectRun(log);
  }

  function admit({ request, plans }: AccessRequest, caller: Caller, log: RequestLog): Entry {
    const { key, customer } = caller;
    log.keyId = key.id;
    // Set early: log and metrics of rejections then have the app.
    if (customer !== undefined) log.app = customer.name;
    const app = key.customerId;
    const { announcedBytes = 0 } = request;
    // Unannounced bodies count as they arrive. Too long ones are not stored.
    const bytes = announcedBytes > limits.bodyBytes ? 0 : Math.min(announcedBytes, firstBytesMax);
    const plan = planOf(caller, plans);
    const waitMs = processor.delayMsFor(app);
    if (waitMs > 0) return limited(log, 'processor', waitMs / 1_000);
    if (concurrency.isFull(app, bytes)) return limited(log, 'in-flight');
    if (request.announcedBytes !== 0 && bodies.isFull(key.id)) return limited(log, 'slow-bodies');
    const rate = customer?.ratePerSecond;
    const ofApp = rate === undefined ? undefined : appRateOf(app, rate);
    const verdict = limiter.take(key.lineage, plan, ofApp);
    const isLater = verdict instanceof Promise;
    const early = isLater || verdict.kind === 'allowed' ? undefined : refusalOf(verdict, log);
    if (early !== undefined) return early;
    const permit = concurrency.acquire(app, bytes);
    if (permit === undefined) return limited(log, 'in-flight');
    const refusal = isLater ? verdict.then((known) => refusalOf(known, log)) : undefined;
    return { kind: 'authorized', caller, permit, refusal };
  }
}

/** Keys with an unconventional name or customer get a user's rate limit. */
function planOf({ key: { parsed }, customer, isConventional }: Caller, plans: Plans): Plan {
  if (parsed === undefined || !isConventional) return plans.user;
  return customer?.plans[parsed.role] ?? plans[parsed.role];
}

function refusalOf(verdict: PlanVerdict, log: RequestLog): Refusal | undefined {
  switch (verdict.kind) {
    case 'allowed':
      return undefined;
    case 'too-many':
      if (verdict.isOfApp === true) return limited(log, 'app-rate', verdict.waitMs / 1_000);
      return refused('TOO_MANY_REQUESTS', verdict.waitMs / 1_000);
    case 'limit-exceeded':
      return refused('LIMIT_EXCEEDED');
    case 'unavailable':
      return storeAway(verdict.error, log);
  }
}

function storeAway(cause: unknown, log: RequestLog): CallError {
  log.code = 'INTERNAL';
  log.cause = String(cause);
  const message =
    'The request was not sent because rate limits are temporarily unavailable; try again in a moment.';
  return new CallError('INTERNAL', message, { retryAfterSeconds: 1, cause });
}

interface RefusedBodies {
  add(keyId: string, plan: Plan, bytes: number, values: number): void;
}

/** A key pays one request of its rate for each of these amounts, whichever total is higher. */
const chargedBytes = 1_048_576;
const chargedValues = 20_000;

/**
 * Rejections cost reading and parsing but no money. So the key's rate pays, never its daily quota.
 * Fractions add up. ADR 0030, 0111.
 */
export function createRefusedBodies(limiter: Pick<PlanLimiter, 'charge'>): RefusedBodies {
  // At most one entry per key.
  const rests = new Map<string, number>();
  return {
    add(keyId, plan, bytes, values) {
      // Whole numbers: one request equals `chargedBytes * chargedValues` parts.
      const parts = Math.max(bytes * chargedValues, values * chargedBytes);
      const all = (rests.get(keyId) ?? 0) + parts;
      const requests = Math.floor(all / (chargedBytes * chargedValues));
      rests.set(keyId, all - requests * chargedBytes * chargedValues);
      if (requests > 0) limiter.charge(keyId, plan, requests);
    },
  };
}
