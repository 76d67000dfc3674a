import type { Query, SqlValue, Statement } from '../port/port.ts';
import type { CallFilter, IdRange } from '../queries/call-search.ts';
import { big, text } from '../schema/columns.ts';

/** Ids up to which maximum costs are stored, and can be stored: earlier calls have ended. */
export interface MaximumCostState {
  readonly peakedUntil: string;
  readonly rolledUntil: string;
}

/** Undefined if no rollups were ever made. */
export const selectMaximumCostState: Query<MaximumCostState | undefined> = {
  sql: `
    select coalesce(peaked_until, '') as peaked_until, rolled_until
      from rollup_state where id = 1`,
  values: [],
  map: ([row]) =>
    row && { peakedUntil: text(row, 'peaked_until'), rolledUntil: text(row, 'rolled_until') },
};

/** The id prefix that the calls of 17 minutes share. */
export const bucketLength = 11;

const moveWatermark = `
  update rollup_state set peaked_until = $2
   where id = 1 and coalesce(peaked_until, '') = $1 and rolled_until >= $2`;
const raiseMaximumCosts = `
  insert into call_peak (bucket, app, model, usage_model, cost)
  select substr(call_id, 1, ${bucketLength}) as bucket, app, model, usage_model, max(cost)
    from call
   where call_id >= $1 and call_id < $2 and cost > 0
   group by substr(call_id, 1, ${bucketLength}), app, model, usage_model
   order by bucket, app, model, usage_model
  on conflict (bucket, app, model, usage_model) do update
     set cost = excluded.cost
   where excluded.cost > call_peak.cost`;

/** For calls in the rollups. Does nothing unless `from` is the current end. */
export function maximumCostStep(from: string, until: string): readonly Statement[] {
  const values = [from, until];
  return [
    { sql: moveWatermark, values, abortIfNoRows: true },
    { sql: raiseMaximumCosts, values },
  ];
}

export function deleteMaximumCosts(before: string): Statement {
  return {
    sql: 'delete from call_peak where bucket < $1',
    values: [before.slice(0, bucketLength)],
  };
}

/** The highest cost of 17 minutes when recorded. */
export interface MaximumCost {
  readonly bucket: string;
  readonly cost: bigint;
}

/** `model`: the caller's name for it, or its name in usage. */
export function selectMaximumCosts(
  { from, before }: IdRange,
  { app, apps, model }: Pick<CallFilter, 'app' | 'apps' | 'model'>,
  most: number,
): Query<readonly MaximumCost[]> {
  const ends = [from, before].map((id) => id.slice(0, bucketLength));
  const values: SqlValue[] = [...ends, most];
  const filters = [
    ['app = ?', app],
    ["? like '%,' || app || ',%'", apps && `,${apps.join(',')},`],
    ['model = ? or usage_model = ?', model],
  ] as const;
  const conditions = filters.flatMap(([condition, value]) => {
    if (value === undefined) return [];
    values.push(value);
    return [`and (${condition.replaceAll('?', `$${values.length}`)})`];
  });
  return {
    sql: `
      select bucket, max(cost) as cost
        from call_peak
       where bucket >= $1 and bucket <= $2 ${conditions.join(' ')}
       group by bucket
       order by max(cost) desc, bucket desc
       limit $3`,
    values,
    map: (rows) => rows.map((row) => ({ bucket: text(row, 'bucket'), cost: big(row, 'cost') })),
  };
}
