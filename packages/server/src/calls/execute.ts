import type { CallFields } from '@model-gateway/contract';
import { startDeadline } from '../lib/deadline.ts';
import type { OneShot } from '../lib/one-shot.ts';
import { largeBytes } from '../lib/work.ts';
import { carriedTo } from '../platforms/model/carry.ts';
import { type GenerateRequest, generate, type Target } from './attempts/attempts.ts';
import type { ReservedCall } from './model/call.ts';
import type { CallError } from './model/call-error.ts';
import type { Candidate } from './model/candidate.ts';
import { abortedOf, type FailedAttempt, timeoutOf } from './model/failure.ts';
import type { Generated } from './model/generated.ts';
import type { ParsedAnswer } from './model/operation.ts';
import { type CallResult, failed } from './model/result.ts';
import type { ModelRoute } from './model/route.ts';
import type { RunningCall } from './model/running-call.ts';
import { badOutput } from './model-operations/bad-output.ts';
import type { RunParts } from './parts.ts';
import { createDetachment } from './running/detachment.ts';
import { conclude, type GeneratedAnswer } from './settle.ts';

/** Starts the call's time limit. Its money must be reserved. */
export function beginCall(
  parts: Pick<RunParts, 'clock' | 'modelTime' | 'firstTime'>,
  call: ReservedCall<CallFields>,
): RunningCall {
  const { model } = call.request;
  const limit = call.context.stream === undefined ? parts.modelTime : parts.firstTime;
  const deadline = startDeadline(parts.clock, limit);
  const running: RunningCall = {
    deadline,
    upstream: new AbortController(),
    early: earlyEnd(deadline.over, call.context.callerDisconnected, {
      timeout: () => timeoutOf(call, limit.limitMs, running.requestId),
      callerDisconnected: () => abortedOf(model),
    }),
    candidate: call.admitted.candidates[0],
    heldPicoUsd: call.admitted.mostExpensive.bound.amountPicoUsd,
    requestId: undefined,
    stream: undefined,
  };
  return running;
}

export function createDetachedCheck(
  { context: { callerDisconnected } }: ReservedCall<CallFields>,
  { early }: RunningCall,
): () => boolean {
  return () => callerDisconnected.hasFired() || early.error() !== undefined;
}

export async function finishCall<Request extends CallFields>(
  parts: RunParts,
  call: ReservedCall<Request>,
  running: RunningCall,
): Promise<CallResult> {
  const { early } = running;
  const { work } = call.context;
  let answered: GeneratedAnswer;
  try {
    if (call.size.bodyBytes > largeBytes) await work.turn();
    const startedMs = work.nowMs();
    const { retry: policy, clock, observer } = parts;
    const attemptParts = { policy, clock, random: parts.ids.random, observer };
    const generating = generate(attemptParts, attemptsOf(parts, call, running));
    work.note('request', startedMs);
    const generated = await generating;
    answered = { ...generated, parsed: await read(call, generated) };
  } finally {
    early.close();
    running.deadline.cancel();
  }
  const ending = running.stream?.close(answered.last.outcome);
  const ended = ending?.early ?? early.error();
  // Settling may outlast the request. A shutdown waits for it, as for a detached call.
  const { settling } = parts.detached;
  settling.enter();
  try {
    return await conclude(parts, call, answered, ended, ending);
  } finally {
    settling.leave();
  }
}

/**
 * The result, TIMEOUT or ABORTED. The platform request is not canceled early, since the platform
 * bills it anyway: the call continues detached and settles exactly.
 */
export function resultInTime(
  parts: RunParts,
  call: ReservedCall<CallFields>,
  running: RunningCall,
  final: Promise<CallResult>,
): Promise<CallResult> {
  return new Promise((resolve, reject) => {
    final.then(resolve, reject);
    running.early.onFire((error) => {
      createDetachment(parts, call, running, final).begin();
      resolve(failed(error));
    });
  });
}

/** Time-limited, since a check may wait for another thread. Never rejects. */
function read<Request extends CallFields>(
  call: ReservedCall<Request>,
  { last: { candidate, outcome } }: Generated,
): ParsedAnswer | FailedAttempt | Promise<ParsedAnswer> {
  if (outcome.kind === 'failed') return outcome;
  const { operation, request } = call;
  // The answer has been paid for in any case, and the call must be settled.
  const unchecked = () =>
    badOutput(request.model, 'answered with something that could not be checked');
  try {
    const parsed = operation.read(outcome, request, candidate.model);
    return parsed instanceof Promise ? parsed.catch(unchecked) : parsed;
  } catch {
    /* fails like an asynchronous check */
    return unchecked();
  }
}

function attemptsOf<Request extends CallFields>(
  parts: RunParts,
  call: ReservedCall<Request>,
  running: RunningCall,
): GenerateRequest {
  const { admitted, facts, routes, context } = call;
  const { callId, app, day } = facts;
  const { stream } = running;
  return {
    callId,
    first: targetOf(call, running, admitted.candidates[0], routes[0]),
    targetAt(index) {
      const candidate = admitted.candidates[index];
      const route = routes[index];
      return candidate && route && targetOf(call, running, candidate, route);
    },
    fallbackOn: admitted.alias?.fallbackOn ?? [],
    isLast: () => context.callerDisconnected.hasFired() || stream?.isLast() === true,
    faultOf: stream?.faultOf,
    running,
    aliasLog: admitted.alias && context.log,
    extend: async (extension, amount) => {
      const operation = { callId, app, day, extension, amount };
      const isExtended = await parts.ledger.extend(operation).catch(() => false);
      if (isExtended) running.heldPicoUsd += amount;
      return isExtended;
    },
  };
}

function targetOf<Request extends CallFields>(
  { context: { trace, work }, facts: { app }, operation, request }: ReservedCall<Request>,
  running: RunningCall,
  candidate: Candidate,
  { projectId, open }: ModelRoute,
): Target {
  const { model, bound } = candidate;
  const { signal } = running.upstream;
  const opened = open();
  const encoded = operation.encode(request, model);
  const messages =
    encoded.hasCarry === true
      ? carriedTo(encoded.messages, { row: model, port: opened.port })
      : encoded.messages;
  const { send } = model;
  // The operator's constants take precedence.
  const fields = send === undefined ? encoded.fields : { ...encoded.fields, ...send.fields };
  return {
    candidate,
    ...opened,
    request: { ...encoded, messages, fields, maxTokens: bound.outputTokens },
    options: {
      ...{ projectId, app, signal, requestIdHolder: running, stream: running.stream?.attempt },
      ...{ trace, work },
    },
  };
}

/** Fires at the deadline or disconnect. Close it once the platform has answered. */
function earlyEnd(
  deadline: OneShot,
  callerDisconnected: OneShot,
  errors: { timeout: () => CallError; callerDisconnected: () => CallError },
): RunningCall['early'] {
  let error: CallError | undefined;
  let onEnd: (error: CallError) => void = () => undefined;
  const end = (make: () => CallError) => {
    if (error !== undefined) return;
    error = make();
    onEnd(error);
  };
  const unsubscribeDeadline = deadline.onFire(() => end(errors.timeout));
  const unsubscribeCaller = callerDisconnected.onFire(() => end(errors.callerDisconnected));
  return {
    error: () => error,
    onFire(run: (error: CallError) => void) {
      if (error === undefined) onEnd = run;
      else run(error);
    },
    close() {
      unsubscribeDeadline();
      unsubscribeCaller();
    },
  };
}
