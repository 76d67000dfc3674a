import assert from 'node:assert';
import type { CallRequest } from '@model-gateway/contract';
import type { ReserveOutcome } from '../books/operations.ts';
import type { CallFacts } from '../books/rows.ts';
import { isUnpriced, priceVersionOf } from '../books/usage.ts';
import { creditsIn } from '../domain/registered-app.ts';
import { LedgerError } from '../ledger/queue.ts';
import { utcDayOf, utcMonthOf } from '../lib/clock.ts';
import { createTimeLimit } from '../lib/time-limit.ts';
import { type Admitted, admit } from './admission/admit.ts';
import type { Call, CallParts, RunParts } from './call.ts';
import { CallError } from './call-error.ts';
import { createDetachedCalls, type DetachedCalls } from './detached.ts';
import { beginCall, finishCall, resultInTime } from './execute.ts';
import { refusalOf } from './refusal.ts';
import { asReplayed, type CallResult, failed } from './result.ts';

/** The only way to a model platform. */
export interface CallRunner {
  /**
   * Admits, reserves, asks the platform, settles; tells what it came to, be it a refusal.
   */
  run<Request extends CallRequest>(call: Call<Request>): Promise<CallResult>;
  readonly detached: DetachedCalls;
}

/** Holds outlive every call by this much, so that only a dead process's holds expire. */
const holdGraceMs = 30_000;

/** Makes the one path that every call takes. */
export function createCallRunner(parts: CallParts): CallRunner {
  const { ledger, catalog, clock, ids, limits, owner } = parts;
  const detached = createDetachedCalls();
  const modelTime = createTimeLimit(clock, limits.modelCallMs);
  const runParts: RunParts = { ...parts, detached, modelTime };
  const unpriced = new Set<string>();
  return { run, detached };

  async function run<Request extends CallRequest>(call: Call<Request>): Promise<CallResult> {
    const startedMs = clock.monotonic();
    const { context, request, size } = call;
    const { app, log } = context;
    const { unpriced } = parts;
    const admitted = admit({ app, request, size, catalog, unpriced });
    if (admitted.kind === 'refused') return failed(new CallError(admitted.code, admitted.message));
    const route = parts.routing.routeOf(app, admitted.model);
    const facts = await factsOf(call, admitted);
    const outcome = await reserve(call, admitted, facts);
    log.reserveMs = clock.monotonic() - startedMs;
    if (outcome === undefined) {
      const message = 'The call was cancelled before it was made; nothing was charged.';
      return failed(new CallError('ABORTED', message, { model: request.model }));
    }
    if (outcome.kind === 'refused') return failed(refusalOf(outcome, admitted, clock.now()));
    if (outcome.kind !== 'reserved') return collect(call, outcome);
    log.callId = facts.callId;
    if (isUnpriced(facts.priceVersion)) warnOfUnpriced(facts);
    parts.observer.callAdmitted?.({
      ...{ callId: facts.callId, app: app.name, route: facts.route, model: request.model },
      ...{ heldPicoUsd: admitted.bound.amountPicoUsd, reserveMs: log.reserveMs },
    });
    const reserved = { ...call, admitted, facts, route };
    const running = beginCall(runParts, reserved);
    const final = finishCall(runParts, reserved, running);
    if (context.idempotencyKey !== undefined) parts.collector.keep(facts.callId, final);
    return resultInTime(runParts, reserved, running, final);
  }

  /** What counts as nothing, or as an estimate, does so aloud: once for each model. */
  function warnOfUnpriced({ usageModel: model, app, priceVersion }: CallFacts) {
    if (unpriced.has(model)) return;
    unpriced.add(model);
    const how = priceVersion === undefined ? 'nothing' : 'the dearest that is known';
    parts.log.warn({ model, app }, `calls of this model count as ${how}: price it`);
  }

  async function factsOf(call: Call<CallRequest>, admitted: Admitted): Promise<CallFacts> {
    const { context, operation, request } = call;
    const { app, keyId, idempotencyKey } = context;
    const { model, bound } = admitted;
    const callId = ids.call();
    const nowMs = clock.now();
    const day = utcDayOf(nowMs);
    const name = model.isListed ? model.id : parts.usageNames.nameOf(model.id, day);
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

  async function reserve(call: Call<CallRequest>, admitted: Admitted, facts: CallFacts) {
    const { app, idempotencyKey: key, callerGone } = call.context;
    const credits = facts.month === undefined ? undefined : creditsIn(app, facts.month);
    const now = parts.keyClock.now();
    const { amountPicoUsd: amount } = admitted.bound;
    const expiresAt = facts.startedAt + limits.modelCallMs + limits.drainMs + holdGraceMs;
    const wallet = credits && {
      granted: credits.monthlyGrantPicoUsd,
      picoUsdPerCredit: credits.picoUsdPerCredit,
    };
    const idempotency = key && {
      keyHash: key.keyHash,
      fingerprint: key.fingerprint,
      expiresAt: now + limits.idempotencyMs,
    };
    const operation = { facts, amount, wallet, idempotency, owner, expiresAt, now };
    try {
      return await ledger.reserve(operation, callerGone.hasFired);
    } catch (error) {
      throw storeAway(error);
    }
  }

  /** The outcome of the call that has the request's key already: it is never paid twice. */
  async function collect(call: Call<CallRequest>, outcome: KeyOutcome): Promise<CallResult> {
    const { app, idempotencyKey: key, callerGone, log } = call.context;
    assert(key !== undefined, 'only a request with a key meets an earlier one');
    if (outcome.kind === 'mismatch') return failed(new CallError('INVALID', otherRequest));
    const keyed = { app: app.name, key, callId: outcome.callId, model: call.request.model };
    if (outcome.kind !== 'unstored') log.callId = outcome.callId;
    if (outcome.kind === 'attach') {
      log.isWaiting = true;
      return asReplayed(await parts.collector.wait(keyed, callerGone));
    }
    const stored = await parts.collector.stored(keyed);
    if (stored === undefined) return failed(new CallError('INVALID', notKept));
    log.callId = outcome.callId;
    return asReplayed(stored);
  }
}

type KeyOutcome = Exclude<ReserveOutcome, { kind: 'reserved' | 'refused' }>;

const otherRequest =
  'The idempotency-key was used for another request; use a new key for each request.';
const notKept =
  'The request with this idempotency-key has been answered, and its answer is not kept; use a new key to call again.';

function storeFailed(cause: unknown): never {
  throw notRecorded(cause);
}

function storeAway(error: unknown): unknown {
  if (!(error instanceof LedgerError)) return error;
  if (error.kind === 'busy') {
    const message = "The user's wallet kept changing under other calls; try again in a moment.";
    return new CallError('WALLET_BUSY', message, { retryAfterSeconds: 1, cause: error });
  }
  return notRecorded(error);
}

function notRecorded(cause: unknown): CallError {
  const message = 'The call could not be recorded, so it was not made; try again in a moment.';
  return new CallError('INTERNAL', message, { retryAfterSeconds: 1, cause });
}
