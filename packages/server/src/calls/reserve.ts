import type { CallFields } from '@model-gateway/contract';
import type { ReserveOutcome } from '../books/operations.ts';
import type { CallFacts } from '../books/rows.ts';
import { priceVersionOf } from '../books/usage.ts';
import { creditsIn } from '../domain/registered-app.ts';
import { LedgerError } from '../ledger/queue.ts';
import { utcDayOf, utcMonthOf } from '../lib/clock.ts';
import type { Admitted } from './admission/admit.ts';
import type { Call, CallParts } from './call.ts';
import { CallError } from './call-error.ts';

/** Holds outlive every call by this much, so that only a dead process's holds expire. */
const holdGraceMs = 30_000;

/** What a call is, known before its money is held. Throws INTERNAL when the store is away. */
export async function factsOf(
  { clock, ids, usageNames }: CallParts,
  { context, operation, request }: Call<CallFields>,
  { model, bound }: Admitted,
): Promise<CallFacts> {
  const { app, keyId, idempotencyKey } = context;
  const callId = ids.call();
  const nowMs = clock.now();
  const day = utcDayOf(nowMs);
  const name = model.isListed ? model.id : usageNames.nameOf(model.id, day);
  const usageModel = typeof name === 'string' ? name : await name.catch(storeFailed);
  const { price } = bound;
  return {
    callId,
    app: app.name,
    day,
    month: app.credits === undefined ? undefined : utcMonthOf(nowMs),
    userId: request.userId,
    route: operation.name,
    model: request.model,
    usageModel,
    priceVersion: price && priceVersionOf(price),
    keyHash: idempotencyKey?.keyHash,
    keyId,
    startedAt: nowMs,
  };
}

/**
 * Takes the most that a call can cost, durably. Undefined where its caller left before. Throws
 * INTERNAL or WALLET_BUSY when it could not be recorded.
 */
export async function reserve(
  { ledger, keyClock, limits, instanceId }: CallParts,
  { context: { app, idempotencyKey: key, callerGone, stream } }: Call<CallFields>,
  admitted: Admitted,
  facts: CallFacts,
): Promise<ReserveOutcome | undefined> {
  const credits = facts.month === undefined ? undefined : creditsIn(app, facts.month);
  const now = keyClock.now();
  const { amountPicoUsd: amount } = admitted.bound;
  const runMs = stream === undefined ? limits.modelCallMs : limits.streams.totalMs;
  const expiresAt = facts.startedAt + runMs + limits.drainMs + holdGraceMs;
  const wallet = credits && {
    granted: credits.monthlyGrantPicoUsd,
    picoUsdPerCredit: credits.picoUsdPerCredit,
  };
  const idempotency = key && {
    keyHash: key.keyHash,
    fingerprint: key.fingerprint,
    expiresAt: now + limits.idempotencyMs,
  };
  const operation = { facts, amount, wallet, idempotency, instanceId, expiresAt, now };
  try {
    return await ledger.reserve(operation, callerGone.hasFired);
  } catch (error) {
    throw storeAway(error);
  }
}

function storeFailed(cause: unknown): never {
  throw notRecorded(cause);
}

function storeAway(error: unknown): unknown {
  if (!(error instanceof LedgerError)) return error;
  if (error.kind === 'conflict') {
    const message = "The user's wallet kept changing under other calls; try again in a moment.";
    return new CallError('WALLET_BUSY', message, { retryAfterSeconds: 1, cause: error });
  }
  return notRecorded(error);
}

function notRecorded(cause: unknown): CallError {
  const message = 'The call could not be recorded, so it was not made; try again in a moment.';
  return new CallError('INTERNAL', message, { retryAfterSeconds: 1, cause });
}
