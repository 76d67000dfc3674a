import type { CallFields } from '@model-gateway/contract';
import type { AttemptOutcome, AttemptStream } from '../../platforms/model/port.ts';
import type { ReservedCall } from '../model/call.ts';
import { CallError } from '../model/call-error.ts';
import type { CallStream, StreamFault } from '../model/call-stream.ts';
import { abortedOf, brokenOf, stoppedOf, streamTimeoutOf } from '../model/failure.ts';
import { sentKey } from '../model/idempotency-key.ts';
import type { Follower, Following, FollowingRequest, LiveCall } from '../model/live-call.ts';
import type { OutputPiece } from '../model/operation.ts';
import type { StreamEnding } from '../model/result.ts';
import { type CallResult, failed } from '../model/result.ts';
import type { RunningCall } from '../model/running-call.ts';
import type { Detachment } from '../running/detachment.ts';
import { createFollowers } from './followers.ts';
import { newStreamState, type StreamParts, type StreamState } from './stream-state.ts';
import { watchStream } from './watch-stream.ts';

/** The money is reserved; no platform was called yet. */
export function createStream(
  parts: StreamParts,
  call: ReservedCall<CallFields>,
  running: RunningCall,
  detachment: Detachment,
): CallStream {
  const { idempotencyKey: key } = call.context;
  const followers = createFollowers({
    isRetained: key !== undefined && sentKey(key) !== undefined,
    isAwaited: () => state.isAwaited,
    onHeld: (isHeld) => watch.setHeld(isHeld),
    onEmpty: (why) => watch.detach(why),
  });
  const state = newStreamState({ parts, call, running, detachment, followers });
  const watch = watchStream(state);
  return {
    kind: 'stream',
    attempt: attemptStream(state, watch),
    begun: state.begun.promise,
    hasBegun: () => state.firstMs !== undefined,
    isLast: () => state.hasShown || state.end !== undefined,
    faultOf: (outcome) => faultOf(state, outcome),
    live: (by) => liveCallOf(state, by),
    close: (outcome) => close(state, outcome),
    end: (result) => end(state, result),
    fail(cause) {
      const message = 'The gateway had an internal error; try again in a moment.';
      end(state, failed(new CallError('INTERNAL', message, { cause })));
    },
    stop: watch.stop,
  };
}

function attemptStream(state: StreamState, watch: ReturnType<typeof watchStream>): AttemptStream {
  const { operation } = state.call;
  const { running } = state;
  return {
    onDelta(delta) {
      if (state.firstMs === undefined) watch.begin();
      const piece = operation.pieceOf(delta, running.candidate.model);
      if (piece === undefined) return false;
      state.followers.push(piece);
      if (state.firstAt === undefined) noteFirst(state, piece);
      if (piece.mayRepeat === true) return false;
      state.hasShown = true;
      return undefined;
    },
    onEvent: watch.eventReceived,
    onFlow(flow) {
      state.flow = flow;
      if (state.isPaused) flow.pause();
    },
  };
}

/** Only model output counts, and only if a caller receives it. */
function noteFirst(state: StreamState, { bytes, mayRepeat }: OutputPiece) {
  const isSent = state.isAwaited || state.followers.count() > 0;
  if (isSent && (bytes > 0 || mayRepeat === true)) state.firstAt = state.parts.clock.now();
}

function faultOf(state: StreamState, outcome: AttemptOutcome): StreamFault | undefined {
  if (outcome.kind === 'answered' || outcome.billed === 'no') return undefined;
  const { running, end } = state;
  if (outcome.broke !== true && !running.upstream.signal.aborted) return undefined;
  const hasEnded = (end !== undefined && end !== 'idle') || running.early.error() !== undefined;
  return hasEnded || wasHeldBack(state, outcome) ? 'ours' : 'platform';
}

const bufferedMs = 1_000;

/**
 * The connection may have broken during the pause: buffered data arrives after resuming, its end
 * last.
 */
function wasHeldBack(state: StreamState, outcome: AttemptOutcome): boolean {
  const { isPausedInGap, resumedMs, parts } = state;
  if (isPausedInGap || (outcome.kind === 'failed' && outcome.wasHeldBack === true)) return true;
  return resumedMs !== undefined && parts.clock.monotonic() - resumedMs < bufferedMs;
}

function close(state: StreamState, outcome: AttemptOutcome): StreamEnding {
  const { end, followers, running } = state;
  state.isClosed = true;
  state.idle?.cancel();
  const hasEndedEarly = end === 'left' || end === 'stalled' || end === 'total';
  const fault = faultOf(state, outcome);
  return {
    early: running.early.error() ?? earlyOf(state),
    error: state.firstMs === undefined ? undefined : errorOf(state, outcome),
    hasBegun: state.firstMs !== undefined,
    // A request that came after the first caller disconnected receives nothing that counts as
    // received.
    isFollowed: followers.count() > 0 && !hasEndedEarly,
    isCallerDisconnected: end === 'left',
    deliveredBytes: followers.deliveredBytes(),
    firstAt: state.firstAt,
    isPaidAsDelivered: hasEndedEarly || (fault === 'ours' && end !== 'stopped'),
  };
}

function earlyOf({ end, call, parts, running }: StreamState) {
  const { model } = call.request;
  if (end === 'left' || end === 'stalled') return abortedOf(model);
  if (end !== 'total') return undefined;
  const limitMs = parts.limits.streams.totalMs;
  return streamTimeoutOf(call, 'total', { limitMs, requestId: running.requestId });
}

function errorOf({ end, call, parts, running }: StreamState, outcome: AttemptOutcome) {
  if (outcome.kind === 'answered') return undefined;
  const { model } = call.request;
  const { requestId } = running;
  if (end === 'stopped') return stoppedOf(model, requestId);
  if (end !== 'idle') return brokenOf(outcome, call);
  return streamTimeoutOf(call, 'idle', { limitMs: parts.limits.streams.idleMs, requestId });
}

function end(state: StreamState, result: CallResult) {
  const { followers } = state;
  state.isClosed = true;
  state.idle?.cancel();
  state.total?.cancel();
  state.unregister();
  followers.end(result);
}

function liveCallOf(state: StreamState, by: FollowingRequest): LiveCall {
  const { call, followers, running } = state;
  if (call.admitted.alias !== undefined) by.log.servedBy = running.candidate.model.id;
  // The number may be from another process or exceed all deltas. Then the whole output is sent.
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
  // The first caller may have disconnected before following began.
  if (by.isReplayed || !state.call.context.callerDisconnected.hasFired()) reattach(state);
  const loggingFollower: Follower = {
    onDelta: (text, number, bytes) => follower.onDelta(text, number, bytes),
    onEnd(result) {
      const { end } = state;
      const isTimed = result.kind === 'failed' && (end === 'idle' || end === 'total');
      if (isTimed) by.log.end = end;
      follower.onEnd(result);
    },
  };
  return state.followers.add(loggingFollower, by.after);
}

function reattach(state: StreamState) {
  if (state.isClosed || state.followers.count() > 0 || state.isPastTotal) return;
  if (state.end === 'left' || state.end === 'stalled') state.end = undefined;
  state.lastEventMs = state.parts.clock.monotonic();
  state.detachment.suspend();
}
