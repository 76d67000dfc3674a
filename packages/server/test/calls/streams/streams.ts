import type { CallRequest } from '@model-gateway/contract';
import { embedded } from '@model-gateway/lab/simulator/embedded';
import { createReplays } from '../../../src/calls/idempotency/replay.ts';
import type { Call } from '../../../src/calls/model/call.ts';
import { createIdempotencyKey } from '../../../src/calls/model/idempotency-key.ts';
import type { Following, LiveCall } from '../../../src/calls/model/live-call.ts';
import { createRequestLog, type RequestLog } from '../../../src/calls/model/request-log.ts';
import type { CallResult } from '../../../src/calls/model/result.ts';
import { chat } from '../../../src/calls/model-operations/chat.ts';
import { type CallRunner, createCallRunner } from '../../../src/calls/run.ts';
import { createCatalog } from '../../../src/catalog/create-catalog.ts';
import { createOwnCounts } from '../../../src/compose/parts/process-counts.ts';
import type { DisconnectPolicy } from '../../../src/domain/platform.ts';
import { names } from '../../../src/ingress/dialects/gateway/gateway.ts';
import { createUsageNames } from '../../../src/ledger/usage-names.ts';
import { createIds, type Ids } from '../../../src/lib/id.ts';
import type { Observer, SettledCall } from '../../../src/lib/observer.ts';
import { createOneShot, type OneShotSource } from '../../../src/lib/one-shot.ts';
import { chatOf } from '../../support/exchange.ts';
import { uncounted } from '../../support/processor.ts';
import { defaultYaml, type Stack } from '../../support/stack.ts';
import { type FakePlatform, fakePlatform } from './fake-platform.ts';

/** Streamed calls of a stack's apps, at a platform that the test controls. */
export interface Streams {
  readonly stack: Stack;
  readonly runner: CallRunner;
  readonly platform: FakePlatform;
  /** The settled calls, in order. */
  readonly settled: readonly SettledCall[];
  send(options: CallerRequest): Promise<Caller>;
}

/** A request, and how its caller reads. */
export interface CallerRequest {
  readonly app: 'search' | 'tutor';
  readonly key?: string | undefined;
  readonly after?: number;
  /** Default: a chat with "hello". */
  readonly call?: Pick<Call<CallRequest>, 'operation' | 'request'>;
  /** False: its socket accepts nothing until the test calls it. */
  readonly accepts?: boolean;
}

/** A caller, and the events that it received. */
export interface Caller {
  /** The call from its first delta on; undefined if there was none. */
  live: LiveCall | undefined;
  /** Each delta with its number. */
  readonly deltas: (readonly [text: string, number: number])[];
  /** Its end; undefined until then. */
  result: CallResult | undefined;
  /** The number of settled calls when the caller received its end. */
  settledBefore: number | undefined;
  readonly log: RequestLog;
  /** The permits that it has not released. */
  permits: number;
  /** Without effect for a caller that follows nothing. */
  following: Following;
  /** Its connection ends. */
  leave(why?: 'left' | 'stalled'): void;
}

const nothing = () => undefined;

/** A configuration with short time limits for streams, so little time has to pass. */
export const streamsYaml = `${defaultYaml}
limits: { drainMs: 6000 }
streams: { firstMs: 8000, idleMs: 12000, totalMs: 30000 }
`;

/** Opens streams next to the service of a stack, on its ledger. */
export async function openStreams(
  stack: Stack,
  onLeft: DisconnectPolicy = 'drain',
): Promise<Streams> {
  const platform = fakePlatform();
  const instanceId = await instanceOf(stack);
  const { config, store, clock, service, simulator } = stack;
  const settled: SettledCall[] = [];
  const observer: Observer = { callSettled: (call) => void settled.push(call) };
  const log = { info() {}, warn() {}, error() {}, debug() {}, request() {} };
  const ids = createIds(clock);
  const runner = createCallRunner({
    ...{ ledger: service.ledger, clock, keyClock: clock, log, observer, instanceId },
    ring: store.ring,
    ...{ retry: config.retry, limits: config.limits, unpriced: config.unpriced },
    catalog: createCatalog({ ...config, shipped: embedded(simulator).models, clock }),
    routing: platform.routing,
    usageNames: createUsageNames({ store }),
    ids,
    replays: createReplays({ store, clock, log }),
    budgets: service.registry,
    detachedCounter: createOwnCounts().detached,
    onLeftOf: () => onLeft,
  });
  const parts = { stack, runner, ids, settled };
  return { ...parts, platform, send: (options) => send(parts, options) };
}

/** The service's own id: it would end the reservations of another process. */
function instanceOf({ store }: Stack): Promise<string> {
  return store.read({
    sql: 'select id from owner',
    values: [],
    map: ([row]) => String(row?.id),
  });
}

const helloRequest = { ...chatOf('sim-echo'), userId: 'ada' };

interface Parts {
  readonly stack: Stack;
  readonly runner: CallRunner;
  readonly ids: Ids;
  readonly settled: readonly SettledCall[];
}

async function send(
  { stack, runner, ids, settled }: Parts,
  options: CallerRequest,
): Promise<Caller> {
  const { app: name, key, after = 0, accepts = true } = options;
  const app = stack.service.registry.app(name);
  if (app === undefined) throw new Error('the app is of the default file');
  const { operation, request } = options.call ?? { operation: chat, request: helloRequest };
  const body = Buffer.from(JSON.stringify(request));
  const head = { method: 'POST', path: '/v1/chat/stream', body };
  const callerDisconnected = createOneShot();
  const caller = newCaller(callerDisconnected);
  const release = () => {
    caller.permits -= 1;
  };
  const permit = { transfer: () => permit, release };
  const onEnd = (result: CallResult) => {
    if (caller.result !== undefined) throw new Error('a call ends once');
    caller.result = result;
    caller.settledBefore = settled.length;
  };
  const running = runner.run({
    ...{ operation, request },
    size: {
      ...{ bodyBytes: body.byteLength, grownBytes: 0, imageBytes: 0, images: 0, schemaBytes: 0 },
      ...{ hasTools: false, maxTokens: 100 },
    },
    context: {
      ...{ requestId: ids.next('req'), app, keyId: 'key' },
      ...{ route: operation.name, dialect: 'gateway' },
      ...{ names, work: uncounted },
      remote: undefined,
      trace: undefined,
      idempotencyKey: key === undefined ? undefined : createIdempotencyKey({ ...head, key }),
      ...{ permit, callerDisconnected, log: caller.log, stream: { after }, run: undefined },
    },
  });
  void running.then((result) => {
    if (result.kind !== 'live') return onEnd(result);
    caller.live = result;
    caller.following = result.follow({ onDelta, onEnd });
  });
  await stack.clock.settle();
  return caller;

  function onDelta(text: string, number: number) {
    caller.deltas.push([text, number]);
    if (accepts && !callerDisconnected.hasFired())
      caller.following.delivered(Buffer.byteLength(text));
  }
}

function newCaller(callerDisconnected: OneShotSource): Caller {
  const caller: Caller = {
    ...{ live: undefined, result: undefined, settledBefore: undefined },
    ...{ deltas: [], log: createRequestLog(), permits: 1 },
    following: { hold: nothing, release: nothing, delivered: nothing, leave: nothing },
    leave(why = 'left') {
      callerDisconnected.fire();
      caller.following.leave(why);
    },
  };
  return caller;
}
