import type { Hold } from '../../books/rows.ts';
import type { Query, SqlValue } from '../port/port.ts';
import { andAmong } from '../schema/among.ts';
import { int } from '../schema/columns.ts';
import { holds } from '../schema/tables.ts';

/** Undefined fields do not filter. */
export interface RunningFilter {
  readonly apps: readonly string[] | undefined;
  readonly model: string | undefined;
}

const selectOlder = 'select * from hold where call_id < $1';
const selectCount = 'select count(*) as n from hold where 1 = 1';

/** Newest first. */
export function selectRunning(
  filter: RunningFilter,
  before: string,
  limit: number,
): Query<readonly Hold[]> {
  const [conditions, values] = filterConditions(filter, [before, limit]);
  return {
    sql: [selectOlder, conditions, 'order by call_id desc limit $2'].join(' '),
    values,
    map: (rows) => rows.map(holds.read),
  };
}

export function selectRunningCount(filter: RunningFilter): Query<number> {
  const [conditions, values] = filterConditions(filter, []);
  return {
    sql: [selectCount, conditions].join(' '),
    values,
    map: ([row]) => (row === undefined ? 0 : int(row, 'n')),
  };
}

function filterConditions(
  { apps, model }: RunningFilter,
  before: readonly SqlValue[],
): readonly [conditions: string, values: readonly SqlValue[]] {
  const among = andAmong(apps, before.length);
  const values = [...before, ...(apps ?? [])];
  if (model === undefined) return [among, values];
  return [[among, `and model = $${values.length + 1}`].join(' '), [...values, model]];
}
