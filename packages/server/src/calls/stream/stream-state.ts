import type { CallFields } from '@model-gateway/contract';
import type { Timer } from '../../lib/clock.ts';
import type { Flow } from '../../platforms/http/flow.ts';
import type { ReservedCall, RunParts } from '../model/call.ts';
import type { Drain } from '../running/drain.ts';
import type { RunningCall } from '../running/running-call.ts';
import type { Followers } from './followers.ts';

/** What is known of a streamed call while it runs. */
export interface StreamState {
  readonly parts: RunParts;
  readonly call: ReservedCall<CallFields>;
  readonly running: RunningCall;
  readonly drain: Drain;
  readonly followers: Followers;
  readonly startedMs: number;
  readonly begun: PromiseWithResolvers<void>;
  /** Milliseconds to the first delta; undefined until it comes. */
  firstMs: number | undefined;
  /** Its callers were shown a part of an answer, or may have been. */
  hasShown: boolean;
  /** The request that makes the call is about to follow it. */
  isAwaited: boolean;
  /** Its answer has been read. */
  isClosed: boolean;
  /** It has run for as long as a stream may: what is left is its drain’s time. */
  isPastTotal: boolean;
  /** Why it had no good end, or none that its callers saw; the first reason there was. */
  end: 'left' | 'stalled' | 'idle' | 'total' | 'stopped' | undefined;
  flow: Flow | undefined;
  lastEventMs: number;
  /** The platform is held back. */
  isPaused: boolean;
  /** The platform was held back since it last said something. */
  isPausedInGap: boolean;
  /** When it was let go on; undefined where it never was held back. */
  resumedMs: number | undefined;
  idle: Timer | undefined;
  total: Timer | undefined;
  /** Takes it back from those that the process stops at its end. */
  forget: () => void;
}

/** A stream that nothing has come of. */
export function newStreamState(
  given: Pick<StreamState, 'parts' | 'call' | 'running' | 'drain' | 'followers'>,
): StreamState {
  const nowMs = given.parts.clock.monotonic();
  return {
    ...given,
    startedMs: nowMs,
    begun: Promise.withResolvers(),
    firstMs: undefined,
    hasShown: false,
    isAwaited: false,
    isClosed: false,
    isPastTotal: false,
    end: undefined,
    flow: undefined,
    lastEventMs: nowMs,
    isPaused: false,
    isPausedInGap: false,
    resumedMs: undefined,
    idle: undefined,
    total: undefined,
    forget: () => undefined,
  };
}
