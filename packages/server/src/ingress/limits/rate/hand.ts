import type { Plan } from '../../../domain/plan.ts';
import type { PlanSlice, PlanWish } from '../../../store/port.ts';
import { allowed, limitExceeded, owedBurstsMax, type PlanVerdict } from './plan-limiter.ts';

/** What a replica has in hand of one key's plan. */
export interface Hand {
  /** The verdict on one request; undefined when the store must be asked. */
  take(plan: Plan, nowMs: number, day: string): PlanVerdict | undefined;
  /** Takes so many of the rate that nobody asked for: from what is here, else from what comes. */
  charge(plan: Plan, requests: number, nowMs: number): void;
  /** Whether some of that is still to be taken. */
  owes(nowMs: number): boolean;
  /** True when so little is left that more is better drawn before somebody waits. */
  isLow(nowMs: number): boolean;
  /** What to draw for so many that wait, and for those to come. */
  wish(waiting: number, nowMs: number, day: string): PlanWish;
  /** The wish that gives the day's quota back, when nobody has asked for a while. */
  giveBack(): PlanWish;
  /**
   * Takes what was drawn, and tells the verdicts of those that waited for it; undefined when the
   * day has changed on the way, and the store must be asked once more.
   */
  receive(slice: PlanSlice, waiting: number, sentMs: number): readonly (PlanVerdict | undefined)[];
  /** How long nobody has asked. */
  idleMs(nowMs: number): number;
  /** Whether there is quota to give back. */
  hasQuota(): boolean;
}

/**
 * Requests that the rate allows. Each must be used before the bucket is so full again as if it had
 * not been drawn: what were used later would come on top of a full bucket.
 */
interface Slots {
  /** When the first of them is lost; the next one is a request's time later. */
  untilMs: number;
  left: number;
}

/** A replica draws what its callers use in this time, and slots enough to last for as long. */
const aheadMs = 250;
/** Two draws that lie closer together say nothing about how much is used. */
const measuredMsMin = 10;
/** An empty bucket is asked again when it has what comes in this time, or half a burst. */
const refillMs = 20;
/** Quota that was used up may come back from another replica: it is asked again after this. */
const usedUpMs = 1_000;
/** More is drawn before it is needed no more often than this. */
const lowMsMin = 20;

/** An empty hand. */
export function createHand(keyId: string, firstPlan: Plan, nowMs: number): Hand {
  let plan = firstPlan;
  let slots: Slots[] = [];
  const quota = { day: '', left: 0 };
  const usedUp = { day: '', untilMs: nowMs };
  let toReturn = 0;
  let emptyUntilMs = nowMs;
  let askedAtMs = nowMs;
  let wishedAtMs = Number.NEGATIVE_INFINITY;
  let taken = 0;
  let ahead = 0;
  let slotsFull = 0;
  const debts = { owed: 0, untilMs: nowMs };
  return {
    ...{ take, charge, owes, isLow, wish, giveBack, receive },
    idleMs: (atMs) => atMs - askedAtMs,
    hasQuota: () => quota.left + toReturn > 0,
  };

  function take(of: Plan, atMs: number, day: string): PlanVerdict | undefined {
    askedAtMs = atMs;
    if (isOther(plan, of)) change(of, atMs);
    if (owes(atMs)) pay(atMs);
    const first = firstSlots(atMs);
    if (first === undefined) {
      const waitMs = emptyUntilMs - atMs;
      return waitMs > 0 ? { kind: 'too-many', waitMs } : undefined;
    }
    const hasQuota = quota.left > 0 && quota.day === day;
    const isUsedUp = usedUp.day === day && atMs < usedUp.untilMs;
    if (!hasQuota && !isUsedUp) return undefined;
    first.left -= 1;
    first.untilMs += 1_000 / plan.ratePerSecond;
    taken += 1;
    if (!hasQuota) return limitExceeded;
    quota.left -= 1;
    return allowed;
  }

  function charge(of: Plan, requests: number, atMs: number) {
    if (isOther(plan, of)) change(of, atMs);
    const owed = owes(atMs) ? debts.owed : 0;
    debts.owed = Math.min(owed + requests, plan.burst * owedBurstsMax);
    // By then a bucket that had lacked so much would be full again.
    debts.untilMs = atMs + ((debts.owed + plan.burst) * 1_000) / plan.ratePerSecond;
    pay(atMs);
  }

  function owes(atMs: number): boolean {
    return debts.owed > 0 && atMs < debts.untilMs;
  }

  function pay(atMs: number) {
    const requestMs = 1_000 / plan.ratePerSecond;
    for (let next = firstSlots(atMs); next && debts.owed > 0; next = firstSlots(atMs)) {
      const paid = Math.min(debts.owed, next.left);
      next.left -= paid;
      next.untilMs += paid * requestMs;
      debts.owed -= paid;
    }
  }

  function isLow(atMs: number): boolean {
    if (atMs - wishedAtMs < lowMsMin || atMs < emptyUntilMs) return false;
    if (slotsLeft(atMs) * 2 < slotsFull) return true;
    return quota.left * 2 < ahead && atMs >= usedUp.untilMs;
  }

  function wish(waiting: number, atMs: number, day: string): PlanWish {
    if (quota.day !== day) quota.left = 0;
    quota.day = day;
    const tookMs = Math.max(atMs - wishedAtMs, measuredMsMin);
    ahead = Math.min(plan.burst, Math.floor(((taken + waiting) / tookMs) * aheadMs));
    wishedAtMs = atMs;
    taken = 0;
    if (!owes(atMs)) debts.owed = 0;
    return {
      ...empty(),
      waiting: waiting + debts.owed,
      ahead: Math.max(0, slotsAhead() - slotsLeft(atMs)),
      quotaWaiting: Math.max(0, waiting - quota.left),
      quotaAhead: Math.max(0, ahead - Math.max(0, quota.left - waiting)),
    };
  }

  /** Slots are lost one after the other, used or not: fewer would not live for this time. */
  function slotsAhead(): number {
    if (ahead === 0) return 0;
    const lasting = Math.floor((plan.ratePerSecond / 1_000) * aheadMs);
    return Math.min(plan.burst, Math.max(ahead, lasting));
  }

  function giveBack(): PlanWish {
    toReturn += quota.left;
    quota.left = 0;
    return empty();
  }

  /** A wish for nothing, with what is not needed any more. */
  function empty(): PlanWish {
    const returned = { day: quota.day, requests: toReturn };
    toReturn = 0;
    const nothing = { waiting: 0, quotaWaiting: 0, ahead: 0, quotaAhead: 0 };
    return { keyId, ...plan, ...nothing, returned };
  }

  function receive(slice: PlanSlice, waiting: number, sentMs: number) {
    const isNewDay = slice.day !== quota.day;
    if (isNewDay) quota.left = 0;
    quota.day = slice.day;
    quota.left += slice.requests;
    const requestMs = 1_000 / plan.ratePerSecond;
    const paid = Math.min(debts.owed, slice.slots);
    debts.owed -= paid;
    const served = Math.min(waiting, slice.slots - paid);
    const used = paid + served;
    if (slice.slots > used) {
      slots.push({ untilMs: sentMs + (slice.debt + used) * requestMs, left: slice.slots - used });
    }
    slotsFull = slotsLeft(sentMs);
    const nextMs = (slice.debt + slice.slots + debts.owed - plan.burst + 1) * requestMs;
    if (served < waiting || debts.owed > 0) {
      const gatherMs = Math.min(refillMs, (plan.burst * requestMs) / 2) - requestMs;
      emptyUntilMs = sentMs + nextMs + Math.max(0, gatherMs);
    }
    const verdicts = Array.from({ length: waiting }, (_, index): PlanVerdict | undefined => {
      if (index >= served) return { kind: 'too-many', waitMs: Math.max(0, nextMs) };
      if (quota.left === 0) return isNewDay ? undefined : limitExceeded;
      quota.left -= 1;
      return allowed;
    });
    if (verdicts.includes(limitExceeded)) {
      usedUp.day = slice.day;
      usedUp.untilMs = sentMs + usedUpMs;
    }
    return verdicts;
  }

  /** What was drawn for another plan is lost for the rate, and given back to the day. */
  function change(to: Plan, atMs: number) {
    plan = to;
    slots = [];
    toReturn += quota.left;
    quota.left = 0;
    emptyUntilMs = atMs;
    usedUp.untilMs = atMs;
  }

  function firstSlots(atMs: number): Slots | undefined {
    const requestMs = 1_000 / plan.ratePerSecond;
    for (let first = slots[0]; first !== undefined; first = slots[0]) {
      const expired = Math.max(0, Math.ceil((atMs - first.untilMs) / requestMs));
      first.left -= expired;
      first.untilMs += expired * requestMs;
      if (first.left > 0) return first;
      slots.shift();
    }
    return undefined;
  }

  function slotsLeft(atMs: number): number {
    firstSlots(atMs);
    return slots.reduce((sum, { left }) => sum + left, 0);
  }
}

function isOther(one: Plan, other: Plan): boolean {
  return (
    one !== other &&
    (one.ratePerSecond !== other.ratePerSecond ||
      one.burst !== other.burst ||
      one.requestsPerDay !== other.requestsPerDay)
  );
}
