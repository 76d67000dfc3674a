import type { CallFields } from '@model-gateway/contract';
import type { Limits } from '../../domain/limits.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { ReservedCall } from '../model/call.ts';
import type { CallResult } from '../model/result.ts';
import type { RunningCall } from '../model/running-call.ts';
import type { DetachedCalls } from './detached.ts';

export interface DetachmentParts {
  readonly clock: Clock;
  readonly detached: DetachedCalls;
  readonly limits: Pick<Limits, 'drainMs'>;
}

/** Keeps a call running after its caller disconnected, to settle its real cost. */
export interface Detachment {
  begin(): void;
  /** A caller waits again; the time limit restarts with the next `begin`. */
  suspend(): void;
}

/** `final` ends it. Starts no timer before `begin`. */
export function createDetachment(
  { clock, detached, limits }: DetachmentParts,
  call: ReservedCall<CallFields>,
  running: RunningCall,
  final: Promise<CallResult>,
): Detachment {
  let limit: Timer | undefined;
  let isDetached = false;
  const suspend = () => limit?.cancel();
  return {
    begin() {
      suspend();
      limit = clock.after(limits.drainMs, cut, { keepAlive: true });
      if (!isDetached) detach();
      isDetached = true;
    },
    suspend,
  };

  function cut() {
    running.upstream.abort();
    // The call may be waiting for a retry, and must not begin another attempt.
    running.deadline.end();
  }

  function detach() {
    const work = final.then(suspend, suspend);
    const permit = call.context.permit.transfer();
    const giveUp = () => {
      permit.release();
      cut();
    };
    const { app } = call.facts;
    detached.add({ app, work, cut: giveUp, heldPicoUsd: () => running.heldPicoUsd });
    // Runs after the set has dropped the call, which must not be canceled for a released permit.
    void work.then(permit.release);
  }
}
