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

/** In id order, because other processes update the same keys. */
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

export interface OldKey {
  readonly id: string;
  readonly name: string;
  readonly customerId: string;
  readonly expiresAt: number;
}

interface OldKeys {
  readonly nowMs: number;
  /** Latest expiry. */
  readonly untilMs: number;
  readonly usedSinceMs: number;
  readonly limit: number;
}

/**
 * Replaced keys that still work and were used after the rotation, in order of expiry. A heartbeat
 * records the last use: only a minute later was it certainly after the rotation.
 */
export function selectOldKeysInUse(filter: OldKeys): Query<readonly OldKey[]> {
  return {
    sql: `
      select old.id, old.name, old.customer_id, old.expires_at
        from api_key old
        join key_use on key_use.key_id = old.id
       where old.enabled = 1 and old.expires_at > $1 and old.expires_at <= $2
         and key_use.last_used_at >= $3
         and exists (
           select 1 from api_key next
            where next.customer_id = old.customer_id and next.id <> old.id
              and coalesce(next.lineage, next.id) = coalesce(old.lineage, old.id)
              and next.created_at >= old.created_at
              and next.created_at + 60000 <= key_use.last_used_at
              and next.enabled = 1 and (next.expires_at is null or next.expires_at > $1))
       order by old.expires_at, old.id
       limit $4`,
    values: [filter.nowMs, filter.untilMs, filter.usedSinceMs, filter.limit],
    map: (rows) =>
      rows.map((row) => ({
        ...{ id: text(row, 'id'), name: text(row, 'name') },
        customerId: text(row, 'customer_id'),
        expiresAt: int(row, 'expires_at'),
      })),
  };
}

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
