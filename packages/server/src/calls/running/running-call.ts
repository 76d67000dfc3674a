import type { CallFields } from '@model-gateway/contract';
import type { Clock } from '../../lib/clock.ts';
import { type Deadline, startDeadline } from '../../lib/deadline.ts';
import type { OneShot } from '../../lib/one-shot.ts';
import type { TimeLimit } from '../../lib/time-limit.ts';
import type { ReservedCall } from '../model/call.ts';
import type { CallError } from '../model/call-error.ts';
import type { CallStream } from '../model/call-stream.ts';
import type { Candidate } from '../model/candidate.ts';
import { abortedOf, timeoutOf } from '../model/failure.ts';

export interface CallTimes {
  readonly clock: Clock;
  readonly modelTime: TimeLimit;
  readonly firstTime: TimeLimit;
}

export interface RunningCall {
  deadline: Deadline;
  readonly upstream: AbortController;
  readonly early: EarlyEnd;
  candidate: Candidate;
  heldPicoUsd: bigint;
  requestId: string | undefined;
  stream: CallStream | undefined;
}

/** Starts the call's time; its money must be held. */
export function beginCall(parts: CallTimes, call: ReservedCall<CallFields>): RunningCall {
  const { model } = call.request;
  const limit = call.context.stream === undefined ? parts.modelTime : parts.firstTime;
  const deadline = startDeadline(parts.clock, limit);
  const running: RunningCall = {
    deadline,
    upstream: new AbortController(),
    early: earlyEnd(deadline.over, call.context.callerGone, {
      late: () => timeoutOf(call, limit.limitMs, running.requestId),
      callerGone: () => abortedOf(model),
    }),
    candidate: call.admitted.candidates[0],
    heldPicoUsd: call.admitted.dearest.bound.amountPicoUsd,
    requestId: undefined,
    stream: undefined,
  };
  return running;
}

export function isLeftOf(
  { context: { callerGone } }: ReservedCall<CallFields>,
  { early }: RunningCall,
): () => boolean {
  return () => callerGone.hasFired() || early.error() !== undefined;
}

export interface EarlyEnd {
  error(): CallError | undefined;
  onFire(run: (error: CallError) => void): void;
  close(): void;
}

/** The first of deadline and caller's leaving. Close it once the platform answered. */
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
