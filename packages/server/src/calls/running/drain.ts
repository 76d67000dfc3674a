import type { CallFields } from '@model-gateway/contract';
import type { Timer } from '../../lib/clock.ts';
import type { ReservedCall, RunParts } from '../model/call.ts';
import type { CallResult } from '../model/result.ts';
import type { RunningCall } from './running-call.ts';

/** A call that goes on when its caller has gone, so that it is settled with what it really cost. */
export interface Drain {
  /** From now on it is waited for in the background, for `limits.drainMs`. */
  begin(): void;
  /** A caller waits for it again: its time begins anew when that one leaves, too. */
  suspend(): void;
}

/** The drain of one call, which `final` ends. Nothing runs before it begins. */
export function createDrain(
  { clock, detached, limits }: RunParts,
  call: ReservedCall<CallFields>,
  running: RunningCall,
  final: Promise<CallResult>,
): Drain {
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
    // It may be within a back-off: it is not to begin another attempt.
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
    // After the call is known to have ended: it may not be cut for a permit that it has released.
    void work.then(permit.release);
  }
}
