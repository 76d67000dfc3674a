import type { CallFacts } from '../../books/rows.ts';
import { callIdOf } from '../../lib/id.ts';
import { selectLinesOfCall } from '../../store/queries/audit-log.ts';
import { selectCallRecord, selectHoldOf, selectWallet } from '../../store/queries/ledger.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';
import type { CallDocument, HoldDocument } from '../documents/calls.ts';
import { selectPrice } from '../models/prices.ts';
import { attemptsOf } from './call-attempts.ts';
import { callDocument, holdDocument } from './call-document.ts';

/** Takes a call id or gateway request id; throws an AdminError for an unknown one. */
export async function findCall(
  context: AdminContext,
  id: string,
): Promise<CallDocument | HoldDocument> {
  const { store } = context;
  const callId = id.startsWith('req_') ? callIdOf(id) : id;
  // The reservation comes first: a call that ends between the two reads then has its record.
  const hold = await store.read(selectHoldOf(callId));
  if (hold !== undefined) return holdDocument(hold, await creditOf(context, hold));
  const call = await store.read(selectCallRecord(callId));
  if (call === undefined) {
    throw new AdminError(
      `unknown call ${JSON.stringify(id)}. The call id is in the response header x-call-id. Rejected requests have none, and replays have the id of the original call`,
      { isUnknown: true },
    );
  }
  const { priceVersion } = call;
  const price = priceVersion === undefined ? null : await store.read(selectPrice(priceVersion));
  const attempts = await attemptsOf(store, call);
  const lines = await store.read(selectLinesOfCall(callId));
  return callDocument({ call, attempts, lines }, price, await creditOf(context, call));
}

async function creditOf(
  { store }: AdminContext,
  { app, userId, month }: CallFacts,
): Promise<bigint | undefined> {
  if (userId === undefined || month === undefined) return undefined;
  return (await store.read(selectWallet(app, userId, month)))?.picoUsdPerCredit;
}
