import type { QuotaGrant, QuotaRequest, QuotaTime, SqlRow } from '../port/port.ts';
import { big, int, text } from '../schema/columns.ts';
import type { Answer, Columns, Pipeline } from './pipeline/pipeline.ts';

type Transact = (queue: (pipeline: Pipeline) => Answer) => Promise<Answer>;

/** A lost grant means less use than the rate limit allows, never more. */
export async function acquireQuota(
  transact: Transact,
  requests: readonly QuotaRequest[],
  time: QuotaTime | undefined,
): Promise<readonly QuotaGrant[]> {
  const { rows } = await transact((pipeline) => queueGrants(pipeline, requests, time));
  const grants = rows.map(readGrant);
  if (grants.length === requests.length) return grants;
  const known = new Set(grants.map(({ keyId }) => keyId));
  const unknown = requests.filter(({ keyId }) => !known.has(keyId));
  const added = await transact((pipeline) => {
    pipeline.queryRows(createPlanUses, [keyIdOf], unknown);
    return queueGrants(pipeline, unknown, time);
  });
  return [...grants, ...added.rows.map(readGrant)];
}

function queueGrants(
  pipeline: Pipeline,
  requests: readonly QuotaRequest[],
  time: QuotaTime | undefined,
): Answer {
  const nowMicros = time === undefined ? null : time.nowMs * 1_000;
  const day = time?.day ?? null;
  return pipeline.queryRows(grantQuota, [...columnsOf, () => nowMicros, () => day], requests);
}

const keyIdOf = ({ keyId }: QuotaRequest) => keyId;

const columnsOf: Columns<QuotaRequest> = [
  keyIdOf,
  (request) => request.ratePerSecond,
  (request) => request.burst,
  (request) => request.requestsPerDay,
  (request) => request.owed,
  (request) => request.needed,
  (request) => request.ahead,
  (request) => request.day,
  (request) => request.returned,
];

function readGrant(row: SqlRow): QuotaGrant {
  return {
    keyId: text(row, 'key_id'),
    tokens: int(row, 'tokens'),
    // The row contains a whole number of millionths.
    deficit: Number(big(row, 'micro_deficit')) / 1_000_000,
    quota: int(row, 'quota'),
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
 * The bucket stores the time at which it is full again (GCRA); the missing part is the deficit.
 * More than the burst comes from another rate limit or a wrong clock. The time is read under all
 * locks. Otherwise the deficit of a bucket emptied during the wait would be too large.
 */
const grantQuota = `
  with request as (
    select *
      from unnest($1::text[], $2::float8[], $3::float8[], $4::bigint[], $5::bigint[], $6::bigint[],
           $7::bigint[], $8::text[], $9::bigint[])
        as request (key_id, rate, burst, per_day, owed, needed, ahead, day_returned, returned)
  ), known as (
    select plan_use.*
      from request join plan_use on plan_use.key_id = request.key_id
     order by plan_use.key_id
       for update of plan_use
  ), moment as (
    select now,
           coalesce(($11::text[])[1],
                    to_char(to_timestamp(now / 1000000) at time zone 'utc', 'YYYY-MM-DD')) as today
      from (
        select coalesce(($10::float8[])[1], extract(epoch from clock_timestamp())::float8 * 1000000)
                 as now
          from (select count(*) from known) as locked) as clock
  ), state as (
    select request.*, now, today, owed + needed as wanted,
           least(burst, greatest(0, (full_at - now) * rate / 1000000)) as deficit,
           case when day <> today then 0
                when day_returned <> today then used
                else greatest(0, used - returned) end as used_today
      from request join known on known.key_id = request.key_id cross join moment
  ), rest as (
    select state.*, floor(burst - deficit + 0.000001) as free,
           greatest(0, per_day - used_today) as day_free
      from state
  ), rated as (
    select rest.*, least(free, wanted + least(ahead, greatest(0, floor((free - wanted) / 8)),
                                              day_free / 100)) as tokens
      from rest
  ), granted as (
    select rated.*, least(day_free, greatest(0, tokens - owed))::bigint as quota
      from rated
  )
  update plan_use
     set full_at = ceil(now + (deficit + tokens) * 1000000 / rate)::bigint,
         day = today, used = used_today + quota
    from granted
   where plan_use.key_id = granted.key_id
  returning plan_use.key_id, tokens::bigint as tokens, quota, today as day,
            ceil(deficit * 1000000)::bigint as micro_deficit`;
