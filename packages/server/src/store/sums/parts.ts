import type { UsageSums } from '../../books/splits.ts';
import type { SqlRow } from '../port/port.ts';
import { createReader } from '../schema/describe.ts';
import { usageSums } from '../schema/sum-tables.ts';
import { table } from '../schema/table.ts';
import { asSum, sumOf, wideSum } from '../schema/wide-sums.ts';

export const sumColumns = table('usage_sums', [], usageSums).columns.map(({ name }) => name);

const isUnpriced = `(price_version is null or price_version like 'dearest-%')`;
const tokenColumns = sumColumns.slice(2, 7);
const hourColumn = 'cache_write1h_input_tokens';

/**
 * By model and platform, like `splitsOf`: attempts under their own models. `range` is a condition
 * on `call_id`, `calls` on the call.
 */
export function callParts(range: string, calls = '1 = 1'): string {
  return `
      select call_id, day, app, usage_model as model, coalesce(platform, '') as platform,
             coalesce(key_id, '') as key_id, coalesce(user_id, '') as user_id,
             1 as calls, case when code = 'OK' then 0 else 1 end as errors,
             ${tokenColumns.join(', ')},
             coalesce(${hourColumn}, 0) as ${hourColumn}, cost, estimated,
             case when basis = 'corrected' then cost - estimated else 0 end as corrected,
             case when ${isUnpriced} then cost else 0 end as unpriced,
             case when ${isUnpriced} then 1 else 0 end as unpriced_calls
        from call
       where ${range} and ${calls}
       union all
      select attempt.call_id, call.day, call.app, attempt.usage_model, coalesce(attempt.platform, ''),
             coalesce(call.key_id, ''), coalesce(call.user_id, ''), 0, 0,
             ${tokenColumns.map((name) => `attempt.${name}`).join(', ')},
             coalesce(attempt.${hourColumn}, 0), attempt.cost,
             case when attempt.basis = 'estimated' then attempt.cost else 0 end,
             case when attempt.basis = 'corrected' then attempt.cost else 0 end,
             case when attempt.price_version is null or attempt.price_version like 'dearest-%'
                  then attempt.cost else 0 end, 0
        from attempt
       cross join call
       where attempt.${range.replaceAll(' call_id', ' attempt.call_id')}
         and call.call_id = attempt.call_id and ${calls}
       union all
      select call.call_id, call.day, call.app, call.usage_model, coalesce(call.platform, ''),
             coalesce(call.key_id, ''), coalesce(call.user_id, ''), 0, 0,
             ${tokenColumns.map((name) => `-call.${name}`).join(', ')},
             -coalesce(call.${hourColumn}, 0), -given.cost, -given.estimated,
             case when call.basis = 'corrected' then given.estimated - given.cost else 0 end,
             case when ${isUnpriced} then -given.cost else 0 end, 0
        from (
          select call_id, sum(cost) as cost,
                 sum(case when basis = 'estimated' then cost else 0 end) as estimated
            from attempt
           where ${range}
           group by call_id) given
       cross join call
       where call.call_id = given.call_id and ${calls}`;
}

/** `sign` `-` subtracts. */
export function adjustmentParts(range: string, sign: '' | '-' = ''): string {
  const sums = sumColumns.map((name) => `${sign}${name} as ${name}`).join(', ');
  return `
      select call_id, day, app, model, platform, key_id, user_id, ${sums}
        from usage_late
       where ${range}`;
}

/** Amounts whose sums may exceed 64 bits. */
export const amounts: readonly string[] = ['cost', 'estimated', 'corrected', 'unpriced'];

export const totals = sumColumns
  .map((name) =>
    amounts.includes(name)
      ? `${sumOf(name)} as ${name}`
      : `cast(coalesce(sum(${name}), 0) as bigint) as ${name}`,
  )
  .join(', ');

export const asTotals = sumColumns.map((name) =>
  amounts.includes(name) ? `${asSum(name)} as ${name}` : name,
);

const readValues = createReader(usageSums, sumColumns);

export function readSums(row: SqlRow): UsageSums {
  return readValues(
    sumColumns.map((name) => (amounts.includes(name) ? wideSum(row, name) : row[name])),
  );
}

/** Databases add up in a wider type than the column's. */
export const addedUp = sumColumns
  .map((name) => `cast(sum(${name}) as bigint) as ${name}`)
  .join(', ');

/** In key order. */
export function addGroups(
  into: string,
  key: readonly (readonly [column: string, value: string])[],
  parts: string,
): string {
  const columns = key.map(([column]) => column);
  const values = key.map(([column, value]) => `${value} as ${column}`);
  const groups = key.map(([, value]) => value).join(', ');
  const set = sumColumns.map((name) => `${name} = ${into}.${name} + excluded.${name}`);
  return `
    insert into ${into} (${[...columns, ...sumColumns].join(', ')})
    select ${values.join(', ')}, ${addedUp}
      from (${parts}) parts
     group by ${groups}
     order by ${groups}
    on conflict (${columns.join(', ')}) do update
       set ${set.join(', ')}`;
}
