import type { Plan } from '../../../domain/plan.ts';
import type { QuotaGrant, QuotaRequest } from '../../../store/port/port.ts';
import { allowed, limitExceeded, owedBurstsMax, type PlanVerdict } from './plan-limiter.ts';

/** What a process may let through of one key's plan without asking the store. */
export interface LocalAllowance {
  readonly keyId: string;
  readonly plan: Plan;
  /** Requests that wait for the store. */
  waiting: ((taken: Taken) => void)[];
  leases: Lease[];
  /** Tokens of the rate that were there when the last ones came. */
  leased: number;
  /** Requests of this UTC day that the tokens may be used for; what is more goes back. */
  day: string;
  quota: number;
  /** Until then the bucket, or the day, is known to have nothing: the store need not be asked. */
  emptyUntilMs: number;
  usedUpUntilMs: number;
  requestedAtMs: number;
  /** Tokens that a charge takes of those to come, unless the bucket is full without it before. */
  owed: number;
  owedUntilMs: number;
}

/** A request's time: milliseconds that never go back, and the UTC day. */
export interface TimeOfRequest {
  readonly ms: number;
  readonly day: string;
}

/** The verdict on a request, and the time at which the part of its token begins, if it has one. */
export interface Taken {
  readonly verdict: PlanVerdict;
  readonly atMs: number;
}

/** A verdict without a token. */
export function refusedWith(verdict: PlanVerdict): Taken {
  return { verdict, atMs: 0 };
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

/** For so long there are tokens ahead; what is not used by then goes back by itself. */
const aheadMs = 250;
/** A key whose last request to the store is longer ago gets none: the burst is for all replicas. */
const inUseMs = 500;
/** More is requested ahead no more often than this. */
const requestMsMin = 20;
/** An empty bucket is asked again when it has what comes in this time, or half a burst. */
const refillMs = 20;
/** A day that is used up is asked again after this: another replica may have returned some. */
const usedUpMs = 1_000;
/** Far below the time of one token, and far above what sums of fractions lose. */
const roundingMs = 1e-6;

/** Nothing is leased yet; what was of another plan of the key goes back with the next request. */
export function createAllowance(
  keyId: string,
  plan: Plan,
  { day, quota }: Pick<LocalAllowance, 'day' | 'quota'> = { day: '', quota: 0 },
): LocalAllowance {
  return {
    ...{ keyId, plan, waiting: [], leases: [], leased: 0, day, quota },
    ...{ emptyUntilMs: 0, usedUpUntilMs: 0, requestedAtMs: Number.NEGATIVE_INFINITY },
    ...{ owed: 0, owedUntilMs: 0 },
  };
}

/** Why a request is refused without the store being asked; undefined where that is not known. */
export function knownRefusal(
  allowance: LocalAllowance,
  { ms, day }: TimeOfRequest,
): PlanVerdict | undefined {
  payOwed(allowance, ms);
  const waitMs = allowance.emptyUntilMs - ms;
  if (waitMs > 0) return { kind: 'too-many', waitMs };
  return allowance.day === day && ms < allowance.usedUpUntilMs ? limitExceeded : undefined;
}

/** The verdict on one request; undefined when the store must be asked. */
export function takeOne(allowance: LocalAllowance, now: TimeOfRequest): Taken | undefined {
  const refusal = knownRefusal(allowance, now);
  if (refusal !== undefined) return refusedWith(refusal);
  if (allowance.day !== now.day) return undefined;
  const lease = firstLease(allowance, now.ms);
  if (lease === undefined || allowance.quota === 0) return undefined;
  const atMs = lease.nextMs;
  lease.nextMs += tokenMs(allowance);
  allowance.quota -= 1;
  return { verdict: allowed, atMs };
}

/** Takes back a token that no request has used. Another one may use it before its part begins. */
export function putBack(allowance: LocalAllowance, { atMs }: Taken): void {
  const piece = { nextMs: atMs, endMs: atMs + tokenMs(allowance) };
  allowance.leases = [...allowance.leases, piece].sort((a, b) => a.nextMs - b.nextMs);
  allowance.quota += 1;
  allowance.emptyUntilMs = 0;
}

/** Takes so many tokens that no request uses: from what is here, else from what comes. */
export function chargeTokens(allowance: LocalAllowance, tokens: number, nowMs: number): void {
  const { burst } = allowance.plan;
  allowance.owed = Math.min(owedAt(allowance, nowMs) + tokens, burst * owedBurstsMax);
  // By then a bucket that had lacked so much would be full again.
  allowance.owedUntilMs = nowMs + (allowance.owed + burst) * tokenMs(allowance);
  payOwed(allowance, nowMs);
}

/** What of a charge is still to be taken. */
export function owedAt({ owed, owedUntilMs }: LocalAllowance, nowMs: number): number {
  return nowMs < owedUntilMs ? owed : 0;
}

/** True when more is better requested before a request waits for it. */
export function isLow(allowance: LocalAllowance, nowMs: number): boolean {
  if (nowMs - allowance.requestedAtMs < requestMsMin) return false;
  return tokensLeft(allowance, nowMs) * 2 < allowance.leased;
}

/** What to request of the store for so many that wait, and ahead. */
export function requestFor(allowance: LocalAllowance, needed: number, nowMs: number): QuotaRequest {
  const { keyId, plan, day } = allowance;
  const left = tokensLeft(allowance, nowMs);
  const isInUse = nowMs - allowance.requestedAtMs < inUseMs;
  const ahead = isInUse ? Math.min(plan.burst, Math.floor(aheadMs / tokenMs(allowance))) - left : 0;
  const returned = Math.max(0, allowance.quota - left);
  allowance.quota -= returned;
  allowance.owed = owedAt(allowance, nowMs);
  allowance.requestedAtMs = nowMs;
  const { owed } = allowance;
  return { keyId, ...plan, needed, owed, ahead: Math.max(0, ahead), day, returned };
}

/** Takes what was granted, and answers what those have that waited for it. */
export function receive(
  allowance: LocalAllowance,
  grant: QuotaGrant,
  waiting: number,
  sentMs: number,
): readonly Taken[] {
  const { burst } = allowance.plan;
  const requestMs = tokenMs(allowance);
  if (grant.day !== allowance.day) {
    allowance.day = grant.day;
    allowance.quota = 0;
    allowance.leases = [];
  }
  const paid = Math.min(allowance.owed, grant.tokens);
  const served = Math.min(waiting, grant.tokens - paid);
  const passed = Math.min(served, grant.quota);
  allowance.owed -= paid;
  allowance.quota += grant.quota - passed;
  const endMs = sentMs + (grant.deficit + grant.tokens) * requestMs;
  const nextMs = endMs - (grant.tokens - paid - served) * requestMs;
  if (nextMs < endMs) allowance.leases.push({ nextMs, endMs });
  allowance.leased = tokensLeft(allowance, sentMs);
  const waitMs = endMs + (allowance.owed - burst + 1) * requestMs - sentMs;
  if (served < waiting || allowance.owed > 0) {
    const gatherMs = Math.min(refillMs, (burst * requestMs) / 2) - requestMs;
    allowance.emptyUntilMs = sentMs + waitMs + Math.max(0, gatherMs);
  }
  if (passed < served) allowance.usedUpUntilMs = sentMs + usedUpMs;
  const firstMs = nextMs - served * requestMs;
  return Array.from({ length: waiting }, (_, index): Taken => {
    if (index < passed) return { verdict: allowed, atMs: firstMs + index * requestMs };
    if (index < served) return refusedWith(limitExceeded);
    return refusedWith({ kind: 'too-many', waitMs: Math.max(0, waitMs) });
  });
}

function payOwed(allowance: LocalAllowance, nowMs: number) {
  while (owedAt(allowance, nowMs) > 0) {
    const lease = firstLease(allowance, nowMs);
    if (lease === undefined) return;
    lease.nextMs += tokenMs(allowance);
    allowance.owed -= 1;
  }
}

/** The lease that has the next token; undefined when none has. */
function firstLease(allowance: LocalAllowance, nowMs: number): Lease | undefined {
  const { leases } = allowance;
  for (let first = leases[0]; first !== undefined; first = leases[0]) {
    if (first.nextMs < nowMs) first.nextMs = nowMs;
    if (first.nextMs + tokenMs(allowance) <= first.endMs + roundingMs) return first;
    leases.shift();
  }
  return undefined;
}

function tokensLeft(allowance: LocalAllowance, nowMs: number): number {
  firstLease(allowance, nowMs);
  const leftMs = allowance.leases.reduce((sum, { nextMs, endMs }) => sum + endMs - nextMs, 0);
  return Math.floor(leftMs / tokenMs(allowance) + roundingMs);
}

/** How long the bucket takes for one token. */
function tokenMs({ plan }: LocalAllowance): number {
  return 1_000 / plan.ratePerSecond;
}
