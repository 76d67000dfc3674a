import type { CallFields } from '@model-gateway/contract';
import type { Reserve, ReserveOutcome } from '../books/operations.ts';
import type { CallFacts } from '../books/rows.ts';
import { priceVersionOf } from '../books/usage.ts';
import { creditsIn } from '../domain/registered-app.ts';
import { walletsClosedAt } from '../domain/restore.ts';
import { capOfRun } from '../domain/run.ts';
import { LedgerError } from '../ledger/queue.ts';
import { utcDayOf, utcMonthOf } from '../lib/clock.ts';
import { callIdOf } from '../lib/id.ts';
import type { Call } from './model/call.ts';
import { CallError } from './model/call-error.ts';
import type { AdmittedModels } from './model/candidate.ts';
import type { CallParts } from './parts.ts';

/** Longer than any call, so only reservations of dead processes expire. */
const holdGraceMs = 30_000;

type ReserveDecision = Exclude<ReserveOutcome, { kind: 'outdated-budgets' | 'dead' }>;

export interface Reservation {
  readonly facts: CallFacts;
  /** Undefined if the caller disconnected first. */
  readonly outcome: ReserveDecision | undefined;
  readonly call?: undefined;
}

/** Durable. Throws INTERNAL or WALLET_BUSY if the reservation could not be recorded. */
export async function reserve(
  parts: CallParts,
  call: Call<CallFields>,
  admitted: AdmittedModels,
): Promise<Reservation> {
  const { model } = admitted;
  const nowMs = parts.clock.now();
  const day = utcDayOf(nowMs);
  const name = model.isListed ? model.id : parts.usageNames.nameOf(model.id, day);
  const usageModel = typeof name === 'string' ? name : await name.catch(storeFailed);
  const callId = callIdOf(call.context.requestId);
  try {
    return await reserveInBudgets(parts, call, admitted, { callId, nowMs, usageModel });
  } catch (error) {
    throw asReservationError(error);
  }
}

interface NamedCall {
  readonly callId: string;
  readonly usageModel: string;
  readonly nowMs: number;
}

export function reservationOf(
  parts: Pick<CallParts, 'keyClock' | 'limits' | 'instanceId' | 'budgets'>,
  call: Call<CallFields>,
  admitted: AdmittedModels,
  named: NamedCall,
): Omit<Reserve, 'kind'> {
  const { keyClock, limits, instanceId } = parts;
  const { idempotencyKey: key, stream } = call.context;
  const { bound } = admitted.mostExpensive;
  const facts = factsOf(call, admitted, named);
  const claims = claimsOf(parts, facts, call.context);
  const now = keyClock.now();
  const { amountPicoUsd: amount } = bound;
  const runMs = stream === undefined ? limits.modelCallMs : limits.streams.totalMs;
  const expiresAt = facts.startedAt + runMs + limits.drainMs + holdGraceMs;
  const idempotency = key && {
    keyHash: key.keyHash,
    fingerprint: key.fingerprint,
    adoption: key.adoption,
    expiresAt: now + limits.idempotencyMs,
  };
  return { facts, amount, ...claims, idempotency, instanceId, expiresAt, now };
}

function claimsOf(
  { budgets }: Pick<CallParts, 'budgets'>,
  facts: CallFacts,
  { app, run }: Call<CallFields>['context'],
) {
  const { revision: budgetsRevision, restore } = budgets.budgets();
  const shared = budgets.scopesOf(facts);
  const scopes = run === undefined ? shared : [...shared, capOfRun(run, restore)];
  const { month } = facts;
  const credits = month === undefined ? undefined : creditsIn(app, month);
  const mayBeClosed = restore !== undefined && month !== undefined;
  const wallet = credits && {
    granted: credits.monthlyGrantPicoUsd,
    picoUsdPerCredit: credits.picoUsdPerCredit,
    closedAt: mayBeClosed ? walletsClosedAt(restore, month) : undefined,
  };
  return { scopes, budgetsRevision, wallet };
}

/** Until the transaction, others may change budgets or take over the key. */
const againMax = 3;

/**
 * Repeats if budgets have changed, or if the key's call is dead: the new reservation then ends that
 * call's reservation.
 */
async function reserveInBudgets(
  parts: CallParts,
  call: Call<CallFields>,
  admitted: AdmittedModels,
  named: NamedCall,
): Promise<Reservation> {
  const { callerDisconnected } = call.context;
  const operation = reservationOf(parts, call, admitted, named);
  const { facts } = operation;
  let current = operation;
  for (let tries = 0; tries <= againMax; tries++) {
    const outcome = await parts.ledger.reserve(current, callerDisconnected.hasFired);
    if (outcome?.kind === 'outdated-budgets') {
      await parts.budgets.refresh().catch(storeFailed);
      current = { ...current, ...claimsOf(parts, facts, call.context) };
    } else if (outcome?.kind === 'dead') {
      const ends = await deadCallOf(parts, facts, outcome.callId).catch(storeFailed);
      current = { ...current, ends };
    } else return { facts, outcome };
  }
  throw notRecorded('its budgets, or the call of its idempotency key, kept changing');
}

/** If no reservation is left, only the key's claim ends. */
async function deadCallOf(
  { replays, clock }: CallParts,
  { app, day, keyHash }: CallFacts,
  callId: string,
): Promise<Reserve['ends']> {
  const hold = await replays.holdOf(callId);
  const { userId, month } = hold ?? {};
  return { callId, app, day: hold?.day ?? day, userId, month, keyHash, now: clock.now() };
}

function factsOf(
  { context, operation, request }: Call<CallFields>,
  { bound: { price }, model: { platform } }: AdmittedModels,
  { callId, usageModel, nowMs }: NamedCall,
): CallFacts {
  const { app, keyId, remote, trace, idempotencyKey } = context;
  return {
    callId,
    app: app.name,
    day: utcDayOf(nowMs),
    month: app.credits === undefined ? undefined : utcMonthOf(nowMs),
    userId: request.userId,
    route: operation.name,
    model: request.model,
    usageModel,
    priceVersion: price?.isHighestKnown === true ? priceVersionOf(price) : price?.version,
    keyHash: idempotencyKey?.keyHash,
    keyId,
    remote,
    trace: trace?.spanReference,
    platform,
    startedAt: nowMs,
  };
}

function storeFailed(cause: unknown): never {
  throw notRecorded(cause);
}

export function asReservationError(error: unknown): unknown {
  if (!(error instanceof LedgerError)) return error;
  if (error.kind === 'conflict') {
    const message =
      "The user's wallet kept changing because of concurrent calls; try again in a moment.";
    return new CallError('WALLET_BUSY', message, { retryAfterSeconds: 1, cause: error });
  }
  return notRecorded(error);
}

function notRecorded(cause: unknown): CallError {
  const message =
    'The call was not sent because its reservation could not be stored; try again in a moment.';
  return new CallError('INTERNAL', message, { retryAfterSeconds: 1, cause });
}
