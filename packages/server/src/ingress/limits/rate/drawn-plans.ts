import type { Plan } from '../../../domain/plan.ts';
import { type Clock, every, nextTurn, utcDayOf } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { PlanSlice, PlanWish, Store } from '../../../store/port.ts';
import { createHand, type Hand } from './hand.ts';
import type { PlanLimiter, PlanVerdict } from './plan-limiter.ts';

/** A key of which this replica has something in hand, and those who wait for more. */
interface Key {
  readonly hand: Hand;
  waiting: ((verdict: PlanVerdict) => void)[];
}

/** A wish on its way, and those who wait for what comes of it. */
interface Asked extends Pick<Key, 'waiting'> {
  readonly key: Key;
  readonly wish: PlanWish;
}

/** Draws from the plans that all replicas share. */
export type Draw = NonNullable<Store['draw']>;

/** After a second without a request, a key's quota is given back to the others. */
const idleMs = 1_000;

/**
 * Plans over many replicas: each draws slices of an API key's rate and quota from the store, and
 * spends them by itself. Over all of them a plan is never passed: ADR 0020.
 */
export function createDrawnPlans(parts: {
  readonly draw: Draw;
  /** The moment by which the store draws; undefined where it has a clock of its own. */
  readonly now: () => number | undefined;
  readonly clock: Clock;
  readonly log: Log;
}): PlanLimiter {
  const { clock, log } = parts;
  const keys = new Map<string, Key>();
  const wanting = new Set<Key>();
  let drawing: Promise<void> | undefined;
  const onError = (error: unknown) =>
    log.warn({ error: String(error) }, 'quota could not be given back to the other replicas');
  const tidying = every(clock, idleMs, () => giveBack(idleMs), onError);
  return { take, charge, stop };

  function take(keyId: string, plan: Plan): PlanVerdict | Promise<PlanVerdict> {
    const nowMs = clock.monotonic();
    const key = keys.get(keyId) ?? add(keyId, plan, nowMs);
    const verdict = key.hand.take(plan, nowMs, utcDayOf(clock.now()));
    if (verdict === undefined) {
      return new Promise((resolve) => {
        key.waiting.push(resolve);
        want(key);
      });
    }
    if (key.hand.isLow(nowMs)) want(key);
    return verdict;
  }

  function charge(keyId: string, plan: Plan, requests: number) {
    const nowMs = clock.monotonic();
    const key = keys.get(keyId) ?? add(keyId, plan, nowMs);
    key.hand.charge(plan, requests, nowMs);
    if (key.hand.owes(nowMs)) want(key);
  }

  function add(keyId: string, plan: Plan, nowMs: number): Key {
    const key = { hand: createHand(keyId, plan, nowMs), waiting: [] };
    keys.set(keyId, key);
    return key;
  }

  function want(key: Key) {
    wanting.add(key);
    drawing ??= drawAll().finally(() => {
      drawing = undefined;
    });
  }

  /** One statement at a time: whoever comes in the meantime shares the next one. */
  async function drawAll() {
    await nextTurn();
    while (wanting.size > 0) {
      const nowMs = clock.monotonic();
      const day = utcDayOf(clock.now());
      const asked = [...wanting].map((key) => {
        const { hand, waiting } = key;
        key.waiting = [];
        return { key, waiting, wish: hand.wish(waiting.length, nowMs, day) };
      });
      wanting.clear();
      await drawFor(asked, nowMs);
    }
  }

  async function drawFor(asked: readonly Asked[], sentMs: number) {
    try {
      const slices = await parts.draw(
        asked.map(({ wish }) => wish),
        parts.now(),
      );
      const byKey = new Map(slices.map((slice) => [slice.keyId, slice]));
      for (const of of asked) hear(of, byKey.get(of.wish.keyId), sentMs);
    } catch (error) {
      log.warn({ error: String(error), keys: asked.length }, 'plans could not be drawn');
      for (const { waiting } of asked)
        for (const resolve of waiting) resolve({ kind: 'away', error });
    }
  }

  function hear({ key, waiting }: Asked, slice: PlanSlice | undefined, sentMs: number) {
    const verdicts = slice === undefined ? [] : key.hand.receive(slice, waiting.length, sentMs);
    for (const [index, resolve] of waiting.entries()) {
      const verdict = slice === undefined ? lost : verdicts[index];
      if (verdict === undefined) key.waiting.push(resolve);
      else resolve(verdict);
    }
    if (key.waiting.length > 0) wanting.add(key);
  }

  async function giveBack(afterMs: number) {
    const nowMs = clock.monotonic();
    const idle = [...keys].filter(
      ([, { hand, waiting }]) => waiting.length === 0 && hand.idleMs(nowMs) >= afterMs,
    );
    for (const [keyId, { hand }] of idle) if (!hand.owes(nowMs)) keys.delete(keyId);
    const wishes = idle.filter(([, { hand }]) => hand.hasQuota());
    if (wishes.length === 0) return;
    await parts.draw(
      wishes.map(([, { hand }]) => hand.giveBack()),
      parts.now(),
    );
  }

  async function stop() {
    await tidying.stop();
    await drawing;
    await giveBack(0).catch(onError);
  }
}

/** A store that leaves out what it was asked for is as good as away. */
const lost = {
  kind: 'away',
  error: new Error('the store did not say what is left of the plan'),
} as const;
