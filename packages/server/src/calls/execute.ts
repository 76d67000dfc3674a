import type { CallRequest } from '@model-gateway/contract';
import { type Deadline, startDeadline } from '../lib/deadline.ts';
import type { OneShot } from '../lib/one-shot.ts';
import { type Generated, type GenerateParts, type GenerateRequest, generate } from './attempts.ts';
import type { ReadAnswer, ReservedCall, RunParts } from './call.ts';
import type { CallError } from './call-error.ts';
import { abortedOf, type Failed, timeoutOf } from './failure.ts';
import { badOutput } from './operations/bad-output.ts';
import type { Reading } from './operations/operation.ts';
import { type CallResult, failed } from './result.ts';
import { conclude } from './settle.ts';

/** A call on its way. */
export interface RunningCall {
  readonly deadline: Deadline;
  /** Ends the attempt that runs. */
  readonly upstream: AbortController;
  readonly early: EarlyEnd;
  heldPicoUsd: bigint;
  /** The platform's, as soon as it has said one. */
  requestId: string | undefined;
}

/** The time of a call whose money is held begins. */
export function beginCall(parts: RunParts, call: ReservedCall<CallRequest>): RunningCall {
  const { model } = call.request;
  const deadline = startDeadline(parts.clock, parts.modelTime);
  const known: Pick<RunningCall, 'heldPicoUsd' | 'requestId'> = {
    heldPicoUsd: call.admitted.bound.amountPicoUsd,
    requestId: undefined,
  };
  const early = earlyEnd(deadline.over, call.context.callerGone, {
    late: () => timeoutOf(model, parts.limits.modelCallMs, known.requestId),
    callerGone: () => abortedOf(model),
  });
  return Object.assign(known, { deadline, early, upstream: new AbortController() });
}

/**
 * Asks the platform and settles: what the call comes to, for those who wait for as long as that
 * takes.
 */
export async function finishCall<Request extends CallRequest>(
  parts: RunParts,
  call: ReservedCall<Request>,
  running: RunningCall,
): Promise<CallResult> {
  const { deadline, early } = running;
  let answered: ReadAnswer;
  try {
    const generated = await generate(attemptParts(parts), attemptsOf(parts, call, running));
    answered = { ...generated, reading: await read(call, generated) };
  } finally {
    early.close();
    deadline.cancel();
  }
  const settlement = conclude(parts, call, answered, early.error());
  // It may outlast its request: a process that stops waits for it, as for a detached call.
  parts.detached.settling(settlement);
  return settlement;
}

/**
 * What the caller gets, in time: the result, or TIMEOUT or ABORTED. When the time is over or the
 * caller has gone first, the platform is not cut off, since it bills the answer anyway: the call
 * goes on detached and is settled with what it really cost.
 */
export function resultInTime(
  parts: RunParts,
  call: ReservedCall<CallRequest>,
  running: RunningCall,
  final: Promise<CallResult>,
): Promise<CallResult> {
  return new Promise((resolve, reject) => {
    final.then(resolve, reject);
    running.early.onFire((error) => {
      detach(parts, call, running, final);
      resolve(failed(error));
    });
  });
}

function detach(
  { clock, detached, limits }: RunParts,
  call: ReservedCall<CallRequest>,
  running: RunningCall,
  final: Promise<CallResult>,
) {
  const cut = () => {
    running.upstream.abort();
    // It may be within a back-off: it is not to begin another attempt.
    running.deadline.end();
  };
  const limit = clock.after(limits.drainMs, cut, { keepAlive: true });
  const work = final.then(limit.cancel, limit.cancel);
  const permit = call.context.permit.transfer();
  const giveUp = () => {
    permit.release();
    cut();
  };
  detached.add({ work, cut: giveUp, heldPicoUsd: () => running.heldPicoUsd });
  // After the call is known to have ended: nobody may cut it for a permit that it has released.
  void work.then(permit.release);
}

/** Whether a call has ended for its caller before the platform answered. */
interface EarlyEnd {
  error(): CallError | undefined;
  onFire(run: (error: CallError) => void): void;
  close(): void;
}

/**
 * What ends the wait for the platform: the deadline, or the caller's leaving; whichever is first.
 * Once closed, since the platform has answered, nothing ends it any more.
 */
function earlyEnd(
  deadline: OneShot,
  callerGone: OneShot,
  errors: { late: () => CallError; callerGone: () => CallError },
): EarlyEnd {
  let error: CallError | undefined;
  let onCome: (error: CallError) => void = () => undefined;
  const end = (make: () => CallError) => {
    if (error !== undefined) return;
    error = make();
    onCome(error);
  };
  const forgetDeadline = deadline.onFire(() => end(errors.late));
  const forgetCaller = callerGone.onFire(() => end(errors.callerGone));
  return {
    error: () => error,
    onFire(run: (error: CallError) => void) {
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
  running: RunningCall,
): GenerateRequest {
  const { admitted, facts, route, request } = call;
  const { model, bound } = admitted;
  const { callId, app, day } = facts;
  const { signal } = running.upstream;
  const onRequestId = (id: string | undefined) => {
    running.requestId = id;
  };
  const { messages, temperature, topP, stop } = request;
  const asked = { messages, maxTokens: bound.outputTokens, temperature, topP, stop };
  return {
    callId,
    guarded: route.open(),
    request: { ...asked, ...call.operation.encode(request, model) },
    options: { projectId: route.projectId, app, signal, onRequestId },
    model,
    bound,
    deadline: running.deadline,
    isLeft: () => call.context.callerGone.hasFired(),
    extend: async (extension) => {
      const operation = { callId, app, day, extension, amount: bound.amountPicoUsd };
      const isExtended = await parts.ledger.extend(operation).catch(() => false);
      if (isExtended) running.heldPicoUsd += bound.amountPicoUsd;
      return isExtended;
    },
  };
}
