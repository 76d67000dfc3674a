import type { Plan } from '../../../domain/plan.ts';
import type { QuotaGrant, QuotaRequest } from '../../../store/port/port.ts';
import { allowed, limitExceeded, owedBurstsMax, type PlanVerdict } from './plan-limiter.ts';

export interface LocalAllowance {
  readonly keyId: string;
  readonly plan: Plan;
  waiting: ((result: TokenResult) => void)[];
  leases: Lease[];
  leased: number;
  /** The UTC day of `quota`. Tokens above the quota return. */
  day: string;
  quota: number;
  /** No store request is needed before: bucket or day is empty. */
  emptyUntilMs: number;
  usedUpUntilMs: number;
  requestedAtMs: number;
  /** Future tokens for a charge, unless the bucket fills first. */
  owed: number;
  owedUntilMs: number;
}

/** Monotonic milliseconds, and the UTC day. */
export interface TimeOfRequest {
  readonly ms: number;
  readonly day: string;
}

export interface TokenResult {
  readonly verdict: PlanVerdict;
  readonly atMs: number;
}

export function refusedWith(verdict: PlanVerdict): TokenResult {
  return { verdict, atMs: 0 };
}

/**
 * Tokens as their refill interval. Each token is used before its part of the interval begins.
 * Intervals never overlap, on any replica, and end before an empty bucket would be full. So no time
 * window exceeds the rate limit.
 */
interface Lease {
  nextMs: number;
  readonly endMs: number;
}

const aheadMs = 250;
/** A key that is idle for longer gets no lookahead: the burst belongs to all replicas. */
const inUseMs = 500;
const requestMsMin = 20;
/** An empty bucket requests tokens again after this refill time, or half a burst. */
const refillMs = 20;
/** A used-up day is checked again, because another replica may have returned tokens. */
const usedUpMs = 1_000;
const roundingMs = 1e-6;

/** Leases of the key's earlier rate limit return with the next request. */
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

export function knownRefusal(
  allowance: LocalAllowance,
  { ms, day }: TimeOfRequest,
): PlanVerdict | undefined {
  payOwed(allowance, ms);
  const waitMs = allowance.emptyUntilMs - ms;
  if (waitMs > 0) return { kind: 'too-many', waitMs };
  return allowance.day === day && ms < allowance.usedUpUntilMs ? limitExceeded : undefined;
}

/** Undefined if the store must decide. */
export function takeOne(allowance: LocalAllowance, now: TimeOfRequest): TokenResult | undefined {
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

/** Another request may use the token before its part of the interval begins. */
export function putBack(allowance: LocalAllowance, { atMs }: TokenResult): void {
  const piece = { nextMs: atMs, endMs: atMs + tokenMs(allowance) };
  allowance.leases = [...allowance.leases, piece].sort((a, b) => a.nextMs - b.nextMs);
  allowance.quota += 1;
  allowance.emptyUntilMs = 0;
}

/** Takes present tokens first, then future ones. */
export function chargeTokens(allowance: LocalAllowance, tokens: number, nowMs: number): void {
  const { burst } = allowance.plan;
  allowance.owed = Math.min(owedAt(allowance, nowMs) + tokens, burst * owedBurstsMax);
  // A bucket with this debt would be full again by then.
  allowance.owedUntilMs = nowMs + (allowance.owed + burst) * tokenMs(allowance);
  payOwed(allowance, nowMs);
}

export function owedAt({ owed, owedUntilMs }: LocalAllowance, nowMs: number): number {
  return nowMs < owedUntilMs ? owed : 0;
}

export function isLow(allowance: LocalAllowance, nowMs: number): boolean {
  if (nowMs - allowance.requestedAtMs < requestMsMin) return false;
  return tokensLeft(allowance, nowMs) * 2 < allowance.leased;
}

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

export function receive(
  allowance: LocalAllowance,
  grant: QuotaGrant,
  waiting: number,
  sentMs: number,
): readonly TokenResult[] {
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
  return Array.from({ length: waiting }, (_, index): TokenResult => {
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
  const remainingMs = allowance.leases.reduce((sum, { nextMs, endMs }) => sum + endMs - nextMs, 0);
  return Math.floor(remainingMs / tokenMs(allowance) + roundingMs);
}

function tokenMs({ plan }: LocalAllowance): number {
  return 1_000 / plan.ratePerSecond;
}
