import type { UsageSums } from '../../books/splits.ts';
import type { Query, SqlRow } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';
import { adjustmentParts, callParts, readSums, sumColumns, totals } from './parts.ts';

export type SplitColumn = 'day' | 'app' | 'model' | 'platform' | 'keyId' | 'userId';

/** UTC days, both inclusive. */
export interface SumsOf {
  readonly columns: readonly SplitColumn[];
  /** A second split of the same snapshot. */
  readonly alsoColumns?: readonly SplitColumn[] | undefined;
  readonly from: string;
  readonly to: string;
  /** Undefined: all apps. */
  readonly apps: readonly string[] | undefined;
}

/** Columns outside the split are `''`. */
export type GroupSums = Readonly<Record<SplitColumn, string>> & UsageSums;

/** One snapshot, with watermarks to match others. */
export interface ReadSums {
  readonly rolledUntil: string;
  readonly prunedSteps: number;
  readonly groups: Iterable<GroupSums>;
  readonly alsoGroups: Iterable<GroupSums>;
}

const names = {
  day: 'day',
  app: 'app',
  model: 'model',
  platform: 'platform',
  keyId: 'key_id',
  userId: 'user_id',
} as const satisfies Record<SplitColumn, string>;

/** Without users: closed hours, their adjustments, and later calls. */
export function selectSplitSums(selection: SumsOf, rolledUntil: string): Query<ReadSums> {
  return sumsOf(selection, [rolledUntil], (columns) => [
    `select ${columns} from usage_split where day >= $2 and day <= $3`,
    ...behind(columns),
  ]);
}

/** Whole months; `columns` are app and user. */
export function selectUserSums(selection: SumsOf, rolledUntil: string): Query<ReadSums> {
  return sumsOf(selection, [rolledUntil], (columns) => [
    `select ${columns} from usage_user_month
      where month >= substr($2, 1, 7) and month <= substr($3, 1, 7)`,
    ...behind(columns),
  ]);
}

export function selectPrunedSums(selection: SumsOf): Query<ReadSums> {
  return sumsOf(selection, [''], (columns) => [
    `select ${columns} from usage_pruned where $1 = '' and day >= $2 and day <= $3`,
  ]);
}

export function selectEnds(range: {
  readonly after: string;
  readonly until: string;
}): Query<{ readonly first: string; readonly last: string } | undefined> {
  const ends = ['call', 'usage_late'].flatMap((name) =>
    ['min', 'max'].map(
      (end) => `select ${end}(call_id) as id from ${name} where call_id >= $1 and call_id < $2`,
    ),
  );
  return {
    sql: `select min(id) as first, max(id) as last from (${ends.join(' union all ')}) ends`,
    values: [range.after, range.until],
    isLong: true,
    map: ([row]) => {
      if (row === undefined || row.first === null) return undefined;
      return { first: text(row, 'first'), last: text(row, 'last') };
    },
  };
}

/** The state at the closing, whenever it is read. */
export function selectClosedSums(
  selection: SumsOf,
  { after, until }: { readonly after: string; readonly until: string },
): Query<ReadSums> {
  const range = 'call_id >= $1 and call_id < $4';
  return sumsOf(
    selection,
    [after],
    (columns) => [
      `select ${columns} from (${callParts(range)}) calls where day >= $2 and day <= $3`,
      `select ${columns} from (${adjustmentParts(range, '-')}) late where day >= $2 and day <= $3`,
    ],
    [until],
  );
}

/** Adjustments of closed calls, and later calls. */
export function selectBehind(selection: SumsOf, closedUntil: string): Query<ReadSums> {
  return sumsOf(selection, [closedUntil], behind);
}

function behind(columns: string): readonly string[] {
  return [
    `select ${columns} from usage_late where call_id < $1 and day >= $2 and day <= $3`,
    `select ${columns} from (${callParts('call_id >= $1')}) calls where day >= $2 and day <= $3`,
  ];
}

/** `$1` is an id, `$2` and `$3` days; `more` is next, then the apps. */
function sumsOf(
  { columns, alsoColumns, from, to, apps }: SumsOf,
  first: readonly [string],
  parts: (columns: string) => readonly string[],
  more: readonly string[] = [],
): Query<ReadSums> {
  const splits = alsoColumns === undefined ? [columns] : [columns, alsoColumns];
  const all = [...new Set(splits.flat())];
  const values = [...first, from, to, ...more];
  const needed = [...new Set([...all, ...(apps === undefined ? [] : (['app'] as const))])];
  const among = (apps ?? []).map((_, index) => `$${values.length + index + 1}`);
  const where = apps === undefined ? '' : `where app in (${among.join(', ')})`;
  const read = parts([...needed.map((column) => names[column]), ...sumColumns].join(', '));
  const grouped = splits.map((split, at) => groupsOf(split, all, at + 1));
  return {
    sql: `
      with parts as (select * from (${read.join(' union all ')}) read ${where})
      select state.rolled_until, state.pruned_steps, sums.*
        from (
          select coalesce(max(rolled_until), '') as rolled_until,
                 coalesce(max(pruned_steps), 0) as pruned_steps
            from rollup_state) state
        left join (${grouped.join(' union all ')}) sums on sums.calls is not null`,
    values: [...values, ...(apps ?? [])],
    isLong: true,
    map: (rows) => ({
      rolledUntil: rows[0] === undefined ? '' : text(rows[0], 'rolled_until'),
      prunedSteps: rows[0] === undefined ? 0 : int(rows[0], 'pruned_steps'),
      groups: groupsIn(rows, columns, 1),
      alsoGroups: groupsIn(rows, alsoColumns ?? [], 2),
    }),
  };
}

/** Created on demand, because there may be very many. */
function groupsIn(
  rows: readonly SqlRow[],
  columns: readonly SplitColumn[],
  split: number,
): Iterable<GroupSums> {
  return {
    *[Symbol.iterator]() {
      for (const row of rows) {
        if (row.calls !== null && Number(row.split) === split) yield groupOf(columns, row);
      }
    },
  };
}

function groupsOf(split: readonly SplitColumn[], all: readonly SplitColumn[], number: number) {
  const columns = all.map((column) =>
    split.includes(column) ? names[column] : `'' as ${names[column]}`,
  );
  const by = split.length === 0 ? '' : `group by ${split.map((one) => names[one]).join(', ')}`;
  return `select ${[`${number} as split`, ...columns, totals].join(', ')} from parts ${by}`;
}

function groupOf(columns: readonly SplitColumn[], row: SqlRow): GroupSums {
  const group = { day: '', app: '', model: '', platform: '', keyId: '', userId: '' };
  for (const column of columns) group[column] = text(row, names[column]);
  return { ...group, ...readSums(row) };
}
