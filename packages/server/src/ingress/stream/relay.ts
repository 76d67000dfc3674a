import type { Following, LiveCall } from '../../calls/model/live-call.ts';
import type { OperationName } from '../../calls/model/operation.ts';
import type { RequestLog } from '../../calls/model/request-log.ts';
import type { CallResult } from '../../calls/model/result.ts';
import type { StreamLimits } from '../../domain/limits.ts';
import { afterReading } from '../../lib/after-reading.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Observer } from '../../lib/observer.ts';
import type { StreamEnd } from '../../lib/request-facts.ts';
import type { StreamDialect } from '../exchange/dialect.ts';
import { caughtRefusal } from '../exchange/refusal.ts';
import type { AnswerStream, Sink } from '../exchange/sink.ts';
import { createFlowControl, type FlowControl, heldFrom } from './flow-control.ts';

export interface RelayParts {
  readonly limits: StreamLimits;
  readonly clock: Clock;
  readonly observer: Pick<Observer, 'streamBegan' | 'streamWritten' | 'streamEnded'>;
}

export interface RelayContext {
  readonly live: LiveCall;
  readonly dialect: StreamDialect;
  readonly operation: OperationName;
  readonly withUsage?: boolean | undefined;
  readonly isKeyed: boolean;
  readonly log: RequestLog;
  readonly startedMs: number;
}

/** A comment after this silence prevents proxies from closing the stream. */
export const keepAliveMs = 10_000;

/** Relays no faster than the client reads. */
export function createRelay(parts: RelayParts, context: RelayContext): AnswerStream {
  const relay: Relay = { ...parts, ...context, ...unopened(), whenOver: [] };
  return {
    open: (sink) => open(relay, sink),
    leave: () => leave(relay, 'left'),
    whenEnded(run) {
      if (relay.isOver) run();
      else relay.whenOver.push(run);
    },
  };
}

interface Progress {
  out: Out | undefined;
  /** Events of one read, their content bytes, and the time of the first. */
  pending: string;
  pendingBytes: number;
  pendingSinceMs: number | undefined;
  isDue: boolean;
  number: number;
  result: CallResult | undefined;
  wroteAtMs: number;
  keepAlive: Timer | undefined;
  isOver: boolean;
}

interface Out {
  readonly sink: Sink;
  readonly following: Following;
  readonly flow: FlowControl;
}

interface Relay extends RelayParts, RelayContext, Progress {
  readonly whenOver: (() => void)[];
}

function unopened(): Progress {
  return {
    ...{ out: undefined, pending: '', pendingBytes: 0, pendingSinceMs: undefined, isDue: false },
    ...{ number: 0, result: undefined, wroteAtMs: 0, keepAlive: undefined, isOver: false },
  };
}

function open(relay: Relay, sink: Sink) {
  if (relay.isOver) return sink.destroy();
  const { clock, dialect, isKeyed, limits, live } = relay;
  relay.number = live.after;
  relay.pending = dialect.start(live);
  const following = live.follow({
    onDelta(text, number, bytes) {
      if (relay.isOver) return;
      relay.pendingSinceMs ??= clock.monotonic();
      // Without an idempotency key no client can resume: deltas that arrive together count as one.
      relay.number = isKeyed ? number : relay.number + 1;
      relay.pending += dialect.delta(text, relay.number, relay);
      relay.pendingBytes += bytes;
      // A platform that writes much at once is paused before all of it is read.
      if (relay.pending.length > heldFrom(limits)) flush(relay);
      else plan(relay);
    },
    onEnd(result) {
      relay.result = result;
      plan(relay);
    },
  });
  const flow = createFlowControl({
    ...{ limits, clock, isBehind: sink.isBehind },
    ...{ onHold: following.hold, onRelease: following.release },
    onStalled() {
      leave(relay, 'stalled');
      sink.destroy();
    },
  });
  relay.out = { sink, following, flow };
  plan(relay);
  watch(relay, keepAliveMs);
}

function plan(relay: Relay) {
  if (relay.isDue || relay.isOver) return;
  relay.isDue = true;
  afterReading(() => {
    relay.isDue = false;
    flush(relay);
  });
}

function flush(relay: Relay) {
  const { clock, dialect, log, observer, operation: route, out, result } = relay;
  if (relay.isOver || out === undefined) return;
  const nowMs = clock.monotonic();
  const { pending, pendingBytes, pendingSinceMs } = relay;
  const last = result === undefined ? '' : dialect.end(result, relay.number, relay);
  relay.pending = '';
  relay.pendingBytes = 0;
  relay.pendingSinceMs = undefined;
  if (pending !== '' || last !== '')
    write(relay, out, { text: pending + last, pendingBytes, nowMs });
  if (log.firstMs === undefined) {
    log.firstMs = nowMs - relay.startedMs;
    observer.streamBegan?.({ route, tookMs: log.firstMs });
  }
  if (pendingSinceMs !== undefined) {
    observer.streamWritten?.({ route, delayMs: nowMs - pendingSinceMs });
  }
  if (result !== undefined) finish(relay, out.sink, result);
}

interface Piece {
  readonly text: string;
  /** Content bytes. */
  readonly pendingBytes: number;
  readonly nowMs: number;
}

function write(relay: Relay, { sink, following, flow }: Out, { text, pendingBytes, nowMs }: Piece) {
  const bytes = Buffer.byteLength(text);
  relay.wroteAtMs = nowMs;
  flow.recordWritten(bytes);
  sink.write(text, bytes, () => {
    flow.recordSent(bytes);
    if (pendingBytes > 0) following.delivered(pendingBytes);
  });
}

function finish(relay: Relay, sink: Sink, result: CallResult) {
  if (result.kind === 'failed') caughtRefusal(result.error, relay.log);
  // The call logged a more precise end.
  end(relay, relay.log.end ?? (result.kind === 'failed' ? 'error' : 'finish'));
  sink.end();
}

function leave(relay: Relay, why: 'left' | 'stalled') {
  if (relay.isOver) return;
  // The call must learn of it even if the stream was never opened.
  const following = relay.out?.following ?? relay.live.follow(noFollower);
  relay.isOver = true;
  // First the call, which takes over the permit: the functions of `whenOver` release it.
  following.leave(why);
  // The call may be settled long after the log line of its request.
  relay.log.code ??= 'ABORTED';
  end(relay, why);
}

const noFollower = { onDelta: () => undefined, onEnd: () => undefined };

function end(relay: Relay, how: StreamEnd) {
  const { log, observer, operation: route, out, whenOver } = relay;
  relay.isOver = true;
  relay.keepAlive?.cancel();
  const pausedMs = out?.flow.pausedMs() ?? 0;
  out?.flow.stop();
  log.deltas = relay.number;
  log.end = how;
  observer.streamEnded?.({ route, end: how, pausedMs });
  for (const run of whenOver.splice(0)) run();
}

function watch(relay: Relay, delayMs: number) {
  relay.keepAlive = relay.clock.after(delayMs, () => {
    const { clock, dialect, out } = relay;
    if (relay.isOver || out === undefined) return;
    const nowMs = clock.monotonic();
    const silentMs = nowMs - relay.wroteAtMs;
    if (silentMs < keepAliveMs) return watch(relay, Math.ceil(keepAliveMs - silentMs));
    // Unsent text keeps the connection open as a comment would.
    if (out.flow.unsentBytes() === 0) {
      write(relay, out, { text: dialect.comment, pendingBytes: 0, nowMs });
    }
    watch(relay, keepAliveMs);
  });
}
