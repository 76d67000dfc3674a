import type { CallFields } from '@model-gateway/contract';
import type { KeyedModelCall } from './idempotency/replay.ts';
import type { Adoption } from './model/adoption.ts';
import type { Call } from './model/call.ts';
import { CallError } from './model/call-error.ts';
import type { AdmittedModels } from './model/candidate.ts';
import type { LiveCall } from './model/live-call.ts';
import { asReplayed, type CallResult, failed } from './model/result.ts';
import type { CallParts } from './parts.ts';
import { asReservationError, type Reservation, reserve } from './reserve.ts';

type AdoptionOutcome<Request extends CallFields> =
  | (Omit<Reservation, 'call'> & { readonly call: Call<Request> })
  /** The earlier call's result; nothing is reserved. */
  | { readonly result: CallResult };

/**
 * A retry claims its earlier call's result, or waits if that caller has disconnected. Otherwise it
 * becomes a new call. Throws like `reserve`.
 */
export async function reserveAdopting<Request extends CallFields>(
  parts: CallParts,
  call: Call<Request>,
  admitted: AdmittedModels,
  { isRetry, keys }: Adoption,
): Promise<AdoptionOutcome<Request>> {
  const { app, callerDisconnected, log } = call.context;
  const earlier = isRetry ? keys.map(({ keyHash }) => keyHash) : [];
  let mayWait = isRetry;
  let slot = 0;
  for (;;) {
    const key = keys[slot];
    const idempotencyKey = key && { ...key, adoption: { earlier, mayWait } };
    const keyedCall = { ...call, context: { ...call.context, idempotencyKey } };
    const { facts, outcome } = await reserve(parts, keyedCall, admitted);
    if (outcome?.kind === 'taken') slot += 1;
    else if (outcome?.kind === 'attach' && key !== undefined) {
      const { callId } = outcome;
      await parts.replays.awaitDetached(
        { app: app.name, key, callId, model: facts.model },
        callerDisconnected,
      );
      mayWait = false;
    } else if (outcome?.kind === 'adoptable') {
      const { callId, keyHash } = outcome;
      const own = keys.find((each) => each.keyHash === keyHash);
      const keyed = own && { app: app.name, key: own, callId, model: facts.model };
      const result = keyed && (await collect(parts, keyed, facts.callId));
      if (result === undefined) continue;
      log.callId = callId;
      if (result.kind === 'done') log.servedBy = result.servedBy;
      return { result };
    } else return { call: keyedCall, facts, outcome };
  }
}

/**
 * Undefined if another request has claimed it. A paying user's wallet is charged now, as for a
 * first request.
 */
async function collect(
  { replays, ledger, keyClock }: CallParts,
  keyed: KeyedModelCall,
  claimedBy: string,
): Promise<CallResult | undefined> {
  const { callId, key, app } = keyed;
  try {
    const [result, call] = await Promise.all([replays.find(keyed), replays.recordOf(callId)]);
    const { day = '', userId, month } = call ?? {};
    const ids = { callId, app, day, userId, month, keyHash: key.keyHash, claimedBy };
    const unreadable = result === undefined ? { isUnreadable: true as const } : {};
    const now = keyClock.now();
    const outcome = await ledger.submit({ kind: 'collect', ...ids, ...unreadable, now });
    if (outcome.kind !== 'collected' || result === undefined) return undefined;
    return outcome.isPaid && result.kind !== 'failed'
      ? { ...result, isReplayed: false }
      : asReplayed(result);
  } catch (error) {
    throw asReservationError(error);
  }
}

/** Booked failures that allow a retry, which may claim them. */
export function asAdoptable<Result extends CallResult | LiveCall>(result: Result) {
  if (result.kind !== 'failed') return result;
  const { code, message, details } = result.error;
  return failed(new CallError(code, message, { ...details, isAdoptable: true }), result.billed);
}
