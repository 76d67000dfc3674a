import type {
  Attempt,
  BudgetDay,
  CallRecord,
  Hold,
  ResultRow,
  UsageDay,
  WalletMonth,
  WalletTopup,
} from '../../books/rows.ts';
import type { BudgetScope, ScopeKey } from '../../books/scope.ts';
import type { UnclaimedPayment } from '../../books/unclaimed-payment.ts';
import { firstCallIdAt } from '../../lib/id.ts';
import type { Query, SqlRow } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';
import { isOnePairOf } from '../schema/row-statement.ts';
import { budgetScopes } from '../schema/scope-tables.ts';
import * as tables from '../schema/tables.ts';
import { unclaimedPayments } from '../schema/unclaimed-table.ts';
import { wideSum, withSums } from '../schema/wide-sums.ts';

/** Undefined before the day's first call. */
export function selectBudget(app: string, day: string): Query<BudgetDay | undefined> {
  return {
    sql: 'select * from budget_day where app = $1 and day = $2',
    values: [app, day],
    map: ([row]) => (row === undefined ? undefined : tables.budgetDays.read(row)),
  };
}

/** Omits budgets without a call. */
export function selectScopes(keys: readonly ScopeKey[]): Query<readonly BudgetScope[]> {
  const among = isOnePairOf('scope, period', keys.length);
  return {
    sql: ['select * from budget_scope where', among].join(' '),
    values: keys.flatMap(({ scope, period }) => [scope, period]),
    map: (rows) => rows.map(budgetScopes.read),
  };
}

/** One row per model, however many calls. */
export function selectUsage(app: string, day: string): Query<readonly UsageDay[]> {
  return {
    sql: 'select * from usage_day where app = $1 and day = $2 order by model',
    values: [app, day],
    map: (rows) => rows.map(tables.usageDays.read),
  };
}

export interface HistoryDay {
  readonly day: string;
  readonly calls: number;
  readonly cost: bigint;
}

/** Only days with a call, newest first. */
export function selectHistory(app: string, days: number): Query<readonly HistoryDay[]> {
  return {
    sql: withSums(`
      select day,
             cast(sum(case when model = 'lost calls' then 0 else calls end) as bigint) as calls,
             wide_sum(cost) as cost
        from usage_day
       where app = $1
       group by day
       order by day desc
       limit $2`),
    values: [app, days],
    map: (rows) =>
      rows.map((row) => ({
        day: text(row, 'day'),
        calls: int(row, 'calls'),
        cost: wideSum(row, 'cost'),
      })),
  };
}

export function selectCallRecord(callId: string): Query<CallRecord | undefined> {
  return {
    sql: 'select * from call where call_id = $1',
    values: [callId],
    map: ([row]) => (row === undefined ? undefined : tables.calls.read(row)),
  };
}

/** In order; none if the call's own row contains the only attempt. */
export function selectAttempts(callId: string): Query<readonly Attempt[]> {
  return {
    sql: 'select * from attempt where call_id = $1 order by n',
    values: [callId],
    map: (rows) => rows.map(tables.attempts.read),
  };
}

/** Booked for lost calls, and not corrected since. */
export function selectClosings(app: string | undefined, day: string): Query<readonly CallRecord[]> {
  return {
    sql: `
      select * from call
       where call_id >= $3 and (cast($1 as text) is null or app = $1) and day = $2
         and route = $4 and estimated > 0
       order by call_id`,
    // A day is closed only after it has begun, but another clock may have made the ids.
    values: [app ?? null, day, firstCallIdAt(Date.parse(day) - 86_400_000), lostRoute],
    map: (rows) => rows.map(tables.calls.read),
    isLong: true,
  };
}

/** The route of records for calls that are no longer known. */
export const lostRoute = 'lost';

/** The model of bookings for lost calls: in the ledger a failed call, in usage reports none. */
export const lostModel = 'lost calls';

export function selectHoldOf(callId: string): Query<Hold | undefined> {
  return {
    sql: 'select * from hold where call_id = $1',
    values: [callId],
    map: ([row]) => (row === undefined ? undefined : tables.holds.read(row)),
  };
}

interface HoldPage {
  readonly after: string;
  readonly limit: number;
}

const readHolds = (rows: readonly SqlRow[]): readonly Hold[] => rows.map(tables.holds.read);

/** Expired, or their instance was not seen since `instancesSince`. */
export function selectStaleHolds(
  page: HoldPage & { readonly now: number; readonly instancesSince: number },
): Query<readonly Hold[]> {
  return {
    sql: `
      select hold.*
        from hold
        left join owner on owner.id = hold.owner and owner.seen_at > $2
       where (hold.expires_at <= $1 or owner.id is null) and hold.call_id > $4
       order by hold.call_id
       limit $3`,
    values: [page.now, page.instancesSince, page.limit, page.after],
    map: readHolds,
  };
}

export function selectHoldsOfNoOther(
  page: HoldPage & { readonly instanceId: string },
): Query<readonly Hold[]> {
  return {
    sql: `
      select hold.*
        from hold
        left join owner on owner.id = hold.owner and owner.id <> $1
       where owner.id is null and hold.call_id > $2
       order by hold.call_id
       limit $3`,
    values: [page.instanceId, page.after, page.limit],
    map: readHolds,
  };
}

/** Overdue payments: no retry made them, or a retry did long ago. */
export function selectOverdueUnclaimed(
  page: HoldPage & { readonly now: number },
): Query<readonly UnclaimedPayment[]> {
  return {
    sql: `
      select * from unclaimed_payment
       where expires_at <= $1 and call_id > $3
       order by call_id
       limit $2`,
    values: [page.now, page.limit, page.after],
    map: (rows) => rows.map(unclaimedPayments.read),
  };
}

/** Undefined before its first call. */
export function selectWallet(
  app: string,
  userId: string,
  month: string,
): Query<WalletMonth | undefined> {
  return {
    sql: 'select * from wallet_month where app = $1 and user_id = $2 and month = $3',
    values: [app, userId, month],
    map: ([row]) => (row === undefined ? undefined : tables.walletMonths.read(row)),
  };
}

/** Undefined before the first top-up or call. */
export function selectTopup(app: string, userId: string): Query<WalletTopup | undefined> {
  return {
    sql: 'select * from wallet_topup where app = $1 and user_id = $2',
    values: [app, userId],
    map: ([row]) => (row === undefined ? undefined : tables.walletTopups.read(row)),
  };
}

/** Undefined for a call without a result, or with an answer. */
export function selectResult(callId: string): Query<ResultRow | undefined> {
  return {
    sql: 'select * from result where call_id = $1',
    values: [callId],
    map: ([row]) => row && tables.results.read(row),
  };
}

/** The body is empty for a call without a response. */
export function selectAnswer(
  callId: string,
): Query<{ readonly status: number; readonly body: string } | undefined> {
  return {
    sql: 'select status, body from answer where call_id = $1',
    values: [callId],
    map: ([row]) => row && { status: int(row, 'status'), body: text(row, 'body') },
  };
}

/** One lookup each, however many there are. */
export function selectKeyStates(
  keys: readonly { readonly app: string; readonly keyHash: string }[],
): Query<readonly { readonly app: string; readonly callId: string; readonly state: string }[]> {
  const among = isOnePairOf('app, key_hash', keys.length);
  return {
    sql: ['select app, call_id, state from idempotency where', among].join(' '),
    values: keys.flatMap(({ app, keyHash }) => [app, keyHash]),
    map: (rows) =>
      rows.map((row) => ({
        app: text(row, 'app'),
        callId: text(row, 'call_id'),
        state: text(row, 'state'),
      })),
  };
}

export function selectIsStored(callId: string): Query<boolean> {
  return {
    sql: `
      select count(*) as kept
        from (
          select call_id from result where call_id = $1
           union all
          select call_id from answer where call_id = $1 and status > 0) answers`,
    values: [callId],
    map: ([row]) => row !== undefined && int(row, 'kept') > 0,
  };
}
