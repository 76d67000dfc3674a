import assert from 'node:assert';
import type { CallFields } from '@model-gateway/contract';
import type { ReserveOutcome } from '../books/operations.ts';
import { createTimeLimit } from '../lib/time-limit.ts';
import { admitCall } from './admission/admit.ts';
import { createDoubtWarnings } from './doubt-warnings.ts';
import { beginCall, createDetachedCheck, finishCall, resultInTime } from './execute.ts';
import type { IdempotentReplays } from './idempotency/replay.ts';
import type { Call, ReservedCall } from './model/call.ts';
import { CallError } from './model/call-error.ts';
import type { LiveCall } from './model/live-call.ts';
import type { RequestLog } from './model/request-log.ts';
import { asReplayed, type CallResult, failed } from './model/result.ts';
import type { CallParts, RunParts } from './parts.ts';
import { refusedResult } from './refusal.ts';
import { reserve } from './reserve.ts';
import { asAdoptable, reserveAdopting } from './reserve-adopting.ts';
import { createDetachedCalls, type DetachedCalls } from './running/detached.ts';
import { createDetachment } from './running/detachment.ts';
import { callInRun } from './runs/call-in-run.ts';
import { createStream } from './stream/create-stream.ts';
import { createLiveStreams, type LiveStreams } from './stream/live-streams.ts';
import { createUnpricedWarnings } from './unpriced-warnings.ts';

/** The only way to a model platform. */
export interface CallRunner {
  /** Returns rejections as results. Streams return from their first delta on. */
  run<Request extends CallFields>(call: Call<Request>): Promise<CallResult | LiveCall>;
  readonly detached: DetachedCalls;
  readonly streams: LiveStreams;
}

export function createCallRunner(parts: CallParts): CallRunner {
  const { clock, limits } = parts;
  const detached = createDetachedCalls(parts.detachedCounter);
  const modelTime = createTimeLimit(clock, limits.modelCallMs);
  const firstTime = createTimeLimit(clock, limits.streams.firstMs);
  const streams = createLiveStreams();
  const warnOfDoubts = createDoubtWarnings(parts.log, parts.observer);
  const warnOfUnpriced = createUnpricedWarnings(parts.log);
  const warnings = { warnOfDoubts, warnOfUnpriced };
  const runParts: RunParts = { ...parts, ...warnings, detached, modelTime, firstTime, streams };
  return { run, detached, streams };

  async function run<Request extends CallFields>(
    requested: Call<Request>,
  ): Promise<CallResult | LiveCall> {
    const startedMs = clock.monotonic();
    const call =
      requested.context.run === undefined ? requested : callInRun(requested, requested.context.run);
    if (call instanceof CallError) return failed(call);
    const { context, request } = call;
    const { adoption, app, log } = context;
    const admission = admitCall(parts, call);
    if (admission instanceof CallError) return failed(admission);
    const { admitted, routes } = admission;
    const reservation =
      adoption === undefined
        ? await reserve(parts, call, admitted)
        : await reserveAdopting(parts, call, admitted, adoption);
    if ('result' in reservation) return reservation.result;
    const { facts, outcome } = reservation;
    const endedMs = clock.monotonic();
    log.reserveMs = endedMs - startedMs;
    const heldPicoUsd = admitted.mostExpensive.bound.amountPicoUsd;
    context.trace?.reserved({ startedMs, endedMs, heldPicoUsd });
    if (outcome === undefined) {
      const message = 'The call was canceled before it was sent; nothing was charged.';
      return failed(new CallError('ABORTED', message, { model: request.model }));
    }
    if (outcome.kind === 'refused') {
      return refusedResult(parts, outcome, { ...call, admitted }, facts);
    }
    if (outcome.kind !== 'reserved') return earlierResult(parts.replays, call, outcome);
    log.callId = facts.callId;
    parts.observer.callAdmitted?.({
      callId: facts.callId,
      app: app.name,
      route: facts.route,
      model: request.model,
      heldPicoUsd,
      reserveMs: log.reserveMs,
    });
    const reserved = { ...call, ...reservation.call, admitted, facts, routes };
    if (context.stream !== undefined) {
      const streamed = runStreamed(runParts, reserved);
      return adoption === undefined ? streamed : streamed.then(asAdoptable);
    }
    const running = beginCall(runParts, reserved);
    const final = finishCall(runParts, reserved, running);
    if (facts.keyHash !== undefined) {
      parts.replays.register(facts.callId, {
        final,
        isDetached: createDetachedCheck(reserved, running),
      });
    }
    const result = resultInTime(runParts, reserved, running, final);
    return adoption === undefined ? result : result.then(asAdoptable);
  }
}

type KeyOutcome = Exclude<
  ReserveOutcome,
  { kind: 'reserved' | 'refused' | 'outdated-budgets' | 'dead' }
>;

/** The key's call is never paid twice. */
async function earlierResult(
  replays: IdempotentReplays,
  { context, request }: Call<CallFields>,
  outcome: KeyOutcome,
): Promise<CallResult | LiveCall> {
  const { app, idempotencyKey: key, callerDisconnected, log } = context;
  assert(key !== undefined, 'only a request with an idempotency key has an earlier request');
  assert(
    outcome.kind !== 'taken' && outcome.kind !== 'adoptable',
    'its idempotency key is not one of an adoption',
  );
  if (outcome.kind === 'mismatch') return failed(new CallError('INVALID', otherRequest));
  const keyed = { app: app.name, key, callId: outcome.callId, model: request.model };
  if (outcome.kind !== 'unstored') log.callId = outcome.callId;
  context.trace?.joined(outcome.callId);
  if (outcome.kind === 'attach') {
    log.isWaiting = true;
    if (context.stream === undefined)
      return logReplay(await replays.awaitResult(keyed, callerDisconnected), log);
    const earlier = await replays.follow(keyed, callerDisconnected);
    if (earlier.kind !== 'stream') return logReplay(earlier, log);
    return earlier.live({ isReplayed: true, after: context.stream.after, log });
  }
  const stored = await replays.find(keyed);
  if (stored === undefined) return failed(new CallError('INVALID', notStored));
  log.callId = outcome.callId;
  return logReplay(stored, log);
}

function logReplay(result: CallResult, log: RequestLog): CallResult {
  if (result.kind === 'done') log.servedBy = result.servedBy;
  return asReplayed(result);
}

const otherRequest =
  'The idempotency-key was used for another request; use a new key for each request.';
const notStored =
  'The request with this idempotency-key was already answered, and its response is not stored; use a new key to call again.';

/**
 * Live from its first delta on; an earlier failure is only a result. The money must be reserved.
 */
function runStreamed<Request extends CallFields>(
  parts: RunParts,
  call: ReservedCall<Request>,
): Promise<CallResult | LiveCall> {
  const { context, facts } = call;
  const running = beginCall(parts, call);
  const { promise: final, resolve: start } = Promise.withResolvers<CallResult>();
  const detachment = createDetachment(parts, call, running, final);
  const stream = createStream(parts, call, running, detachment);
  running.stream = stream;
  if (facts.keyHash !== undefined) {
    parts.replays.register(facts.callId, {
      final,
      stream,
      isDetached: createDetachedCheck(call, running),
    });
  }
  start(finishCall(parts, call, running));
  return new Promise((resolve, reject) => {
    const { log } = context;
    void stream.begun.then(() => resolve(stream.live({ isReplayed: false, after: 0, log })));
    final.then(
      (result) => {
        stream.end(result);
        resolve(result);
      },
      (error) => {
        stream.fail(error);
        reject(error);
      },
    );
    running.early.onFire((error) => {
      detachment.begin();
      resolve(failed(error));
    });
  });
}
