import { type Deadline, untimedDeadline } from '../../lib/deadline.ts';
import { streamTimeoutOf } from '../model/failure.ts';
import { failed } from '../model/result.ts';
import type { StreamState } from './stream-state.ts';

export interface StreamWatch {
  begin(): void;
  eventReceived(): void;
  setHeld(isHeld: boolean): void;
  detach(why: 'left' | 'stalled'): void;
  stop(): void;
}

export function watchStream(state: StreamState): StreamWatch {
  const { clock } = state.parts;
  return {
    begin: () => begin(state),
    eventReceived() {
      state.lastEventMs = clock.monotonic();
      state.isPausedInGap = state.isPaused;
    },
    setHeld: (isHeld) => (isHeld ? pause(state) : resume(state)),
    detach: (why) => continueDetached(state, why),
    stop: () => stop(state),
  };
}

function begin(state: StreamState) {
  const { call, parts, running, startedMs } = state;
  const { clock, limits, streams } = parts;
  const firstMs = clock.monotonic() - startedMs;
  state.firstMs = firstMs;
  const isAwaited = running.early.error() === undefined;
  running.deadline.cancel();
  running.deadline = deadlineOf(state);
  running.early.close();
  if (isAwaited) {
    state.isAwaited = true;
    call.context.callerDisconnected.onFire(() => stopAwaiting(state));
  }
  const { totalMs, idleMs } = limits.streams;
  state.total = clock.after(Math.max(0, totalMs - firstMs), () => onTotal(state));
  watchIdle(state, idleMs);
  state.unregister = streams.add({ stop: () => stop(state) });
  state.begun.resolve();
}

function deadlineOf(state: StreamState): Deadline {
  const { clock, limits } = state.parts;
  const { totalMs, idleMs } = limits.streams;
  const endsAtMs = () => Math.min(state.startedMs + totalMs, state.lastEventMs + idleMs);
  return untimedDeadline(clock, endsAtMs);
}

function stopAwaiting(state: StreamState) {
  if (!state.isAwaited) return;
  state.isAwaited = false;
  if (state.followers.count() === 0) continueDetached(state, 'left');
}

/** Continues, since the platform bills it anyway, unless it may be canceled. */
function continueDetached(state: StreamState, why: 'left' | 'stalled') {
  if (state.isClosed || state.isPastTotal) return;
  state.end ??= why;
  state.running.deadline.end();
  if (mayCut(state)) state.running.upstream.abort();
  else state.detachment.begin();
}

/** True if no retry and no user's wallet needs its real end. */
function mayCut({ call, parts, running }: StreamState): boolean {
  const { keyHash, month } = call.facts;
  if (keyHash !== undefined || month !== undefined) return false;
  return parts.onLeftOf(running.candidate.model.platform) === 'cut';
}

function stop(state: StreamState) {
  if (state.isClosed) return;
  state.end ??= 'stopped';
  state.running.deadline.end();
  state.running.upstream.abort();
}

function pause(state: StreamState) {
  state.isPaused = true;
  state.isPausedInGap = true;
  state.flow?.pause();
}

/** Silence while paused does not count. */
function resume(state: StreamState) {
  state.isPaused = false;
  state.resumedMs = state.parts.clock.monotonic();
  state.lastEventMs = state.resumedMs;
  state.flow?.resume();
}

/** One timer, rearmed when due, because events are far more frequent than silence. */
function watchIdle(state: StreamState, delayMs: number) {
  const { clock, limits } = state.parts;
  const { idleMs } = limits.streams;
  state.idle = clock.after(delayMs, () => {
    if (state.isClosed) return;
    // A detached call has its own time limit, and a paused call is not silent.
    const isOurs = state.end !== undefined || state.isPaused;
    const silentMs = isOurs ? 0 : clock.monotonic() - state.lastEventMs;
    if (silentMs < idleMs) return watchIdle(state, Math.max(1, idleMs - silentMs));
    state.end = 'idle';
    state.running.upstream.abort();
  });
}

/** Callers receive their error now; the cost is determined later. */
function onTotal(state: StreamState) {
  const { call, detachment, followers, parts, running } = state;
  state.isPastTotal = true;
  const isFollowed = followers.count() > 0 || state.isAwaited;
  if (!isFollowed) return;
  state.end ??= 'total';
  const { requestId } = running;
  const limitMs = parts.limits.streams.totalMs;
  followers.endPresent(failed(streamTimeoutOf(call, 'total', { limitMs, requestId })));
  if (!state.isClosed) detachment.begin();
}
