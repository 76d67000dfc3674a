import type { Query, Statement } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';
import { insertOr } from '../schema/row-statement.ts';
import { keyUses } from '../schema/service-tables.ts';
import { wideSum, withSums } from '../schema/wide-sums.ts';
import type { IdRange } from './call-search.ts';

const putUse = insertOr(
  keyUses,
  ['last_used_at = excluded.last_used_at'],
  'where key_use.last_used_at < excluded.last_used_at',
);

/** In id order: other processes note the same keys. */
export function noteUse(keyIds: readonly string[], lastUsedAt: number): readonly Statement[] {
  return keyIds
    .toSorted()
    .map((keyId) => ({ sql: putUse.sql, values: putUse.bind({ keyId, lastUsedAt }) }));
}

export const selectKeyUse: Query<ReadonlyMap<string, number>> = {
  sql: 'select * from key_use',
  values: [],
  map: (rows) =>
    new Map(rows.map(keyUses.read).map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt])),
};

export interface KeySum {
  readonly keyId: string;
  readonly calls: number;
  readonly cost: bigint;
}

/** Calls that `day` pays for. */
export function selectKeySums({ from, before }: IdRange, day: string): Query<readonly KeySum[]> {
  return {
    sql: withSums(`
      select key_id, count(*) as n, wide_sum(cost) as cost
        from call
       where call_id >= $1 and call_id < $2 and day = $3 and key_id is not null
       group by key_id`),
    values: [from, before, day],
    map: (rows) =>
      rows.map((row) => ({
        keyId: text(row, 'key_id'),
        calls: int(row, 'n'),
        cost: wideSum(row, 'cost'),
      })),
  };
}
