import { utcDayOf } from '../../src/lib/clock.ts';
import type { QuotaGrant, QuotaRequest } from '../../src/store/port/port.ts';

/** The rule by which a store grants quota of plans, again without SQL. */
export interface PlanTable {
  acquire(requests: readonly QuotaRequest[], nowMs: number): readonly QuotaGrant[];
  acquired(): number;
}

interface Row {
  fullAtMs: number;
  day: string;
  used: number;
}

/** An unused table of plans. */
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
  const { keyId, burst, ratePerSecond, requestsPerDay, owed, needed, ahead } = request;
  const tokenMs = 1_000 / ratePerSecond;
  const deficit = Math.min(burst, Math.max(0, (row.fullAtMs - nowMs) / tokenMs));
  const free = Math.floor(burst - deficit + 1e-6);
  const day = utcDayOf(nowMs);
  if (row.day !== day) row.used = 0;
  else if (request.day === day) row.used = Math.max(0, row.used - request.returned);
  const left = Math.max(0, requestsPerDay - row.used);
  const eighth = Math.max(0, Math.floor((free - owed - needed) / 8));
  const tokens = Math.min(free, owed + needed + Math.min(ahead, eighth, Math.floor(left / 100)));
  const quota = Math.min(left, Math.max(0, tokens - owed));
  row.day = day;
  row.used += quota;
  row.fullAtMs = nowMs + (deficit + tokens) * tokenMs;
  return { keyId, tokens, deficit, quota, day };
}
