import type { Catalog } from '../../catalog/catalog.ts';
import { rollUp } from '../../ledger/rollups.ts';
import { columnsOf, type Dimension } from '../../reports/dimensions.ts';
import { type Group, type ReportRow, rowsOf, topOf, totalOf } from '../../reports/report.ts';
import {
  type SumsOf,
  selectBehind,
  selectSplitSums,
  selectUserSums,
} from '../../store/sums/report-sums.ts';
import { type RollupState, selectRollupState } from '../../store/sums/rollups.ts';
import { selectTopUsers, type TopUsers, type TopUsersOf } from '../../store/sums/top-users.ts';
import { AdminError } from '../context/admin-error.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import { closedParts, type Progress } from '../days/closed-parts.ts';
import { reportNames } from './report-names.ts';

/** UTC days, both included. */
export interface ReportQuery {
  readonly from: string;
  readonly to: string;
  readonly by: readonly Dimension[];
  /** Another split of the same read, without users. */
  readonly alsoBy?: readonly Dimension[] | undefined;
  /** Undefined: all. */
  readonly apps: readonly string[] | undefined;
  /** The most expensive rows; undefined: all. */
  readonly top: number | undefined;
}

export interface Report {
  readonly rows: readonly ReportRow[];
  /** All rows of the second split. */
  readonly alsoRows: readonly ReportRow[];
  readonly total: ReportRow['sums'];
  readonly found: number;
}

interface Groups {
  readonly groups: Iterable<Group>;
  readonly alsoGroups: Iterable<Group>;
}

/** Retries after rollups or a prune overtook the report. */
const triesMax = 5;
/**
 * Returns exactly the ledger's amounts at one time; updates the rollups first. Users split by more
 * than apps and whole months are read from records, hour by hour. Throws an AdminError for an
 * unknown app.
 */
export function readReport(
  context: AdminContext,
  catalog: Catalog,
  query: ReportQuery,
  progress: Progress,
): Promise<Report> {
  return context.reportQueue.run(
    () => reportOf(withOperatorReads(context), catalog, query, progress),
    (before) => progress(`${before} before this one`),
  );
}

async function reportOf(
  context: AdminContext,
  catalog: Catalog,
  query: ReportQuery,
  progress: Progress,
): Promise<Report> {
  const names = await reportNames(context, catalog, query.apps);
  await rollUp({
    ...context,
    onStep: (untilMs) => progress(`sums of calls until ${new Date(untilMs).toISOString()}`),
  });
  const { by, alsoBy, top } = query;
  const alsoColumns = alsoBy && columnsOf(alsoBy);
  const sumsQuery = { ...query, columns: columnsOf(by), alsoColumns };
  if (top !== undefined && alsoBy === undefined && isOfUsers(sumsQuery, by)) {
    const { groups, total, userCount } = await readSettled(context, (state) =>
      topAtMark(context, { ...sumsQuery, top }, state),
    );
    const rows = await topOf(await rowsOf(groups, by, names), top);
    return { rows, alsoRows: [], total, found: userCount };
  }
  const read = await readSettled(context, (state) => groupsAt(context, sumsQuery, state, progress));
  const rows = await rowsOf(read.groups, by, names);
  return {
    rows: top === undefined ? rows : await topOf(rows, top),
    alsoRows: await rowsOf(read.alsoGroups, alsoBy ?? [], names),
    total: await totalOf(rows),
    found: rows.length,
  };
}

/** True for one month, split only by app, user and their attributes. */
function isOfUsers(sumsQuery: SumsOf, by: readonly Dimension[]): boolean {
  const isOneMonth =
    sumsQuery.from.slice(0, 7) === sumsQuery.to.slice(0, 7) && isWholeMonths(sumsQuery);
  return (
    isOneMonth &&
    by.includes('app') &&
    sumsQuery.columns.includes('userId') &&
    hasStoredSums(sumsQuery)
  );
}

function hasStoredSums({ columns }: SumsOf): boolean {
  return columns.every((column) => column === 'app' || column === 'userId');
}

/**
 * Retries until one rollup state covers the whole read; `read` returns undefined if the state moved
 * on.
 */
async function readSettled<T>(
  { store }: AdminContext,
  read: (state: RollupState) => Promise<T | undefined>,
): Promise<T> {
  for (let tries = 0; tries < triesMax; tries++) {
    const state = await store.read(selectRollupState);
    if (state === undefined) break;
    const result = await read(state);
    if (result !== undefined) return result;
  }
  throw new AdminError('the sums of calls change too fast to be read; try again in 1 minute');
}

async function topAtMark(
  { store }: AdminContext,
  sumsQuery: TopUsersOf,
  { rolledUntil }: RollupState,
): Promise<TopUsers | undefined> {
  const read = await store.read(selectTopUsers(sumsQuery, rolledUntil));
  return read.rolledUntil === rolledUntil ? read : undefined;
}

function groupsAt(
  context: AdminContext,
  sumsQuery: SumsOf,
  state: RollupState,
  progress: Progress,
) {
  return sumsQuery.columns.includes('userId')
    ? userGroups(context, sumsQuery, state, progress)
    : atMark(context, selectSplitSums(sumsQuery, state.rolledUntil), state);
}

async function atMark(
  { store }: AdminContext,
  query: ReturnType<typeof selectSplitSums>,
  { rolledUntil }: RollupState,
): Promise<Groups | undefined> {
  const read = await store.read(query);
  return read.rolledUntil === rolledUntil ? read : undefined;
}

function userGroups(
  context: AdminContext,
  sumsQuery: SumsOf,
  state: RollupState,
  progress: Progress,
) {
  return hasStoredSums(sumsQuery) && isWholeMonths(sumsQuery)
    ? atMark(context, selectUserSums(sumsQuery, state.rolledUntil), state)
    : fromRecords(context, sumsQuery, state, progress);
}

function isWholeMonths({ from, to }: SumsOf): boolean {
  const dayAfter = new Date(Date.parse(to) + 86_400_000).toISOString();
  return from.endsWith('-01') && dayAfter.slice(8, 10) === '01';
}

/**
 * Closed calls never change, so hours are read one by one. The last statement reads later changes
 * and open calls, and sets the report's time. Undefined if a prune ran during the read.
 */
async function fromRecords(
  { store }: AdminContext,
  sumsQuery: SumsOf,
  { closedUntil }: RollupState,
  progress: Progress,
): Promise<Groups | undefined> {
  const closed = await closedParts(store, sumsQuery, closedUntil, progress);
  const last = await store.read(selectBehind(sumsQuery, closedUntil));
  if (last.prunedSteps !== closed[0]?.prunedSteps) return undefined;
  const all = [...closed, last];
  return {
    groups: joined(all.map(({ groups }) => groups)),
    alsoGroups: joined(all.map(({ alsoGroups }) => alsoGroups)),
  };
}

/** Yields groups lazily, one part after the other. */
function joined(parts: readonly Iterable<Group>[]): Iterable<Group> {
  return {
    *[Symbol.iterator]() {
      for (const part of parts) yield* part;
    },
  };
}
