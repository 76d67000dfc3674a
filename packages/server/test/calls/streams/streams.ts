import type { CallRequest } from '@model-gateway/contract';
import { embedded } from '@model-gateway/lab/simulator/embedded';
import { createIdempotencyKey } from '../../../src/calls/idempotency/key.ts';
import { createReplays } from '../../../src/calls/idempotency/replay.ts';
import { chat } from '../../../src/calls/operations/chat.ts';
import type { ModelOperation } from '../../../src/calls/operations/operation.ts';
import { createRequestLog } from '../../../src/calls/request-log.ts';
import type { CallResult } from '../../../src/calls/result.ts';
import { type CallRunner, createCallRunner } from '../../../src/calls/run.ts';
import type { Following, LiveCall } from '../../../src/calls/stream/live-call.ts';
import { createCatalog } from '../../../src/catalog/create-catalog.ts';
import type { OnLeft } from '../../../src/domain/platform.ts';
import { createUsageNames } from '../../../src/ledger/usage-names.ts';
import { createIds } from '../../../src/lib/id.ts';
import type { Observer, SettledCall } from '../../../src/lib/observer.ts';
import { createOneShot } from '../../../src/lib/one-shot.ts';
import { chatOf } from '../../support/exchange.ts';
import { defaultYaml, type Stack } from '../../support/stack.ts';
import { type FakePlatform, fakePlatform } from './fake-platform.ts';

/** Streamed calls of a stack's apps, at a platform that the test speaks for. */
export interface Streams {
  readonly stack: Stack;
  readonly runner: CallRunner;
  readonly platform: FakePlatform;
  /** What was settled, in order. */
  readonly settled: readonly SettledCall[];
  /** What platforms are told when a caller has left. */
  onLeft: OnLeft;
  ask(asked: Asked): Promise<Caller>;
}

/** One request, and how its caller reads. */
export interface Asked {
  readonly app: 'search' | 'tutor';
  readonly key?: string | undefined;
  readonly after?: number;
  readonly operation?: ModelOperation<never>;
  readonly request?: object;
  /** False: its socket accepts nothing until the test says so. */
  readonly accepts?: boolean;
}

/** A caller, and what it was told. */
export interface Caller {
  /** What the call is from its first delta on; undefined where it never came to that. */
  readonly live: LiveCall | undefined;
  /** Each delta with its number. */
  readonly told: readonly (readonly [text: string, number: number])[];
  /** Its end; undefined until then. */
  readonly result: CallResult | undefined;
  /** How many calls were settled when it was told its end. */
  readonly settledBefore: number | undefined;
  readonly log: ReturnType<typeof createRequestLog>;
  readonly permits: () => number;
  /** Only for a caller that follows. */
  readonly following: Following;
  /** Its connection ends. */
  leave(why?: 'left' | 'stalled'): void;
}

/** A configuration whose streams end soon, so that little time has to pass. */
export const streamsYaml = `${defaultYaml}
limits: { drainMs: 6000 }
streams: { firstMs: 8000, idleMs: 12000, totalMs: 30000 }
`;

/** Streams beside the service of a stack, in its books. */
export function openStreams(stack: Stack, platform = fakePlatform()): Streams {
  const { config, store, clock, service, simulator } = stack;
  const settled: SettledCall[] = [];
  const observer: Observer = { callSettled: (call) => void settled.push(call) };
  const log = { info() {}, warn() {}, error() {}, debug() {}, request() {} };
  const streams = { stack, platform, settled, onLeft: 'drain' as OnLeft };
  const runner = createCallRunner({
    ...{ ledger: service.ledger, clock, keyClock: clock, log, observer, instanceId: 'fake' },
    ...{ retry: config.retry, limits: config.limits, unpriced: config.unpriced },
    catalog: createCatalog({ ...config, shipped: embedded(simulator).models, clock }),
    routing: platform.routing,
    usageNames: createUsageNames({ store }),
    ids: createIds(clock),
    replays: createReplays({ store, clock, log }),
    onLeftOf: () => streams.onLeft,
  });
  return Object.assign(streams, {
    runner,
    ask: (asked: Asked) => ask({ stack, runner, settled }, asked),
  });
}

interface Parts {
  readonly stack: Stack;
  readonly runner: CallRunner;
  readonly settled: readonly SettledCall[];
}

async function ask({ stack, runner, settled }: Parts, asked: Asked): Promise<Caller> {
  const { app: name, key, after = 0, accepts = true } = asked;
  const app = stack.service.registry.app(name);
  if (app === undefined) throw new Error('the app is of the default file');
  const request = { ...chatOf('sim-echo'), userId: 'ada', ...asked.request };
  const body = Buffer.from(JSON.stringify(request));
  const of = { method: 'POST', path: '/v1/chat/stream', body };
  let permits = 1;
  const release = () => {
    permits -= 1;
  };
  const permit = { transfer: () => permit, release };
  const callerGone = createOneShot();
  const caller = {
    ...({ live: undefined, result: undefined, settledBefore: undefined } as {
      live: LiveCall | undefined;
      result: CallResult | undefined;
      settledBefore: number | undefined;
    }),
    told: [] as [string, number][],
    log: createRequestLog(),
    permits: () => permits,
    following: undefined as unknown as Following,
    leave(why: 'left' | 'stalled' = 'left') {
      callerGone.fire();
      caller.following?.leave(why);
    },
  };
  const end = (result: CallResult) => {
    if (caller.result !== undefined) throw new Error('a call ends once');
    caller.result = result;
    caller.settledBefore = settled.length;
  };
  const running = runner.run({
    operation: (asked.operation ?? chat) as ModelOperation<CallRequest>,
    request: request as CallRequest,
    size: {
      ...{ bodyBytes: body.byteLength, grownBytes: 0, imageBytes: 0, images: 0, schemaBytes: 0 },
      ...{ hasTools: false, maxTokens: 100 },
    },
    context: {
      ...{ requestId: 'req_1', app, keyId: 'key', route: 'chat-stream', dialect: 'gateway' },
      idempotencyKey: key === undefined ? undefined : createIdempotencyKey({ ...of, key }),
      ...{ permit, callerGone, log: caller.log, stream: { after } },
    },
  });
  void running.then((result) => {
    if (result.kind !== 'live') return end(result);
    caller.live = result;
    caller.following = result.follow({
      onDelta(text, number) {
        caller.told.push([text, number]);
        if (accepts && !callerGone.hasFired()) caller.following.delivered(Buffer.byteLength(text));
      },
      onEnd: end,
    });
  });
  await stack.clock.settle();
  return caller;
}
