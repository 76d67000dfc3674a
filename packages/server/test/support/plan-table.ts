import { utcDayOf } from '../../src/lib/clock.ts';
import type { PlanSlice, PlanWish } from '../../src/store/port.ts';

/** The rule by which a store draws from plans, told once more without SQL. */
export interface PlanTable {
  draw(wishes: readonly PlanWish[], nowMs: number): readonly PlanSlice[];
  /** How often it was asked. */
  draws(): number;
}

interface Row {
  fullAtMs: number;
  day: string;
  used: number;
}

/** A table of plans that nobody has used. */
export function createPlanTable(): PlanTable {
  const rows = new Map<string, Row>();
  let draws = 0;
  return {
    draws: () => draws,
    draw(wishes, nowMs) {
      draws += 1;
      return wishes.map((wish) => {
        const row = rows.get(wish.keyId) ?? { fullAtMs: 0, day: '', used: 0 };
        rows.set(wish.keyId, row);
        return drawOne(row, wish, nowMs);
      });
    },
  };
}

function drawOne(row: Row, wish: PlanWish, nowMs: number): PlanSlice {
  const { keyId, burst, ratePerSecond, waiting, ahead, quotaWaiting, quotaAhead, returned } = wish;
  const requestMs = 1_000 / ratePerSecond;
  const debt = Math.min(burst, Math.max(0, (row.fullAtMs - nowMs) / requestMs));
  const free = Math.floor(burst - debt + 1e-6);
  const spare = Math.max(0, Math.floor((free - waiting) / 8));
  const slots = Math.min(free, waiting + Math.min(ahead, spare));
  const day = utcDayOf(nowMs);
  if (row.day !== day) row.used = 0;
  else if (returned.day === day) row.used = Math.max(0, row.used - returned.requests);
  const left = Math.max(0, wish.requestsPerDay - row.used);
  const needed = Math.min(quotaWaiting, slots);
  const requests = Math.min(left, needed + Math.min(quotaAhead, Math.floor(left / 8)));
  row.day = day;
  row.used += requests;
  row.fullAtMs = nowMs + (debt + slots) * requestMs;
  return { keyId, slots, debt, requests, day };
}
