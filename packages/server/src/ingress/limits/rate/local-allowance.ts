import type { Plan } from '../../../domain/plan.ts';
import type { QuotaGrant, QuotaRequest } from '../../../store/port.ts';
import { allowed, limitExceeded, owedBurstsMax, type PlanVerdict } from './plan-limiter.ts';

/** What a process may let through of one key's plan without asking the store. */
export interface LocalAllowance {
  readonly keyId: string;
  plan: Plan;
  leases: Lease[];
  /** Tokens of the rate that were there when the last ones came. */
  leasedTokens: number;
  /** The UTC day of the quota that is here, how much of it, and how much when the last came. */
  day: string;
  dayTokens: number;
  leasedDayTokens: number;
  isDayUsedUp: boolean;
  /** Quota that is not needed any more. */
  returned: number;
  /** Until then the bucket is known to be empty. */
  emptyUntilMs: number;
  requestedAtMs: number;
  /** Tokens that a charge takes of those to come, unless the bucket is full without it before. */
  owed: number;
  owedUntilMs: number;
}

/**
 * Leased tokens of the rate, as the piece of time in which the bucket refills what they took. Each
 * is used no later than its own part of it begins. Pieces never overlap, on no replica, and end
 * before an empty bucket would be full: so in any window no more is used than the plan allows.
 */
interface Lease {
  nextMs: number;
  readonly endMs: number;
}

/** For so long a key in use has tokens ahead; what is not used by then goes back by itself. */
const aheadMs = 250;
/** A key whose last request to the store is longer ago gets nothing ahead. */
const inUseMs = 500;
/** More is requested ahead no more often than this. */
const requestMsMin = 20;
/** An empty bucket is asked again when it has what comes in this time, or half a burst. */
const refillMs = 20;
/** Far below the time of one token, and far above what sums of fractions lose. */
const roundingMs = 1e-6;

/** Nothing is leased yet. */
export function createAllowance(keyId: string, plan: Plan): LocalAllowance {
  return {
    ...{ keyId, plan, leases: [], leasedTokens: 0 },
    ...{ day: '', dayTokens: 0, leasedDayTokens: 0, isDayUsedUp: false, returned: 0 },
    ...{ emptyUntilMs: 0, requestedAtMs: Number.NEGATIVE_INFINITY, owed: 0, owedUntilMs: 0 },
  };
}

/** The verdict on one request; undefined when the store must be asked. */
export function takeOne(
  allowance: LocalAllowance,
  nowMs: number,
  day: string,
): PlanVerdict | undefined {
  payOwed(allowance, nowMs);
  const lease = firstLease(allowance, nowMs);
  if (lease === undefined) {
    const waitMs = allowance.emptyUntilMs - nowMs;
    return waitMs > 0 ? { kind: 'too-many', waitMs } : undefined;
  }
  const hasQuota = allowance.dayTokens > 0;
  if (allowance.day !== day || !(hasQuota || allowance.isDayUsedUp)) return undefined;
  lease.nextMs += tokenMs(allowance.plan);
  if (!hasQuota) return limitExceeded;
  allowance.dayTokens -= 1;
  return allowed;
}

/** Takes so many tokens that no request uses: from what is here, else from what comes. */
export function chargeTokens(allowance: LocalAllowance, tokens: number, nowMs: number): void {
  const { plan } = allowance;
  const owed = owes(allowance, nowMs) ? allowance.owed : 0;
  allowance.owed = Math.min(owed + tokens, plan.burst * owedBurstsMax);
  // By then a bucket that had lacked so much would be full again.
  allowance.owedUntilMs = nowMs + (allowance.owed + plan.burst) * tokenMs(plan);
  payOwed(allowance, nowMs);
}

/** Whether some of a charge is still to be taken. */
export function owes({ owed, owedUntilMs }: LocalAllowance, nowMs: number): boolean {
  return owed > 0 && nowMs < owedUntilMs;
}

/** True when more is better requested before a request waits for it. */
export function isLow(allowance: LocalAllowance, nowMs: number): boolean {
  const { requestedAtMs, emptyUntilMs, leasedTokens, dayTokens, leasedDayTokens } = allowance;
  if (nowMs - requestedAtMs < requestMsMin || nowMs < emptyUntilMs) return false;
  return tokensLeft(allowance, nowMs) * 2 < leasedTokens || dayTokens * 2 < leasedDayTokens;
}

/** What to request of the store for so many that wait, and ahead for a key in use. */
export function requestFor(
  allowance: LocalAllowance,
  waiting: number,
  nowMs: number,
): QuotaRequest {
  const { keyId, plan, day } = allowance;
  const isInUse = nowMs - allowance.requestedAtMs < inUseMs;
  const ahead = isInUse ? Math.min(plan.burst, Math.floor(aheadMs / tokenMs(plan))) : 0;
  if (!owes(allowance, nowMs)) allowance.owed = 0;
  allowance.requestedAtMs = nowMs;
  const returned = { day, tokens: allowance.returned };
  allowance.returned = 0;
  return {
    ...{ keyId, ...plan, returned },
    needed: waiting + allowance.owed,
    ahead: Math.max(0, ahead - tokensLeft(allowance, nowMs)),
    dayNeeded: waiting,
    dayAhead: Math.max(0, ahead - allowance.dayTokens),
    dayHeld: allowance.dayTokens,
  };
}

/** Takes what was granted, and answers the verdicts on those that waited for it. */
export function receive(
  allowance: LocalAllowance,
  grant: QuotaGrant,
  waiting: number,
  sentMs: number,
): readonly PlanVerdict[] {
  const paid = Math.min(allowance.owed, grant.tokens);
  allowance.owed -= paid;
  const served = Math.min(waiting, grant.tokens - paid);
  const waitMs = lease(allowance, grant, paid + served, sentMs);
  if (served < waiting || allowance.owed > 0) {
    const { burst } = allowance.plan;
    const requestMs = tokenMs(allowance.plan);
    const gatherMs = Math.min(refillMs, (burst * requestMs) / 2) - requestMs;
    allowance.emptyUntilMs = sentMs + waitMs + Math.max(0, gatherMs);
  }
  if (grant.day !== allowance.day) allowance.dayTokens = 0;
  allowance.day = grant.day;
  allowance.dayTokens += grant.dayTokens;
  const verdicts = Array.from({ length: waiting }, (_, index): PlanVerdict => {
    if (index >= served) return { kind: 'too-many', waitMs: Math.max(0, waitMs) };
    if (allowance.dayTokens === 0) return limitExceeded;
    allowance.dayTokens -= 1;
    return allowed;
  });
  allowance.leasedDayTokens = allowance.dayTokens;
  if (waiting > 0 || grant.dayTokens > 0) allowance.isDayUsedUp = verdicts.includes(limitExceeded);
  return verdicts;
}

/** From now on the allowance is of this plan. */
export function usePlan(allowance: LocalAllowance, plan: Plan): void {
  if (isSame(allowance.plan, plan)) return;
  allowance.plan = plan;
  dropLeases(allowance);
}

/** What was leased of another plan is lost for the rate, and given back to the day. */
export function dropLeases(allowance: LocalAllowance): void {
  allowance.leases = [];
  allowance.emptyUntilMs = 0;
  release(allowance);
}

/** Gives the day's quota back with the next request to the store. */
export function release(allowance: LocalAllowance): void {
  allowance.returned += allowance.dayTokens;
  allowance.dayTokens = 0;
  allowance.isDayUsedUp = false;
}

/** Keeps what is granted beyond those that are used at once; answers when one more is there. */
function lease(allowance: LocalAllowance, grant: QuotaGrant, used: number, sentMs: number): number {
  const { plan, leases } = allowance;
  const endMs = sentMs + (grant.deficit + grant.tokens) * tokenMs(plan);
  if (grant.tokens > used) {
    leases.push({ nextMs: endMs - (grant.tokens - used) * tokenMs(plan), endMs });
  }
  allowance.leasedTokens = tokensLeft(allowance, sentMs);
  return endMs + (allowance.owed - plan.burst + 1) * tokenMs(plan) - sentMs;
}

function payOwed(allowance: LocalAllowance, nowMs: number) {
  if (!owes(allowance, nowMs)) return;
  for (let first = firstLease(allowance, nowMs); first; first = firstLease(allowance, nowMs)) {
    if (allowance.owed === 0) return;
    first.nextMs += tokenMs(allowance.plan);
    allowance.owed -= 1;
  }
}

/** The lease that has the next token; undefined when none has. */
function firstLease({ leases, plan }: LocalAllowance, nowMs: number): Lease | undefined {
  for (let first = leases[0]; first !== undefined; first = leases[0]) {
    if (first.nextMs < nowMs) first.nextMs = nowMs;
    if (first.nextMs + tokenMs(plan) <= first.endMs + roundingMs) return first;
    leases.shift();
  }
  return undefined;
}

function tokensLeft(allowance: LocalAllowance, nowMs: number): number {
  firstLease(allowance, nowMs);
  const { leases, plan } = allowance;
  const leftMs = leases.reduce((sum, { nextMs, endMs }) => sum + endMs - nextMs, 0);
  return Math.floor(leftMs / tokenMs(plan) + roundingMs);
}

/** How long the bucket takes for one token. */
function tokenMs({ ratePerSecond }: Plan): number {
  return 1_000 / ratePerSecond;
}

function isSame(one: Plan, other: Plan): boolean {
  return (
    one === other ||
    (one.ratePerSecond === other.ratePerSecond &&
      one.burst === other.burst &&
      one.requestsPerDay === other.requestsPerDay)
  );
}
