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
import { AdminError } from '../admin-error.ts';
import { type AdminContext, readingAside } from '../context.ts';
import { closedParts, type Progress } from '../days/closed-parts.ts';
import { reportNames } from './report-names.ts';

/** What is asked for: UTC days, both included. */
export interface ReportAsked {
  readonly from: string;
  readonly to: string;
  readonly by: readonly Dimension[];
  /** A second split of the same moment, which users have no part in; undefined for none. */
  readonly alsoBy?: readonly Dimension[] | undefined;
  /** Undefined for all of them. */
  readonly apps: readonly string[] | undefined;
  /** Only so many rows, those that cost most; undefined for all. */
  readonly top: number | undefined;
}

/** What calls of some days came to. */
export interface Report {
  readonly rows: readonly ReportRow[];
  /** Of the second split: all of them. */
  readonly alsoRows: readonly ReportRow[];
  /** Of all rows, those that are left out as well. */
  readonly total: ReportRow['sums'];
  /** Rows there are in all. */
  readonly found: number;
}

/** What the store has of both splits. */
interface Groups {
  readonly groups: Iterable<Group>;
  readonly alsoGroups: Iterable<Group>;
}

/** How often a report is read again that sums or a prune have overtaken. */
const triesMax = 5;
/**
 * What calls came to at one moment, exactly as the ledger has it. The sums are brought up to date
 * first. Users by anything but their apps and whole months are read from the records, hour by hour.
 * Throws an AdminError for an app that is not there.
 */
export function readReport(
  context: AdminContext,
  catalog: Catalog,
  asked: ReportAsked,
  progress: Progress,
): Promise<Report> {
  return context.turns.take(
    () => reportOf(readingAside(context), catalog, asked, progress),
    (before) => progress(`${before} before this one`),
  );
}

async function reportOf(
  context: AdminContext,
  catalog: Catalog,
  asked: ReportAsked,
  progress: Progress,
): Promise<Report> {
  const names = await reportNames(context, catalog, asked.apps);
  await rollUp({
    ...context,
    onStep: (untilMs) => progress(`sums of calls until ${new Date(untilMs).toISOString()}`),
  });
  const { by, alsoBy, top } = asked;
  const alsoColumns = alsoBy && columnsOf(alsoBy);
  const wanted = { ...asked, columns: columnsOf(by), alsoColumns };
  if (top !== undefined && alsoBy === undefined && isOfUsers(wanted, by)) {
    const { groups, total, found } = await settled(context, (state) =>
      topAtMark(context, { ...wanted, top }, state),
    );
    const rows = await topOf(await rowsOf(groups, by, names), top);
    return { rows, alsoRows: [], total, found };
  }
  const read = await settled(context, (state) => groupsAt(context, wanted, state, progress));
  const rows = await rowsOf(read.groups, by, names);
  return {
    rows: top === undefined ? rows : await topOf(rows, top),
    alsoRows: await rowsOf(read.alsoGroups, alsoBy ?? [], names),
    total: await totalOf(rows),
    found: rows.length,
  };
}

/** Users of one month by nothing but what follows from them and their app. */
function isOfUsers(wanted: SumsOf, by: readonly Dimension[]): boolean {
  const isOneMonth = wanted.from.slice(0, 7) === wanted.to.slice(0, 7) && isWholeMonths(wanted);
  return isOneMonth && by.includes('app') && wanted.columns.includes('userId') && isKept(wanted);
}

function isKept({ columns }: SumsOf): boolean {
  return columns.every((column) => column === 'app' || column === 'userId');
}

/** What is read at one mark of the sums; `read` answers undefined where they have moved on. */
async function settled<T>(
  { store }: AdminContext,
  read: (state: RollupState) => Promise<T | undefined>,
): Promise<T> {
  for (let tries = 0; tries < triesMax; tries++) {
    const state = await store.read(selectRollupState);
    if (state === undefined) break;
    const found = await read(state);
    if (found !== undefined) return found;
  }
  throw new AdminError('the sums of calls change too fast to be read: try again in a minute');
}

async function topAtMark(
  { store }: AdminContext,
  wanted: TopUsersOf,
  { rolledUntil }: RollupState,
): Promise<TopUsers | undefined> {
  const read = await store.read(selectTopUsers(wanted, rolledUntil));
  return read.rolledUntil === rolledUntil ? read : undefined;
}

function groupsAt(context: AdminContext, wanted: SumsOf, state: RollupState, progress: Progress) {
  return wanted.columns.includes('userId')
    ? userGroups(context, wanted, state, progress)
    : atMark(context, selectSplitSums(wanted, state.rolledUntil), state);
}

async function atMark(
  { store }: AdminContext,
  query: ReturnType<typeof selectSplitSums>,
  { rolledUntil }: RollupState,
): Promise<Groups | undefined> {
  const read = await store.read(query);
  return read.rolledUntil === rolledUntil ? read : undefined;
}

function userGroups(context: AdminContext, wanted: SumsOf, state: RollupState, progress: Progress) {
  return isKept(wanted) && isWholeMonths(wanted)
    ? atMark(context, selectUserSums(wanted, state.rolledUntil), state)
    : fromRecords(context, wanted, state, progress);
}

function isWholeMonths({ from, to }: SumsOf): boolean {
  const dayAfter = new Date(Date.parse(to) + 86_400_000).toISOString();
  return from.endsWith('-01') && dayAfter.slice(8, 10) === '01';
}

/**
 * What closed calls were is the same whenever it is read, so hours are read one by one; the last
 * statement has what changed since and the open calls, and its moment is the report's. Undefined
 * where records were pruned meanwhile.
 */
async function fromRecords(
  { store }: AdminContext,
  wanted: SumsOf,
  { closedUntil }: RollupState,
  progress: Progress,
): Promise<Groups | undefined> {
  const closed = await closedParts(store, wanted, closedUntil, progress);
  const last = await store.read(selectBehind(wanted, closedUntil));
  if (last.prunedSteps !== closed[0]?.prunedSteps) return undefined;
  const all = [...closed, last];
  return {
    groups: joined(all.map(({ groups }) => groups)),
    alsoGroups: joined(all.map(({ alsoGroups }) => alsoGroups)),
  };
}

/** One after the other; made as they are asked for. */
function joined(parts: readonly Iterable<Group>[]): Iterable<Group> {
  return {
    *[Symbol.iterator]() {
      for (const part of parts) yield* part;
    },
  };
}
