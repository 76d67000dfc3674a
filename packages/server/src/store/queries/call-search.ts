import type { CallRecord } from '../../books/rows.ts';
import type { Query, SqlValue } from '../port/port.ts';
import { int, optionalText } from '../schema/columns.ts';
import { calls } from '../schema/tables.ts';

/** Undefined fields do not filter. */
export interface CallFilter {
  readonly app: string | undefined;
  readonly userId: string | undefined;
  readonly keyId: string | undefined;
  /** The caller's name for it, or its name in usage. */
  readonly model: string | undefined;
  readonly code: string | undefined;
  /** Time of admission: `since` inclusive, `until` exclusive. */
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly minPicoUsd: bigint | undefined;
  readonly isEstimated: boolean;
  readonly platform?: string | undefined;
  /** Only calls with a code other than OK. */
  readonly isFailed?: boolean;
  readonly apps?: readonly string[] | undefined;
  /** The id of the call or of an attempt. */
  readonly upstreamId?: string | undefined;
}

/** `from` inclusive, `before` exclusive. */
export interface IdRange {
  readonly from: string;
  readonly before: string;
}

/** `usage_late`: changed after their hour was closed. */
export type CallSource = 'call' | 'usage_late';

const stepOfCalls = `
  select count(*) as n, min(call_id) as oldest
    from (
      select call_id from call
       where call_id >= $1 and call_id < $2
       order by call_id desc
       limit $3) step`;
const steps: Readonly<Record<CallSource, string>> = {
  call: stepOfCalls,
  usage_late: stepOfCalls.replace('from call', 'from usage_late'),
};

/** The range of one read, newest first. */
export function selectStep(
  { from, before }: IdRange,
  rows: number,
  source: CallSource = 'call',
): Query<{ readonly rows: number; readonly oldest: string | undefined }> {
  return {
    sql: steps[source],
    values: [from, before, rows],
    map: ([row]) =>
      row === undefined
        ? { rows: 0, oldest: undefined }
        : { rows: int(row, 'n'), oldest: optionalText(row, 'oldest') },
  };
}

const selectRange = 'select * from call where call_id >= $1 and call_id < $2';

/** Newest first. */
export function selectMatchingCalls(
  { from, before }: IdRange,
  filter: CallFilter,
  limit: number,
): Query<readonly CallRecord[]> {
  const values: SqlValue[] = [from, before, limit];
  return {
    sql: [selectRange, ...filterConditions(filter, values), 'order by call_id desc limit $3'].join(
      ' ',
    ),
    values,
    map: (rows) => rows.map(calls.read),
  };
}

export function selectMostExpensiveCalls(
  { from, before }: IdRange,
  filter: CallFilter,
  { limit, source }: { readonly limit: number; readonly source: CallSource },
): Query<readonly CallRecord[]> {
  const values: SqlValue[] = [from, before, limit];
  const among = source === 'call' ? '' : isAdjusted;
  const sql = [
    selectRange,
    among,
    ...filterConditions(filter, values),
    'order by cost desc limit $3',
  ];
  return { sql: sql.join(' '), values, map: (rows) => rows.map(calls.read) };
}

const isAdjusted = `
   and call_id in (select call_id from usage_late where call_id >= $1 and call_id < $2)`;

/** Appends to `values`. */
export function filterConditions(filter: CallFilter, values: SqlValue[]): readonly string[] {
  return conditions(filter).map(([condition, value]) => {
    values.push(value);
    return `and (${condition.replaceAll('?', `$${values.length}`)})`;
  });
}

/** App names contain no comma and no `like` wildcard. */
const isAmongApps = "? like '%,' || app || ',%'";
const hasUpstreamId = `upstream_id = ? or exists (
    select 1 from attempt where attempt.call_id = call.call_id and attempt.upstream_id = ?)`;

function conditions(filter: CallFilter): readonly (readonly [string, SqlValue])[] {
  const all: readonly (readonly [string, SqlValue | undefined])[] = [
    ['app = ?', filter.app],
    ['user_id = ?', filter.userId],
    ['key_id = ?', filter.keyId],
    ['model = ? or usage_model = ?', filter.model],
    ['code = ?', filter.code],
    ['platform = ?', filter.platform],
    ['code <> ?', filter.isFailed === true ? 'OK' : undefined],
    ['started_at >= ?', filter.since],
    ['started_at < ?', filter.until],
    ['cost >= ?', filter.minPicoUsd],
    ['estimated >= ?', filter.isEstimated ? 1 : undefined],
    [isAmongApps, filter.apps && `,${filter.apps.join(',')},`],
    [hasUpstreamId, filter.upstreamId],
  ];
  return all.flatMap(([condition, value]) => (value === undefined ? [] : [[condition, value]]));
}
