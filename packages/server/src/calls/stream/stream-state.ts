import type { CallFields } from '@model-gateway/contract';
import type { Limits } from '../../domain/limits.ts';
import type { DisconnectPolicy } from '../../domain/platform.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Flow } from '../../platforms/http/flow.ts';
import type { ReservedCall } from '../model/call.ts';
import type { RunningCall } from '../model/running-call.ts';
import type { Detachment } from '../running/detachment.ts';
import type { Followers } from './followers.ts';
import type { LiveStreams } from './live-streams.ts';

export interface StreamParts {
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'streams'>;
  readonly streams: LiveStreams;
  readonly onLeftOf: (platform: string) => DisconnectPolicy;
}

export interface StreamState {
  readonly parts: StreamParts;
  readonly call: ReservedCall<CallFields>;
  readonly running: RunningCall;
  readonly detachment: Detachment;
  readonly followers: Followers;
  readonly startedMs: number;
  readonly begun: PromiseWithResolvers<void>;
  firstMs: number | undefined;
  /** By the clock of the call's start. */
  firstAt: number | undefined;
  hasShown: boolean;
  isAwaited: boolean;
  isClosed: boolean;
  /** Reached the maximum time; only the time as a detached call is left. */
  isPastTotal: boolean;
  /** The first reason for a bad end, or for an end that callers did not see. */
  end: 'left' | 'stalled' | 'idle' | 'total' | 'stopped' | undefined;
  flow: Flow | undefined;
  lastEventMs: number;
  isPaused: boolean;
  isPausedInGap: boolean;
  resumedMs: number | undefined;
  idle: Timer | undefined;
  total: Timer | undefined;
  unregister: () => void;
}

export function newStreamState(
  initial: Pick<StreamState, 'parts' | 'call' | 'running' | 'detachment' | 'followers'>,
): StreamState {
  const nowMs = initial.parts.clock.monotonic();
  return {
    ...initial,
    startedMs: nowMs,
    begun: Promise.withResolvers(),
    firstMs: undefined,
    firstAt: undefined,
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
    unregister: () => undefined,
  };
}
