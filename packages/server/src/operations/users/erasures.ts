import type { CallRecord } from '../../books/rows.ts';
import { scopeKeysIn } from '../../books/scope.ts';
import { sleep, utcDayOf, utcMonthOf } from '../../lib/clock.ts';
import { firstCallIdAt } from '../../lib/id.ts';
import type { Query } from '../../store/port/port.ts';
import type { CallFilter } from '../../store/queries/call-search.ts';
import { selectMatchingCalls, selectStep } from '../../store/queries/call-search.ts';
import * as queries from '../../store/queries/erasures.ts';
import type { UserErasure } from '../../store/schema/erasure-table.ts';
import {
  type ClosedBefore,
  type Renamed,
  type RenamedList,
  renameCalls,
  scopeOfUser,
} from '../../store/sums/rename-calls.ts';
import { renameRest } from '../../store/sums/rename-rest.ts';
import type { AdminContext } from '../context/context.ts';

export interface ErasureProgress {
  readonly calls: number;
  /** No record of the requested months contains the name. */
  readonly isDone: boolean;
  readonly isWaiting: boolean;
}

export type OpenErasure = UserErasure & Renamed;

/** A record that ended more recently may be settled again; a lost call for much longer. */
const restMs = 3_600_000;
const lostRestMs = 86_400_000;
const stepCalls = 200;
const searchedAtOnce = 4_000;

export async function openErasures({ store }: AdminContext): Promise<readonly OpenErasure[]> {
  const open = await store.read(queries.selectOpenErasures);
  return open.flatMap((erasure) => {
    const { userId } = erasure;
    return userId === undefined ? [] : [{ ...erasure, userId }];
  });
}

/**
 * Renames ended records in small steps while the service runs. Can be interrupted and resumes. Open
 * records keep the name: otherwise a user would get a grant or a budget twice.
 */
export async function eraseClosed(
  context: AdminContext,
  erasure: OpenErasure,
): Promise<ErasureProgress> {
  const { store, clock } = context;
  const closed = closedAt(clock.now());
  const holds = await store.read(queries.selectHoldsOf(erasure.app, erasure.userId));
  // The new record would contain the name, and the erasure would miss its amount.
  if (holds.some(({ day }) => day < closed.day)) {
    return { calls: 0, isDone: false, isWaiting: true };
  }
  const { calls, firstRetainedDay } = await renameMatchingCalls(context, erasure, closed);
  const day = earlier(closed.day, firstRetainedDay);
  const month = earlier(closed.month, firstRetainedDay?.slice(0, 'YYYY-MM'.length));
  const monthMs = Date.parse(`${month}-01`);
  const goesOn = await store.read(queries.selectGoesOn(erasure, month, monthMs));
  const reference = context.ids.next('carried');
  const rest = { day, month, monthMs, goesOn, reference, nowMs: clock.now() };
  const [isOpen, isUnchanged] = await store.write(renameRest(erasure, rest));
  if (isOpen === 0 || isUnchanged === 0) return { calls, isDone: false, isWaiting: true };
  const hasCalls = firstRetainedDay !== undefined;
  return { calls, isDone: await end(context, erasure, { month, hasCalls }), isWaiting: false };
}

/** Ends the erasure only if its month is over, or no row has the name. */
async function end(
  { store, clock }: AdminContext,
  erasure: OpenErasure,
  { month, hasCalls }: { readonly month: string; readonly hasCalls: boolean },
): Promise<boolean> {
  const { app, userId, through } = erasure;
  const isOver = month > through;
  const isDone =
    isOver || (!hasCalls && (await store.read(queries.selectRowsOf(app, userId))) === 0);
  if (isDone) await store.write([queries.endErasure({ ...erasure, doneAt: clock.now() })]);
  return isDone;
}

/** A call admitted at midnight settles shortly after midnight. */
function closedAt(nowMs: number): ClosedBefore {
  const restedMs = nowMs - restMs;
  return {
    ...{ day: utcDayOf(restedMs), month: utcMonthOf(restedMs) },
    ...{ endedMs: restedMs, lostMs: nowMs - lostRestMs },
  };
}

/** Newest first; returns the first day with remaining calls. */
async function renameMatchingCalls(
  context: AdminContext,
  erasure: OpenErasure,
  closed: ClosedBefore,
) {
  const { store, clock } = context;
  const filter = { ...anyCall, app: erasure.app, userId: erasure.userId };
  let firstRetainedDay: string | undefined;
  let calls = 0;
  for (let before = firstCallIdAt(clock.now() + lostRestMs); ; ) {
    const step = await store.read(asLongQuery(selectStep({ from: '', before }, searchedAtOnce)));
    if (step.oldest === undefined) return { calls, firstRetainedDay };
    const range = { from: step.oldest, before };
    const matches = await store.read(asLongQuery(selectMatchingCalls(range, filter, stepCalls)));
    const startedMs = clock.monotonic();
    calls += await renameStep(context, erasure, closed, matches);
    for (const call of matches) {
      if (!isClosed(call, closed)) firstRetainedDay = earlier(call.day, firstRetainedDay);
    }
    before = matches.length === stepCalls ? (matches.at(-1)?.callId ?? step.oldest) : step.oldest;
    // Pauses as long as the step blocked the database, so the service can use it.
    const workedMs = clock.monotonic() - startedMs;
    if (workedMs > 0) await sleep(clock, workedMs);
  }
}

/** Marks a query as long, so it uses a connection that no call waits for. */
function asLongQuery<T>(query: Query<T>): Query<T> {
  return { ...query, isLong: true };
}

async function renameStep(
  { store }: AdminContext,
  erasure: OpenErasure,
  closed: ClosedBefore,
  matches: readonly CallRecord[],
): Promise<number> {
  const moving = matches.filter((call) => isClosed(call, closed));
  const [until, from] = [moving[0]?.callId, moving.at(-1)?.callId];
  if (until === undefined || from === undefined) return 0;
  const lists = new Set(moving.map(({ scopes }) => scopes));
  const range = { from, until };
  await store.write(renameCalls(erasure, range, closed, renamedLists(erasure, lists)));
  return moving.length;
}

/** The keys stay sorted. */
function renamedLists(
  { app, userId, pseudonym }: Renamed,
  lists: ReadonlySet<string | undefined>,
): readonly RenamedList[] {
  const [name, other] = [`${scopeOfUser(app, userId)}@`, `${scopeOfUser(app, pseudonym)}@`];
  return [...lists].flatMap((before) => {
    if (before === undefined) return [];
    const keys = scopeKeysIn(before);
    if (!keys.some((key) => isOfUser(key, name))) return [];
    const renamed = keys.map((key) => (isOfUser(key, name) ? other + key.slice(name.length) : key));
    return [{ before, after: JSON.stringify(renamed.sort()) }];
  });
}

/** A period contains no "@", so it follows the last "@". */
function isOfUser(key: string, name: string): boolean {
  return key.startsWith(name) && !key.slice(name.length).includes('@');
}

function isClosed(call: CallRecord, closed: ClosedBefore): boolean {
  const { day, month, code, endedAt } = call;
  if (day >= closed.day || (month !== undefined && month >= closed.month)) return false;
  return endedAt < (code === 'LOST' ? closed.lostMs : closed.endedMs);
}

function earlier(one: string, other: string | undefined): string {
  return other !== undefined && other < one ? other : one;
}

const anyCall: Omit<CallFilter, 'app' | 'userId'> = {
  ...{ keyId: undefined, model: undefined, code: undefined, since: undefined, until: undefined },
  ...{ minPicoUsd: undefined, isEstimated: false },
};
