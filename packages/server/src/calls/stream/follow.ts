import type { Follower, Following, FollowingRequest, LiveCall } from '../model/live-call.ts';
import type { StreamState } from './stream-state.ts';

export function liveCallOf(state: StreamState, by: FollowingRequest): LiveCall {
  const { call, followers, running } = state;
  if (call.admitted.alias !== undefined) by.log.servedBy = running.candidate.model.id;
  // A number of another process, or of no delta: then all of it is told.
  const after = by.after <= followers.deltas() ? by.after : 0;
  return {
    kind: 'live',
    callId: call.facts.callId,
    model: call.request.model,
    upstreamId: running.requestId,
    isReplayed: by.isReplayed,
    after,
    follow: (follower) => follow(state, follower, { ...by, after }),
  };
}

function follow(state: StreamState, follower: Follower, by: FollowingRequest): Following {
  if (!by.isReplayed) state.isAwaited = false;
  // The caller that made the call may have gone before it was followed.
  if (by.isReplayed || !state.call.context.callerGone.hasFired()) attend(state);
  const told: Follower = {
    onDelta: (text, number, bytes) => follower.onDelta(text, number, bytes),
    onEnd(result) {
      const { end } = state;
      const isTimed = result.kind === 'failed' && (end === 'idle' || end === 'total');
      if (isTimed) by.log.end = end;
      follower.onEnd(result);
    },
  };
  return state.followers.add(told, by.after);
}

/** A follower returned, so the drain stops. */
function attend(state: StreamState) {
  if (state.isClosed || state.followers.count() > 0 || state.isPastTotal) return;
  if (state.end === 'left' || state.end === 'stalled') state.end = undefined;
  state.lastEventMs = state.parts.clock.monotonic();
  state.drain.suspend();
}
