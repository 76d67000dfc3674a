import type { QuotaGrant, QuotaRequest, QuotaTime } from '../port/port.ts';
import { upsert } from '../schema/row-statement.ts';
import { type PlanUse, planUses } from '../schema/service-tables.ts';
import type { Prepare } from './ledger-rows.ts';

const selectUse = 'select * from plan_use where key_id = $1';
const putUse = upsert(planUses);

/** Far below one token, far above the error of added fractions. */
const rounding = 1e-6;

/** Runs in a transaction, with the rule of PostgreSQL's `grantQuota`. Rows are in µs. */
export function acquireQuota(
  prepare: Prepare,
  requests: readonly QuotaRequest[],
  { day, nowMs }: QuotaTime,
): readonly QuotaGrant[] {
  return requests.map((request) => {
    const [row] = prepare(selectUse).all(request.keyId);
    const use = row && planUses.read(row);
    const granted = grant(request, use, { day, nowMicros: nowMs * 1_000 });
    prepare(putUse.sql).run(...putUse.bind(granted.use));
    return granted.grant;
  });
}

/** The bucket stores the time at which it is full again; the missing part is the deficit. */
function grant(
  request: QuotaRequest,
  use: PlanUse | undefined,
  { day, nowMicros }: { readonly day: string; readonly nowMicros: number },
): { readonly grant: QuotaGrant; readonly use: PlanUse } {
  const { keyId, burst, ratePerSecond, requestsPerDay, owed, needed, ahead } = request;
  const tokenMicros = 1_000_000 / ratePerSecond;
  // A time above the burst comes from another rate limit, or a wrong clock.
  const lacking = ((use?.fullAt ?? 0) - nowMicros) / tokenMicros;
  const deficit = Math.min(burst, Math.max(0, lacking));
  const free = Math.floor(burst - deficit + rounding);
  const usedToday = use?.day === day ? use.used : 0;
  const used = request.day === day ? Math.max(0, usedToday - request.returned) : usedToday;
  const dayFree = Math.max(0, requestsPerDay - used);
  const requested = owed + needed;
  const eighth = Math.max(0, Math.floor((free - requested) / 8));
  const tokens = Math.min(free, requested + Math.min(ahead, eighth, Math.floor(dayFree / 100)));
  const quota = Math.min(dayFree, Math.max(0, tokens - owed));
  const fullAt = Math.ceil(nowMicros + (deficit + tokens) * tokenMicros);
  return {
    grant: { keyId, tokens, deficit, quota, day },
    use: { keyId, fullAt, day, used: used + quota },
  };
}
