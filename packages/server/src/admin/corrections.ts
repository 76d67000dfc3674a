import { selectCallRecord, selectHoldOf } from '../ledger/queries.ts';
import { createLedgerQueue } from '../ledger/queue.ts';
import { parseUsd } from '../lib/money.ts';
import type { CallDocument, HoldDocument } from './call-document.ts';
import { showCall } from './calls.ts';
import { auditNote, type Office, OfficeError } from './office.ts';

/**
 * Puts a finished call's cost right, on its own day and in its own wallet. Throws an OfficeError
 * for a call that runs still or is not known, and for an amount that is none.
 */
export async function correctCall(
  office: Office,
  callId: string,
  usd: string,
): Promise<CallDocument | HoldDocument> {
  const cost = parseUsd(usd);
  if (cost === undefined) {
    throw new OfficeError(`"${usd}" is no amount in USD: write a decimal such as 0.0125`, {
      isBadValue: true,
    });
  }
  const call = await office.store.read(selectCallRecord(callId));
  if (call === undefined) {
    const isRunning = (await office.store.read(selectHoldOf(callId))) !== undefined;
    const why = isRunning ? 'runs still: correct it when it has ended' : 'is not known';
    throw new OfficeError(`the call ${JSON.stringify(callId)} ${why}`);
  }
  const { app, day, userId, month } = call;
  const queue = createLedgerQueue({ store: office.store, clock: office.clock, batchMax: 1 });
  const line = auditNote(office, { action: 'call.correct', subject: callId });
  await queue
    .submit({ kind: 'correct', callId, app, day, userId, month, cost, line })
    .catch(refuse);
  return showCall(office, callId);
}

function refuse(cause: Error): never {
  throw new OfficeError(`the call was not corrected: ${cause.message}`);
}
