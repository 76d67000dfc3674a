import { big, int, text } from '../columns.ts';
import type { PlanSlice, PlanWish, SqlRow } from '../port.ts';
import { arrayText, columnText } from './array-text.ts';
import { ask, type Columns } from './ask.ts';
import type { Answer, Trip } from './trip.ts';

/** Runs what is asked in a transaction, and answers when it is committed. */
type Transact = (ask: (trip: Trip) => Answer) => Promise<Answer>;

/**
 * Draws from plans in one statement. A key that nobody has used yet gets its row first. Slices that
 * are drawn and never heard of are lost: less is then given than the plan allows, never more.
 */
export async function drawPlans(
  transact: Transact,
  wishes: readonly PlanWish[],
  now: number | undefined,
): Promise<readonly PlanSlice[]> {
  const draw = (trip: Trip, of: readonly PlanWish[]) => askSlices(trip, of, now);
  const { rows } = await transact((trip) => draw(trip, wishes));
  const slices = rows.map(readSlice);
  if (slices.length === wishes.length) return slices;
  const known = new Set(slices.map(({ keyId }) => keyId));
  const unknown = wishes.filter(({ keyId }) => !known.has(keyId));
  const added = await transact((trip) => {
    ask(trip, createPlanUses, [keyIdOf], unknown);
    return draw(trip, unknown);
  });
  return [...slices, ...added.rows.map(readSlice)];
}

function askSlices(trip: Trip, wishes: readonly PlanWish[], now: number | undefined): Answer {
  const columns = columnsOf.map((column) => columnText(wishes, column));
  return trip.ask(drawSlices, [...columns, arrayText([now === undefined ? null : now * 1_000])]);
}

const keyIdOf = ({ keyId }: PlanWish) => keyId;

const columnsOf: Columns<PlanWish> = [
  keyIdOf,
  (wish) => wish.ratePerSecond,
  (wish) => wish.burst,
  (wish) => wish.requestsPerDay,
  (wish) => wish.waiting,
  (wish) => wish.ahead,
  (wish) => wish.quotaWaiting,
  (wish) => wish.quotaAhead,
  (wish) => wish.returned.day,
  (wish) => wish.returned.requests,
];

function readSlice(row: SqlRow): PlanSlice {
  return {
    keyId: text(row, 'key_id'),
    slots: int(row, 'slots'),
    // Told as a whole number of millionths.
    debt: Number(big(row, 'micro_debt')) / 1_000_000,
    requests: int(row, 'requests'),
    day: text(row, 'day'),
  };
}

const createPlanUses = `
  insert into plan_use (key_id, full_at, day, used)
  select key_id, 0, '', 0
    from unnest($1::text[]) as key (key_id)
   order by key_id
  on conflict do nothing`;

/**
 * The bucket is kept as the moment at which it is full again; what it lacks now is its debt. A
 * debt above the burst is of another plan, or of a clock that was wrong.
 */
const drawSlices = `
  with wish as (
    select *
      from unnest($1::text[], $2::float8[], $3::float8[], $4::bigint[], $5::bigint[], $6::bigint[],
           $7::bigint[], $8::bigint[], $9::text[], $10::bigint[])
        as wish (key_id, rate, burst, per_day, waiting, ahead, quota_waiting, quota_ahead,
           returned_day, returned)
  ), moment as (
    select coalesce(($11::float8[])[1], extract(epoch from clock_timestamp())::float8 * 1000000) as now
  ), known as (
    select plan_use.*
      from wish join plan_use on plan_use.key_id = wish.key_id
     order by plan_use.key_id
       for update of plan_use
  ), state as (
    select wish.*, moment.now,
           to_char(to_timestamp(moment.now / 1000000) at time zone 'utc', 'YYYY-MM-DD') as today,
           least(wish.burst, greatest(0, (known.full_at - moment.now) * wish.rate / 1000000))
             as debt,
           known.day, known.used
      from wish join known on known.key_id = wish.key_id cross join moment
  ), rest as (
    select state.*, floor(burst - debt + 0.000001) as free,
           case when day <> today then 0
                when returned_day <> today then used
                else greatest(0, used - returned) end as used_today
      from state
  ), rated as (
    select rest.*,
           least(free, waiting + least(ahead, greatest(0, floor((free - waiting) / 8)))) as slots,
           greatest(0, per_day - used_today) as quota_free
      from rest
  ), drawn as (
    select rated.*,
           least(quota_free, least(quota_waiting, slots)
             + least(quota_ahead, quota_free / 8))::bigint as requests
      from rated
  )
  update plan_use
     set full_at = ceil(drawn.now + (drawn.debt + drawn.slots) * 1000000 / drawn.rate)::bigint,
         day = drawn.today, used = drawn.used_today + drawn.requests
    from drawn
   where plan_use.key_id = drawn.key_id
  returning plan_use.key_id, drawn.slots::bigint as slots, drawn.requests, plan_use.day,
            ceil(drawn.debt * 1000000)::bigint as micro_debt`;
