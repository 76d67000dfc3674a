import { addSums, type UsageSums } from '../../books/splits.ts';
import { rollUp } from '../../ledger/rollups.ts';
import { lastDayOfMonth } from '../../lib/clock.ts';
import { noSums } from '../../reports/report.ts';
import type { Statement } from '../../store/port/port.ts';
import {
  isSameSums,
  putSplit,
  putUser,
  selectSplitsOf,
  selectUnprunedMonths,
  selectUsersOf,
  unlessMoved,
} from '../../store/sums/rebuild.ts';
import type { GroupSums, SumsOf } from '../../store/sums/report-sums.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import { closedParts, type Progress } from '../days/closed-parts.ts';
import { type Operation, ofType, operation } from '../description/operation.ts';

export interface RebuildResult {
  readonly months: readonly string[];
  readonly rows: number;
}

/** Blocks the database for a few milliseconds. */
const stepRows = 250;

/**
 * Rebuilds rollups from records; months with pruned records stay. Can be interrupted and repeated;
 * a dry run only counts. Throws an AdminError if an hour closes or a prune runs during the rebuild.
 */
export function rebuildRollups(
  context: AdminContext,
  progress: Progress,
  isDry = false,
): Promise<RebuildResult> {
  return context.reportQueue.run(() => rebuild(withOperatorReads(context), progress, isDry));
}

async function rebuild(
  context: AdminContext,
  progress: Progress,
  isDry: boolean,
): Promise<RebuildResult> {
  const { rolledUntil } = await rollUp(context);
  const months = await context.store.read(selectUnprunedMonths);
  let rows = 0;
  for (const month of months) {
    rows += await rebuildSplits(context, { month, rolledUntil, progress, isDry });
    rows += await rebuildUsers(context, { month, rolledUntil, progress, isDry });
  }
  if (rows > 0 && !isDry) await context.store.write([auditLine(context, changeOf(rows))]);
  return { months, rows };
}

function changeOf(rows: number) {
  return { action: 'rollups.rebuild', subject: 'reports', after: `${rows} rows` };
}

interface Month {
  readonly month: string;
  readonly rolledUntil: string;
  readonly progress: Progress;
  readonly isDry: boolean;
}

async function rebuildSplits(context: AdminContext, month: Month): Promise<number> {
  const columns = ['day', 'app', 'model', 'platform', 'keyId'] as const;
  const before = await context.store.read(selectSplitsOf(month.month));
  const { sums, prunedSteps } = await recomputeSums(context, month, columns);
  const keyOf = (row: Pick<GroupSums, (typeof columns)[number]>) =>
    columns.map((column) => row[column]).join('\n');
  const all = new Map([...before, ...sums].map((row) => [keyOf(row), row]));
  const statements = changesOf(all, byKey(before, keyOf), byKey(sums, keyOf), putSplit);
  return put(context, statements, { ...month, prunedSteps });
}

async function rebuildUsers(context: AdminContext, month: Month): Promise<number> {
  const before = await context.store.read(selectUsersOf(month.month));
  const read = await recomputeSums(context, month, ['app', 'userId']);
  const sums = read.sums.map((row) => ({ ...row, month: month.month }));
  const keyOf = (row: { app: string; userId: string }) => `${row.app}\n${row.userId}`;
  const all = new Map([...before, ...sums].map((row) => [keyOf(row), row]));
  const statements = changesOf(all, byKey(before, keyOf), byKey(sums, keyOf), putUser);
  return put(context, statements, { ...month, prunedSteps: read.prunedSteps });
}

async function recomputeSums(
  { store }: AdminContext,
  { month, rolledUntil, progress }: Month,
  columns: SumsOf['columns'],
) {
  const query = { columns, from: `${month}-01`, to: lastDayOfMonth(month), apps: undefined };
  const parts = await closedParts(store, query, rolledUntil, progress);
  return {
    sums: parts.flatMap(({ groups }) => [...groups]),
    prunedSteps: parts[0]?.prunedSteps ?? 0,
  };
}

function byKey<Row extends UsageSums>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const sums = new Map<string, UsageSums>();
  for (const row of rows) {
    const key = keyOf(row);
    sums.set(key, addSums(sums.get(key) ?? noSums, row));
  }
  return sums;
}

/** A row that should not exist gets zeros. */
function changesOf<Row extends UsageSums>(
  all: ReadonlyMap<string, Row>,
  before: ReadonlyMap<string, UsageSums>,
  expected: ReadonlyMap<string, UsageSums>,
  putRow: (row: Row) => Statement,
): readonly Statement[] {
  return [...all].flatMap(([key, row]) => {
    const sums = addSums(noSums, expected.get(key) ?? noSums);
    const isSame = isSameSums(before.get(key) ?? noSums, sums);
    return isSame ? [] : [putRow({ ...row, ...sums })];
  });
}

async function put(
  { store }: AdminContext,
  statements: readonly Statement[],
  {
    rolledUntil,
    prunedSteps,
    isDry,
  }: Pick<Month, 'rolledUntil' | 'isDry'> & { readonly prunedSteps: number },
): Promise<number> {
  if (isDry) return statements.length;
  for (let at = 0; at < statements.length; at += stepRows) {
    const step = statements.slice(at, at + stepRows);
    const [unchangedCount] = await store.write([unlessMoved(rolledUntil, prunedSteps), ...step]);
    if (unchangedCount === 0) {
      throw new AdminError(
        'data changed during the rebuild (an hour closed or records were pruned); run it again',
      );
    }
  }
  return statements.length;
}

const rebuildOperation = operation({
  name: 'rollups rebuild',
  about: 'recompute rollups from call records and correct differences',
  right: 'operate',
  kind: 'change',
  opens: 'store',
  result: ofType<RebuildResult>(),
  async plan({ admin, progress }) {
    const { rows } = await rebuildRollups(admin, progress, true);
    return { changes: rows === 0 ? [] : [{ before: null, ...changeOf(rows) }], result: null };
  },
  run: ({ admin, progress }) => rebuildRollups(admin, progress),
  lines({ months, rows }) {
    const outcome = rows === 0 ? 'no differences' : `${rows} rollups corrected`;
    return [`${months.length} months compared with their records; ${outcome}.`];
  },
});

export const rollups: readonly Operation[] = [rebuildOperation];
