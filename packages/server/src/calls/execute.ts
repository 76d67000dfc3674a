import type { CallRequest } from '@model-gateway/contract';
import { type Deadline, startDeadline } from '../lib/deadline.ts';
import type { OneShot } from '../lib/one-shot.ts';
import { type Generated, type GenerateParts, type GenerateRequest, generate } from './attempts.ts';
import type { ReadAnswer, ReservedCall, RunParts } from './call.ts';
import type { ApiError } from './call-error.ts';
import { abortedOf, type Failed, timeoutOf } from './failure.ts';
import { badOutput } from './operations/bad-output.ts';
import type { Reading } from './operations/operation.ts';
import { type CallResult, failed } from './result.ts';
import { conclude } from './settle.ts';

/** A call on its way. */
export interface RunningCall {
  /** What the caller gets, in time: the result, or TIMEOUT or ABORTED while it still drains. */
  readonly answer: Promise<CallResult>;
  /** What the call comes to when it is settled, for those who wait longer. */
  readonly final: Promise<CallResult>;
}

/**
 * Runs a call whose money is held: asks the platform, settles, answers. When the time is over or
 * the caller has gone first, the platform is not cut off, since it bills the answer anyway: the
 * call drains in the background and is settled with what it really cost.
 */
export function runCall<Request extends CallRequest>(
  parts: RunParts,
  call: ReservedCall<Request>,
): RunningCall {
  const { limits, clock, drains } = parts;
  const { model } = call.request;
  const deadline = startDeadline(clock, parts.modelTime);
  const upstream = new AbortController();
  const cut = () => {
    upstream.abort();
    // A drain may be within a back-off: it is not to begin another attempt.
    deadline.end();
  };
  let heldPicoUsd = call.admitted.bound.amountPicoUsd;
  const onExtended = () => {
    heldPicoUsd += call.admitted.bound.amountPicoUsd;
  };
  let requestId: string | undefined;
  const onRequestId = (id: string | undefined) => {
    requestId = id;
  };
  const early = earlyEnd(deadline.over, call.context.callerGone, {
    late: () => timeoutOf(model, limits.modelCallMs, requestId),
    callerGone: () => abortedOf(model),
  });
  const final = finish();
  const answer = new Promise<CallResult>((resolve, reject) => {
    final.then(resolve, reject);
    early.onFire((error) => {
      drain();
      resolve(failed(error));
    });
  });
  return { answer, final };

  async function finish(): Promise<CallResult> {
    let answered: ReadAnswer;
    try {
      const { signal } = upstream;
      const run = { deadline, signal, onExtended, onRequestId };
      const generated = await generate(attemptParts(parts), attemptsOf(parts, call, run));
      answered = { ...generated, reading: await read(call, generated) };
    } finally {
      early.close();
      deadline.cancel();
    }
    const settlement = conclude(parts, call, answered, early.error());
    // It may outlast its request: a process that stops waits for it, as for a drain.
    drains.settling(settlement);
    return settlement;
  }

  function drain() {
    const limit = clock.after(limits.drainMs, cut, { keepAlive: true });
    const work = final.then(limit.cancel, limit.cancel);
    const permit = call.context.permit.transfer();
    const giveUp = () => {
      permit.release();
      cut();
    };
    drains.add({ work, cut: giveUp, heldPicoUsd: () => heldPicoUsd });
    // After the drain is known to have ended: nobody may cut it for a place that it has left.
    void work.then(permit.release);
  }
}

/**
 * What ends the wait for the platform: the deadline, or the caller's leaving; whichever is first.
 * Once closed, since the platform has answered, nothing ends it any more.
 */
function earlyEnd(
  deadline: OneShot,
  callerGone: OneShot,
  errors: { late: () => ApiError; callerGone: () => ApiError },
) {
  let error: ApiError | undefined;
  let onCome: (error: ApiError) => void = () => undefined;
  const end = (make: () => ApiError) => {
    if (error !== undefined) return;
    error = make();
    onCome(error);
  };
  const forgetDeadline = deadline.onFire(() => end(errors.late));
  const forgetCaller = callerGone.onFire(() => end(errors.callerGone));
  return {
    error: () => error,
    onFire(run: (error: ApiError) => void) {
      if (error === undefined) onCome = run;
      else run(error);
    },
    close() {
      forgetDeadline();
      forgetCaller();
    },
  };
}

/** Within the call's time, since a check may wait for another thread. Never rejects. */
async function read<Request extends CallRequest>(
  call: ReservedCall<Request>,
  { last: { outcome } }: Generated,
): Promise<Reading | Failed> {
  if (outcome.kind === 'failed') return outcome;
  const { operation, request, admitted } = call;
  try {
    return await operation.read(outcome, request, admitted.model);
  } catch {
    /* Whatever it was, the answer has been paid for, and the call must be settled. */
    return badOutput(request.model, 'answered with something that could not be checked');
  }
}

function attemptParts({ retry, clock, ids, observer }: RunParts): GenerateParts {
  return { policy: retry, clock, random: ids.random, observer };
}

/** What the platform is asked, and within which bounds. */
function attemptsOf<Request extends CallRequest>(
  parts: RunParts,
  call: ReservedCall<Request>,
  run: {
    readonly deadline: Deadline;
    readonly signal: AbortSignal;
    readonly onExtended: () => void;
    readonly onRequestId: (requestId: string | undefined) => void;
  },
): GenerateRequest {
  const { admitted, facts, route, request } = call;
  const { model, bound } = admitted;
  const { callId, app, day } = facts;
  const { deadline, signal, onRequestId } = run;
  const { messages, temperature, topP, stop } = request;
  const asked = { messages, maxTokens: bound.outputTokens, temperature, topP, stop };
  return {
    callId,
    guarded: route.open(),
    request: { ...asked, ...call.operation.encode(request, model) },
    options: { projectId: route.projectId, app, signal, onRequestId },
    model,
    bound,
    deadline,
    isLeft: () => call.context.callerGone.hasFired(),
    extend: async (extension) => {
      const operation = { callId, app, day, extension, amount: bound.amountPicoUsd };
      const isExtended = await parts.ledger.extend(operation).catch(() => false);
      if (isExtended) run.onExtended();
      return isExtended;
    },
  };
}
