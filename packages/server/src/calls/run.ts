import assert from 'node:assert';
import type { CallRequest } from '@model-gateway/contract';
import type { ReserveOutcome } from '../books/operations.ts';
import type { Basis, CallFacts } from '../books/rows.ts';
import { isUnpriced, priceVersionOf } from '../books/usage.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Limits, UnpricedPolicy } from '../config/config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { LedgerError } from '../ledger/queue.ts';
import type { UsageNames } from '../ledger/usage-names.ts';
import { type Clock, utcDayOf, utcMonthOf } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import type { Moment } from '../lib/moment.ts';
import type { RetryPolicy } from '../lib/retry.ts';
import { createTimeLimit } from '../lib/time-limit.ts';
import type { Guard } from '../platforms/guard.ts';
import type { Platform } from '../platforms/port.ts';
import { type App, creditsIn } from '../registry/app.ts';
import { type Admitted, admit } from './admission/admit.ts';
import type { RequestSize } from './admission/bound.ts';
import type { Answer } from './answer.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { Attempt } from './attempts.ts';
import { ApiError } from './call-error.ts';
import { createDrains, type Drains } from './detached.ts';
import { type RunParts, runCall } from './execute.ts';
import type { IdempotencyKey } from './idempotency/key.ts';
import type { Collector } from './idempotency/replay.ts';
import { deliver, deliverAgain } from './idempotency/result.ts';
import type { ModelOperation } from './operations/operation.ts';
import type { Place } from './place.ts';
import { refusalOf } from './refusal.ts';
import type { Trace } from './request-log.ts';

/** One call of a model, validated. */
export interface Call<Request extends CallRequest> {
  readonly operation: ModelOperation<Request>;
  readonly request: Request;
  readonly app: App;
  readonly size: RequestSize;
  /** Undefined for a request without an idempotency key. */
  readonly key: IdempotencyKey | undefined;
  /** What a drain goes on to hold. */
  readonly place: Place;
  /** Comes when nobody waits for the answer any more. */
  readonly left: Moment;
  readonly trace: Trace;
}

/** The only way to a model platform. */
export interface Infer {
  /**
   * Admits, reserves, asks the platform, settles, answers. Throws an ApiError for every refusal.
   */
  run<Request extends CallRequest>(call: Call<Request>): Promise<Answer>;
  readonly drains: Drains;
}

/** What the path of a call is made of. */
export interface InferParts {
  readonly ledger: Ledger;
  readonly catalog: Catalog;
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly attempt: Attempt;
  readonly guard: Guard;
  readonly retry: RetryPolicy;
  readonly limits: Limits;
  readonly unpriced: UnpricedPolicy;
  readonly usageNames: UsageNames;
  readonly clock: Clock;
  /** The time that idempotency keys live by. */
  readonly keyClock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly log: Log;
  readonly collector: Collector;
  /** The name of this process in the ledger. */
  readonly owner: string;
  readonly onSettled: (call: SettledCall) => void;
}

/** A call that was settled, for those who count. */
export interface SettledCall {
  readonly facts: CallFacts;
  /** Its model, of which there are few: `other` for one that no catalog row names. */
  readonly model: string;
  /** `OK`, or the code that its caller got. */
  readonly code: string;
  readonly attempts: readonly AttemptRecord[];
  readonly basis: Basis;
  /** True when its caller had gone before. */
  readonly isLate: boolean;
  readonly modelMs: number;
  readonly settleMs: number;
}

/** Holds outlive every call by this much, so that only a dead process's holds expire. */
const holdGraceMs = 30_000;

/** Makes the one path that every call takes. */
export function createInfer(parts: InferParts): Infer {
  const { ledger, catalog, clock, ids, limits, owner } = parts;
  const drains = createDrains();
  const modelTime = createTimeLimit(clock, limits.modelCallMs);
  const runParts: RunParts = { ...parts, drains, modelTime };
  const unpriced = new Set<string>();
  return { run, drains };

  async function run<Request extends CallRequest>(call: Call<Request>): Promise<Answer> {
    const startedMs = clock.monotonic();
    const { app, request, size, trace } = call;
    const { unpriced } = parts;
    const admitted = admit({ app, request, size, catalog, unpriced });
    if (admitted.kind === 'refused') throw new ApiError(admitted.code, admitted.message);
    const platform = platformOf(parts, app, admitted);
    const facts = await factsOf(call, admitted);
    const outcome = await reserve(call, admitted, facts);
    trace.reserveMs = clock.monotonic() - startedMs;
    if (outcome === undefined) {
      const message = 'The call was cancelled before it was made; nothing was charged.';
      throw new ApiError('ABORTED', message, { model: request.model });
    }
    if (outcome.kind === 'refused') throw refusalOf(outcome, admitted, clock.now());
    if (outcome.kind !== 'reserved') return collect(call, outcome);
    trace.callId = facts.callId;
    if (isUnpriced(facts.priceVersion)) warnOfUnpriced(facts);
    const running = runCall(runParts, { ...call, admitted, facts, ...platform });
    if (call.key !== undefined) parts.collector.keep(facts.callId, running.final);
    return deliver(await running.answer);
  }

  /** What counts as nothing, or as an estimate, does so aloud: once for each model. */
  function warnOfUnpriced({ usageModel: model, app, priceVersion }: CallFacts) {
    if (unpriced.has(model)) return;
    unpriced.add(model);
    const how = priceVersion === undefined ? 'nothing' : 'the dearest that is known';
    parts.log.warn({ model, app }, `calls of this model count as ${how}: price it`);
  }

  async function factsOf(call: Call<CallRequest>, admitted: Admitted): Promise<CallFacts> {
    const { app, request, operation } = call;
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
      keyHash: call.key?.keyHash,
      startedAt: nowMs,
    };
  }

  async function reserve(call: Call<CallRequest>, admitted: Admitted, facts: CallFacts) {
    const credits = facts.month === undefined ? undefined : creditsIn(call.app, facts.month);
    const now = parts.keyClock.now();
    const { amountPicoUsd: amount } = admitted.bound;
    const expiresAt = facts.startedAt + limits.modelCallMs + limits.drainMs + holdGraceMs;
    const wallet = credits && {
      granted: credits.monthlyGrantPicoUsd,
      picoUsdPerCredit: credits.picoUsdPerCredit,
    };
    const idempotency = call.key && {
      keyHash: call.key.keyHash,
      fingerprint: call.key.fingerprint,
      expiresAt: now + limits.idempotencyMs,
    };
    const operation = { facts, amount, wallet, idempotency, owner, expiresAt, now };
    try {
      return await ledger.reserve(operation, call.left.hasCome);
    } catch (error) {
      throw storeAway(error);
    }
  }

  /** The outcome of the call that has the request's key already: it is never paid twice. */
  async function collect(call: Call<CallRequest>, outcome: KeyOutcome): Promise<Answer> {
    const { app, key, request, trace } = call;
    assert(key !== undefined, 'only a request with a key meets an earlier one');
    if (outcome.kind === 'mismatch') throw new ApiError('INVALID', otherRequest);
    if (outcome.kind === 'unstored') throw new ApiError('INVALID', notKept);
    const of = { app: app.name, key, callId: outcome.callId, model: request.model };
    trace.callId = outcome.callId;
    if (outcome.kind === 'attach') {
      trace.isWaiting = true;
      return deliverAgain(await parts.collector.wait(of, call.left));
    }
    const stored = await parts.collector.stored(of);
    if (stored === undefined) throw new ApiError('INVALID', notKept);
    return deliverAgain(stored);
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
    return new ApiError('WALLET_BUSY', message, { retryAfterSeconds: 1, cause: error });
  }
  return notRecorded(error);
}

function notRecorded(cause: unknown): ApiError {
  const message = 'The call could not be recorded, so it was not made; try again in a moment.';
  return new ApiError('INTERNAL', message, { retryAfterSeconds: 1, cause });
}

/** The platform of a call and the project that it is billed to; never a shared project. */
function platformOf(parts: InferParts, app: App, admitted: Admitted) {
  const name = admitted.model.platform;
  const platform = parts.platforms.get(name);
  const why = platform?.refusal?.(admitted.model);
  if (platform === undefined || why !== undefined) {
    const message = `The model ${admitted.model.id} is not available now; try again later.`;
    const cause = why ?? `platform ${name} is not in use: see the log of the start`;
    throw new ApiError('INTERNAL', message, { cause });
  }
  const projectId = app.projectIds.get(name);
  if (!platform.needsProject || projectId !== undefined) return { platform, projectId };
  const cause =
    app.sharedProjects.get(name) ??
    `app ${app.name} has no project on ${name}: run "model-gateway projects apply", or bind one that is there: "model-gateway projects bind ${app.name} ${name} ID"`;
  const message = `The app ${app.name} has no billing project of its own; ask the operator.`;
  // Until an operator has acted, the same call comes to the same.
  throw new ApiError('INTERNAL', message, { shouldRetry: false, cause });
}
