import { rollUp } from '../../ledger/rollups.ts';
import { sleep, utcMonthOf } from '../../lib/clock.ts';
import { firstCallIdAt } from '../../lib/id.ts';
import { dropRejections } from '../../store/queries/rejections.ts';
import { deleteMaximumCosts } from '../../store/sums/maximum-costs.ts';
import {
  type CallRange,
  deleteMembers,
  moveHorizon,
  pruneRuns,
  pruneStep,
  selectCallsBefore,
  selectFirstHeldDay,
  selectFirstKeyDay,
  selectHasRuns,
  selectHasScopes,
  selectPruneHorizon,
  selectStepEnd,
} from '../../store/sums/prune-calls.ts';
import { selectFirstUnsummedDay } from '../../store/sums/rollups.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import type { CallsPruned } from '../documents/days.ts';

export interface Pruning {
  /** The first retained UTC day; not after the first of this month. */
  readonly before: string;
  /** Records per step; {@link stepCallsMax} unless a test sets fewer. */
  readonly stepCalls?: number;
}

/** Blocks the database for a few milliseconds. */
const stepCallsMax = 500;
/** This long after a month's end, none of its calls is settled or replayed. */
const monthRestsMs = 86_400_000;
/** Process clocks may differ. */
const idSlackMs = 86_400_000;

/**
 * Deletes calls of past months in small steps while the service runs. Usage, budgets and wallets
 * stay. Can be interrupted; the next prune completes it. ADR 0022.
 */
export async function pruneDays(context: AdminContext, pruning: Pruning): Promise<CallsPruned> {
  const { store } = context;
  const { stepCalls = stepCallsMax } = pruning;
  const currentHorizon = await store.read(selectPruneHorizon);
  await rollUp(context);
  const requestedHorizon = await horizonOf(context, pruning);
  const { horizon: prunedBefore, retainedBecause } = await summedHorizon(context, requestedHorizon);
  await store.write([dropRejections(Date.parse(prunedBefore))]);
  const matchCount = await store.read(
    selectCallsBefore(firstIdAfter(prunedBefore), prunedBefore, 1),
  );
  // A horizon without earlier calls would only make the audit compare less.
  if (matchCount === 0) return { prunedBefore: currentHorizon ?? null, calls: 0, retainedBecause };
  const change = {
    action: 'day.prune',
    subject: 'calls',
    before: currentHorizon,
    after: prunedBefore,
  };
  await store.write([moveHorizon(prunedBefore), auditLine(context, change)]);
  const calls = await deleteBefore(context, prunedBefore, stepCalls);
  const firstRetained = firstCallIdAt(Date.parse(prunedBefore) - idSlackMs);
  await store.write([deleteMaximumCosts(firstRetained), deleteMembers(prunedBefore)]);
  await deleteRuns(context, prunedBefore, stepCalls);
  return { prunedBefore, calls, retainedBecause };
}

/** Throws an AdminError as the prune does. */
export async function planPrune(context: AdminContext, pruning: Pruning): Promise<CallsPruned> {
  const { horizon, retainedBecause } = await horizonOf(context, pruning);
  const until = firstIdAfter(horizon);
  const calls = await context.store.read(
    selectCallsBefore(until, horizon, Number.MAX_SAFE_INTEGER),
  );
  return { prunedBefore: horizon, calls, retainedBecause };
}

/** Includes the reason for a day other than the requested one. */
async function horizonOf(context: AdminContext, { before }: Pruning) {
  const { store } = context;
  const nowMs = context.clock.now();
  const latest = `${utcMonthOf(nowMs - monthRestsMs)}-01`;
  if (before > latest) {
    throw new AdminError(
      `${before} is too recent: a month can be pruned 1 day after its end. Use ${latest} or an earlier day`,
    );
  }
  const currentHorizon = await store.read(selectPruneHorizon);
  const { day, retainedBecause } = await endOf(context, before, nowMs);
  return {
    horizon: currentHorizon !== undefined && currentHorizon > day ? currentHorizon : day,
    retainedBecause,
  };
}

/** Returns an earlier day if its calls are still needed. */
async function endOf({ store }: AdminContext, before: string, nowMs: number) {
  const held = await store.read(selectFirstHeldDay);
  const withKey = await store.read(selectFirstKeyDay(firstIdAfter(before), nowMs));
  const ends = [
    { day: before, retainedBecause: null },
    { day: held ?? before, retainedBecause: 'hold' },
    { day: withKey ?? before, retainedBecause: 'key' },
  ] as const;
  return ends.reduce((first, end) => (end.day < first.day ? end : first));
}

/** May be earlier: records that are not in the rollups would be lost to every report. */
async function summedHorizon({ store }: AdminContext, { horizon, retainedBecause }: Horizon) {
  const first = await store.read(selectFirstUnsummedDay(firstIdAfter(horizon), horizon));
  return first === undefined
    ? { horizon, retainedBecause }
    : { horizon: first, retainedBecause: 'sums' as const };
}

type Horizon = Awaited<ReturnType<typeof horizonOf>>;

async function deleteBefore(context: AdminContext, horizon: string, stepCalls: number) {
  const { store, clock } = context;
  const last = firstIdAfter(horizon);
  const hasScopes = await store.read(selectHasScopes);
  let deleted = 0;
  for (let after = ''; ; ) {
    const until = await store.read(selectStepEnd({ after, until: last }, stepCalls));
    const range: CallRange = { after, until: until ?? last };
    const startedMs = clock.monotonic();
    const counts = await store.write(pruneStep(range, horizon, hasScopes));
    deleted += counts.at(-1) ?? 0;
    if (until === undefined) return deleted;
    after = until;
    // Pauses as long as the step blocked the database, so the service can use it.
    await sleep(clock, clock.monotonic() - startedMs);
  }
}

/** All calls of a run that expired before the horizon are from earlier days. */
async function deleteRuns({ store, clock }: AdminContext, horizon: string, stepRuns: number) {
  const untilMs = Date.parse(horizon);
  while (await store.read(selectHasRuns(untilMs))) {
    const startedMs = clock.monotonic();
    await store.write(pruneRuns(untilMs, stepRuns));
    await sleep(clock, clock.monotonic() - startedMs);
  }
}

/** Follows the ids of all calls of earlier days. */
function firstIdAfter(day: string): string {
  return firstCallIdAt(Date.parse(day) + idSlackMs);
}
