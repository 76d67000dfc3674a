import type { CallRecord } from '../../books/rows.ts';
import { formatUsd, larger, parseUsd, picoUsdMax } from '../../lib/money.ts';
import { selectCallRecord, selectHoldOf } from '../../store/queries/ledger.ts';
import { selectChangeUnder } from '../../store/queries/references.ts';
import { AdminError } from '../admin-error.ts';
import { auditNote } from '../audit-line.ts';
import type { AdminContext } from '../context.ts';
import { checkReference, otherAmount } from '../wallets/references.ts';
import { findCall } from './calls.ts';
import type { CallDocument, HoldDocument, PlannedCorrection } from './documents.ts';

/** What is to be put right. */
export interface Correction {
  readonly callId: string;
  /** What the call really cost, exact decimal USD. */
  readonly usd: string;
  /** The same one corrects a call once; undefined for a correction of its own. */
  readonly reference?: string | undefined;
}

/** So many times what was held for a call, or booked, no true cost has any reason to be. */
const largeTimes = 10n;

/**
 * Says what a correction would do, and changes nothing. Throws an AdminError for a call that runs
 * still or is not known, for an amount that is none, and for a reference that was used for another.
 */
export async function planCorrection(
  context: AdminContext,
  correction: Correction,
): Promise<PlannedCorrection> {
  const { call, cost, isDone } = await openCorrection(context, correction);
  const { callId, app, day, held = call.held } = { ...call, held: call.heldAtEnd };
  return {
    callId,
    app,
    day,
    usd: formatUsd(cost),
    costUsd: formatUsd(call.cost),
    heldUsd: formatUsd(held),
    isLarge: cost > largeTimes * larger(held, call.cost),
    isDone,
  };
}

interface OpenCorrection {
  readonly call: CallRecord;
  readonly cost: bigint;
  readonly isDone: boolean;
}

async function openCorrection(
  context: AdminContext,
  { callId, usd, reference }: Correction,
): Promise<OpenCorrection> {
  const cost = parseUsd(usd);
  if (cost === undefined) {
    const cure = `write a decimal such as 0.0125, at most ${formatUsd(picoUsdMax)}`;
    throw new AdminError(`"${usd}" is no amount in USD: ${cure}`, { isBadValue: true });
  }
  checkReference(reference);
  const call = await context.store.read(selectCallRecord(callId));
  if (call === undefined) {
    const isRunning = (await context.store.read(selectHoldOf(callId))) !== undefined;
    const why = isRunning ? 'runs still: correct it when it has ended' : 'is not known';
    throw new AdminError(`the call ${JSON.stringify(callId)} ${why}`);
  }
  const before =
    reference === undefined
      ? undefined
      : await context.store.read(
          selectChangeUnder({ action: correctAction, subject: callId, reference }),
        );
  if (reference !== undefined && before !== undefined && before.usd !== formatUsd(cost)) {
    throw otherAmount(reference, before.usd);
  }
  return { call, cost, isDone: before !== undefined };
}

const correctAction = 'call.correct';

/**
 * Puts a finished call's cost right, on its own day and in its own wallet; once under a reference.
 * Throws an AdminError as {@link planCorrection} does.
 */
export async function correctCall(
  context: AdminContext,
  correction: Correction,
): Promise<CallDocument | HoldDocument> {
  const { callId, reference } = correction;
  const { call, cost, isDone } = await openCorrection(context, correction);
  if (isDone) return findCall(context, callId);
  const { app, day, userId, month, keyHash } = call;
  const line = auditNote(context, { action: correctAction, subject: callId, reference });
  await context.queue
    .submit({ kind: 'correct', callId, app, day, userId, month, keyHash, cost, line })
    .catch(refuse);
  return findCall(context, callId);
}

function refuse(cause: Error): never {
  throw new AdminError(`the call was not corrected: ${cause.message}`);
}
