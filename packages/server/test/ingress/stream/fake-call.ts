import { defaultLimits } from '@model-gateway/contract';
import type { CallContext } from '../../../src/calls/model/call.ts';
import type { Follower, LiveCall } from '../../../src/calls/model/live-call.ts';
import type { CallResult, DoneCall } from '../../../src/calls/model/result.ts';
import { createOwnCounts } from '../../../src/compose/parts/process-counts.ts';
import { defaultPlans } from '../../../src/config/limits.ts';
import { defaultStreamLimits, type StreamLimits } from '../../../src/domain/limits.ts';
import { createSizeOf } from '../../../src/ingress/dialects/gateway/body/size.ts';
import { gateway } from '../../../src/ingress/dialects/gateway/gateway.ts';
import { createChatRoute } from '../../../src/ingress/dialects/gateway/routes.ts';
import { createDispatch } from '../../../src/ingress/dispatch.ts';
import { createRouteTable } from '../../../src/ingress/exchange/route-table.ts';
import { createIngress, type Ingress } from '../../../src/ingress/ingress.ts';
import { createBodies } from '../../../src/ingress/limits/bodies.ts';
import type { RequestPermit } from '../../../src/ingress/limits/concurrency.ts';
import { createShares } from '../../../src/ingress/limits/shares.ts';
import { createWorkTurns } from '../../../src/ingress/limits/work-turns.ts';
import { createStreams, type Streams } from '../../../src/ingress/stream/streams.ts';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import { createIds } from '../../../src/lib/id.ts';
import type { AnsweredRequest, EndedStream } from '../../../src/lib/observer.ts';
import { createWork } from '../../../src/lib/work.ts';
import { heldProcessor } from '../../support/processor.ts';

/** A streamed call whose platform is the test. */
export interface FakeCall {
  readonly live: LiveCall;
  emit(text: string): void;
  end(result: CallResult): void;
  readonly isHeld: () => boolean;
  readonly holds: () => number;
  readonly deliveredBytes: () => number;
  readonly disconnectReason: () => string | undefined;
}

/** A call without deltas so far. */
export function createFakeCall(named: Partial<LiveCall> = {}): FakeCall {
  let follower: Follower | undefined;
  let number = named.after ?? 0;
  let isHeld = false;
  let holds = 0;
  let deliveredBytes = 0;
  let disconnectReason: string | undefined;
  const live: LiveCall = {
    ...{ kind: 'live', callId: 'call_1', model: 'sim-echo', upstreamId: 'up_1' },
    ...{ isReplayed: false, after: 0, ...named },
    follow(of) {
      follower = of;
      return {
        hold() {
          isHeld = true;
          holds += 1;
        },
        release() {
          isHeld = false;
        },
        delivered(bytes) {
          deliveredBytes += bytes;
        },
        leave(why) {
          disconnectReason ??= why;
        },
      };
    },
  };
  return {
    live,
    emit(text) {
      number += 1;
      follower?.onDelta(text, number, Buffer.byteLength(text));
    },
    end: (result) => follower?.onEnd(result),
    isHeld: () => isHeld,
    holds: () => holds,
    deliveredBytes: () => deliveredBytes,
    disconnectReason: () => disconnectReason,
  };
}

export const usage = {
  ...{ inputTokens: 3, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
  ...{ outputTokens: 2, reasoningTokens: 0 },
} as const;

/** A chat that was answered. */
export function done(text: string): DoneCall {
  return {
    ...{ kind: 'done', callId: 'call_1', model: 'sim-echo', upstreamId: 'up_1', isReplayed: false },
    ...{ output: { kind: 'text', text, finishReason: 'stop' }, usage },
    cost: { usd: '0.000183', estimated: false },
  };
}

/** An ingress in front of calls that the test answers. */
export interface FakeIngress {
  readonly ingress: Ingress;
  readonly streams: Streams;
  readonly contexts: CallContext[];
  readonly answered: AnsweredRequest[];
  readonly ended: EndedStream[];
  /** Permits that are not released. */
  readonly permits: () => number;
}

/** Puts the ingress in front of `run`. Every request has a key and a permit. */
export function openFakeIngress(parts: {
  readonly run: (context: CallContext) => Promise<CallResult | LiveCall>;
  readonly clock?: Clock;
  readonly limits?: Partial<StreamLimits>;
  readonly isStreaming?: boolean;
}): FakeIngress {
  const { clock = systemClock, isStreaming = true } = parts;
  const limits = { ...defaultLimits, streams: { ...defaultStreamLimits, ...parts.limits } };
  const contexts: CallContext[] = [];
  const answered: AnsweredRequest[] = [];
  const ended: EndedStream[] = [];
  let permits = 0;
  const observer = {
    requestAnswered: (request: AnsweredRequest) => void answered.push(request),
    streamEnded: (stream: EndedStream) => void ended.push(stream),
  };
  const runner = {
    run({ context }: { readonly context: CallContext }) {
      contexts.push(context);
      context.log.callId = 'call_1';
      return parts.run(context);
    },
  };
  const { streams: counted, slowBodies: slow } = createOwnCounts();
  const { inFlight: max } = limits.streams;
  const shares = createShares({ max, counted, clock, enabledApps: () => 1 });
  const streams = createStreams({
    ...{ limits: limits.streams, clock, observer, runner, shares, counted },
  });
  const processor = heldProcessor(clock);
  const access = {
    authorize: () =>
      ({ kind: 'authorized', caller, permit: takePermit(), refusal: undefined }) as const,
    chargeRefused: () => undefined,
  };
  const bodies = createBodies({ clock, bytesMax: limits.bodyBytes, slow });
  const ingress = createIngress({
    live: { config: { plans: defaultPlans } },
    ...{ routes, access, limits, clock, observer, ids: createIds(clock) },
    tracing: { begin: () => undefined },
    dispatch: createDispatch({
      ...{ access, bodies, runner, streams, limits, routes, isStreaming: () => isStreaming },
      work: createWork(
        processor.nowMs,
        createWorkTurns({ processor, isShared: () => false }),
        () => undefined,
      ),
    }),
  });
  return { ingress, streams, contexts, answered, ended, permits: () => permits };

  function takePermit(): RequestPermit {
    let isMine = true;
    permits += 1;
    return {
      transfer: takePermit,
      bodyBytes: 0,
      hasRoom: () => true,
      hasRoomParsed: () => true,
      shrinkTo: () => undefined,
      release() {
        if (isMine) permits -= 1;
        isMine = false;
      },
    };
  }
}

const chat = createChatRoute({ sizeOf: createSizeOf(), headersOfCarry: () => () => ({}) });
const routes = createRouteTable(
  [
    { ...chat, method: 'POST', path: '/v1/chat', name: 'chat', dialect: gateway },
    {
      ...{ method: '*', path: '/v1/chat/stream', name: 'stream', dialect: gateway },
      ...{ kind: 'stream', parse: chat.parse, streamedName: 'chatStream', why: 'Not available.' },
    },
  ],
  gateway,
);

const app = {
  ...{
    name: 'search',
    isEnabled: true,
    dailyBudgetPicoUsd: undefined,
    monthlyBudgetPicoUsd: undefined,
    perUserDailyPicoUsd: undefined,
    models: undefined,
  },
  ...{ credits: undefined, earlierCredits: undefined, unpriced: undefined, storeAnswers: true },
  ...{ adoptRetries: false, streaming: undefined, defaultMaxTokens: undefined, project: 'p' },
  ...{ ratePerSecond: undefined, keysMax: 1_000 },
  ...{ plans: {}, tags: {}, projectIds: new Map(), sharedProjects: new Map() },
};

const caller = {
  key: {
    ...{ id: 'key', name: 'llm::user::search::a@b.c', customerId: 'search', parsed: undefined },
    ...{ lineage: 'key', models: undefined, expiresAt: undefined },
  },
  ...{ app, customer: app, isConventional: true, run: undefined },
};
