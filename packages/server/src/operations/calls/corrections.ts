import type { CallRecord } from '../../books/rows.ts';
import { formatUsd, larger, parseUsd, picoUsdMax } from '../../lib/money.ts';
import { selectCallRecord, selectHoldOf } from '../../store/queries/ledger.ts';
import { selectChangeUnder } from '../../store/queries/references.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditNote } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import type { CallDocument, HoldDocument, PlannedCorrection } from '../documents/calls.ts';
import { checkReference, otherAmount } from '../wallets/wallets.ts';
import { findCall } from './calls.ts';

export interface Correction {
  readonly callId: string;
  /** The true cost in exact decimal USD. */
  readonly usd: string;
  /** A reference corrects a call once; undefined: an independent correction. */
  readonly reference?: string | undefined;
}

/** A true cost above this multiple of the reserved or booked amount is implausible. */
const largeTimes = 10n;

/**
 * Throws an AdminError for a running or unknown call, an invalid amount, or a reference used for
 * another correction.
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
    const cure = `use a decimal, for example 0.0125, at most ${formatUsd(picoUsdMax)}`;
    throw new AdminError(`"${usd}" is not a valid USD amount; ${cure}`, { isBadValue: true });
  }
  checkReference(reference);
  const call = await context.store.read(selectCallRecord(callId));
  if (call === undefined) {
    const isRunning = (await context.store.read(selectHoldOf(callId))) !== undefined;
    const why = isRunning ? 'is still running; correct it after it ends' : 'is not known';
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
 * Books on the call's own day and wallet, only once for a reference. Throws as
 * {@link planCorrection}.
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
