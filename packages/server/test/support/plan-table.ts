import { utcDayOf } from '../../src/lib/clock.ts';
import type { QuotaGrant, QuotaRequest } from '../../src/store/port.ts';

/** The rule by which a store grants quota of plans, told once more without SQL. */
export interface PlanTable {
  acquire(requests: readonly QuotaRequest[], nowMs: number): readonly QuotaGrant[];
  /** How often it was asked. */
  acquired(): number;
}

interface Row {
  fullAtMs: number;
  day: string;
  used: number;
}

/** A table of plans that nobody has used. */
export function createPlanTable(): PlanTable {
  const rows = new Map<string, Row>();
  let acquired = 0;
  return {
    acquired: () => acquired,
    acquire(requests, nowMs) {
      acquired += 1;
      return requests.map((request) => {
        const row = rows.get(request.keyId) ?? { fullAtMs: 0, day: '', used: 0 };
        rows.set(request.keyId, row);
        return grantOne(row, request, nowMs);
      });
    },
  };
}

function grantOne(row: Row, request: QuotaRequest, nowMs: number): QuotaGrant {
  const { keyId, burst, ratePerSecond, needed, ahead, dayNeeded, dayAhead, dayHeld, returned } =
    request;
  const tokenMs = 1_000 / ratePerSecond;
  const deficit = Math.min(burst, Math.max(0, (row.fullAtMs - nowMs) / tokenMs));
  const free = Math.floor(burst - deficit + 1e-6);
  const spare = Math.max(0, Math.floor((free - needed) / 8));
  const day = utcDayOf(nowMs);
  if (row.day !== day) row.used = 0;
  else if (returned.day === day) row.used = Math.max(0, row.used - returned.tokens);
  const left = Math.max(0, request.requestsPerDay - row.used);
  const dayMore = Math.min(dayAhead, Math.max(0, Math.floor(left / 100) - dayHeld));
  const withQuota = left === 0 ? ahead : Math.max(0, ahead - dayAhead + dayMore);
  const tokens = Math.min(free, needed + Math.min(ahead, spare, withQuota));
  const dayTokens = Math.min(left, Math.min(dayNeeded, tokens) + dayMore);
  row.day = day;
  row.used += dayTokens;
  row.fullAtMs = nowMs + (deficit + tokens) * tokenMs;
  return { keyId, tokens, deficit, dayTokens, day };
}
