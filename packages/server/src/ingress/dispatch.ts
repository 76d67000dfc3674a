import assert from 'node:assert';
import { headerNames } from '@model-gateway/contract';
import { CallError } from '../calls/model/call-error.ts';
import type { RequestLog } from '../calls/model/request-log.ts';
import type { CallRunner } from '../calls/run.ts';
import { noRouteName } from '../domain/ingress.ts';
import type { Limits } from '../domain/limits.ts';
import type { App } from '../domain/registered-app.ts';
import { inTurn, largeBytes, type RequestWork, type Work } from '../lib/work.ts';
import type { Access } from './access.ts';
import { adoptionOf } from './adoption.ts';
import { type AuthorizedRequest, isForRun } from './authorized-request.ts';
import { droppedBytesMax } from './body/body-reader.ts';
import { checkBodyHeaders, readJson, uncountedBytesMax, valuesIn } from './body/read-json.ts';
import { encodeInTurn } from './encode-in-turn.ts';
import type { Answer } from './exchange/answer.ts';
import { noAppOf } from './exchange/caller.ts';
import type { ParsedCall } from './exchange/dialect.ts';
import { caughtRefusal, type GatewayRefusal, limited, refused } from './exchange/refusal.ts';
import type { ReceivedBody, UnreadBody } from './exchange/request.ts';
import type { RouteTable } from './exchange/route-table.ts';
import type { Bodies } from './limits/bodies.ts';
import { rejectRun } from './reject-key.ts';
import type { Streams } from './stream/streams.ts';

/** Never rejects. */
export type Dispatch = (authorized: AuthorizedRequest) => Promise<Answer>;

export interface DispatchParts {
  readonly access: Pick<Access, 'chargeRefused'>;
  readonly bodies: Pick<Bodies, 'read'>;
  readonly runner: Pick<CallRunner, 'run'>;
  readonly streams: Pick<Streams, 'answer'>;
  readonly work: Work;
  readonly routes: Pick<RouteTable, 'noRoute'>;
  readonly isStreaming: (app: App) => boolean;
  readonly limits: Limits;
}

/**
 * Order of checks: body, app, route, then the handler. Only this place turns errors into responses.
 * Contract, section 2.
 */
export function createDispatch(parts: DispatchParts): Dispatch {
  const { access, bodies, limits } = parts;
  return dispatch;

  async function dispatch(authorized: AuthorizedRequest): Promise<Answer> {
    const { request, dialect, caller, permit, callerDisconnected, log } = authorized;
    const { id: keyId, customerId: app } = caller.key;
    const route = authorized.match?.route.name ?? noRouteName;
    const work: RequestWork = { ...parts.work, app, keyId, route };
    let body: ReceivedBody | undefined;
    try {
      const byPlan = authorized.refusal === undefined ? undefined : await authorized.refusal;
      if (byPlan !== undefined) return dialect.refuse(byPlan, request);
      const read = await bodies.read(request, { keyId, permit, callerDisconnected });
      if (typeof read === 'string') return dialect.refuse(unread(authorized, read), request);
      body = read;
      const isLarge = body !== undefined && body.byteLength > largeBytes;
      if (isLarge) await work.turn();
      const startedMs = work.nowMs();
      // The caller might have disconnected while the body waited for its turn.
      const isDisconnected = isLarge && callerDisconnected.hasFired();
      const answering = isDisconnected ? undefined : answerTo(parts, { ...authorized, work }, body);
      work.note('body', startedMs);
      if (answering === undefined) return dialect.refuse(refused('BAD_REQUEST'), request);
      const answer = await answering;
      return answer.status < 400 ? answer : charged(authorized, body, answer);
    } catch (error) {
      return charged(authorized, body, dialect.refuse(caughtRefusal(error, log), request));
    }
  }

  function unread(authorized: AuthorizedRequest, read: UnreadBody): GatewayRefusal {
    const { request, log } = authorized;
    if (read === 'too-long') {
      const { announcedBytes = limits.bodyBytes } = request;
      // The rest is read and dropped up to this limit.
      const readMax = limits.bodyBytes + droppedBytesMax;
      access.chargeRefused(authorized, { bytes: Math.min(announcedBytes, readMax), values: 0 });
      return refused('REQUEST_TOO_LONG');
    }
    if (read === 'no-room') return limited(log, 'body-bytes');
    // A disconnected client does not receive it.
    return refused(read === 'late' ? 'REQUEST_TIMEOUT' : 'BAD_REQUEST');
  }

  /** A request without a call is charged to its key's rate. */
  function charged(
    authorized: AuthorizedRequest,
    body: ReceivedBody | undefined,
    answer: Answer,
  ): Answer {
    const isRefused = answer.status < 500 && authorized.log.callId === undefined;
    if (isRefused && body !== undefined) {
      const { byteLength: bytes, values = valuesIn(body.bytes) } = body;
      access.chargeRefused(authorized, { bytes, values });
    }
    return answer;
  }
}

interface ReadRequest extends AuthorizedRequest {
  readonly work: RequestWork;
}

/** Throws the rejection. */
async function answerTo(
  parts: DispatchParts,
  authorized: ReadRequest,
  body: ReceivedBody | undefined,
): Promise<Answer> {
  const { request, dialect, caller, log, work } = authorized;
  const { app, run } = caller;
  if (app === undefined) throw noAppOf(caller, log);
  log.app = app.name;
  const route = available(authorized, app, parts);
  if (route.kind === 'stream') log.route = route.streamedName;
  if (run !== undefined && !isForRun(authorized, run)) {
    return dialect.refuse(rejectRun(log), request);
  }
  const reading = readRequest({ ...authorized, app, route }, body);
  const read = reading instanceof Promise ? await reading : reading;
  if (read.kind === 'refused') return dialect.refuse(read, request);
  if (read.kind === 'report') return dialect.encodeReport(await read.report);
  if (read.kind === 'ask') {
    const outcome = await read.outcome;
    if (outcome.kind === 'refused') return dialect.refuse(outcome, request);
    const answer = dialect.encodeReport(outcome.report, outcome.status);
    return outcome.isReplayed ? { ...answer, headers: replayed } : answer;
  }
  const { parsing, context } = read;
  const parsed = parsing instanceof Promise ? await parsing : parsing;
  if (parsed.kind === 'refused') return dialect.refuse(parsed, request);
  const { stream = context.stream } = parsed;
  if (stream !== context.stream && !parts.isStreaming(app)) throw notStreaming();
  context.stream = stream;
  const call = { ...parsed, context };
  if (stream !== undefined)
    return withHeaders(await parts.streams.answer(authorized, call), parsed, log);
  const result = await parts.runner.run(call);
  assert(result.kind !== 'live', 'a request without stream gets no stream');
  if (result.kind === 'failed') caughtRefusal(result.error, log);
  const answer = await encodeInTurn(result, { dialect, request, work });
  return parsed.headersOf === undefined ? answer : withHeaders(answer, parsed, log);
}

interface RoutedRequest extends ReadRequest {
  readonly app: App;
  readonly route: ReturnType<typeof available>;
}

/**
 * Throws the body's fault. Many calls wait for platforms, and no waiting frame may hold the body's
 * bytes or text. So this function reads them without waiting.
 */
function readRequest(authorized: RoutedRequest, body: ReceivedBody | undefined) {
  const { request, dialect, caller, permit, log, app, route } = authorized;
  const { run } = caller;
  const bytes = body?.bytes;
  // The same request in another run is a different request.
  const path = run === undefined ? request.path : `${request.path}\n${run.id}`;
  const { method, header, isRepeated } = request;
  const idempotencyKey = dialect.idempotencyKey({ method, path, header, isRepeated }, bytes);
  if (route.kind === 'report') {
    const report = route.report(app, authorized.match?.parameters ?? [], bytes);
    return { kind: 'report', report } as const;
  }
  const bodyHead = {
    isTypeRepeated: request.isRepeated('content-type'),
    type: request.header('content-type'),
    encoding: request.header('content-encoding'),
  };
  checkBodyHeaders(bodyHead);
  const byRoute = route.kind === 'stream' ? dialect.stream.request(request) : undefined;
  const counts = { values: 0, names: 0 };
  const json = readJson(bodyHead.type, bytes, counts);
  if (body !== undefined && json.bytes > uncountedBytesMax) {
    body.values = counts.values;
    if (!permit.hasRoomParsed(counts)) return limited(log, 'body-bytes');
  }
  const context = {
    requestId: authorized.requestId,
    app,
    keyId: caller.key.id,
    remote: request.remote,
    trace: authorized.trace,
    run,
    route: route.name,
    idempotencyKey,
    permit,
    callerDisconnected: authorized.callerDisconnected,
    log,
    work: authorized.work,
    dialect: dialect.name,
    names: dialect.names,
    stream: byRoute,
    adoption:
      app.adoptRetries && idempotencyKey === undefined ? adoptionOf(authorized, bytes) : undefined,
  };
  const read = () => {
    if (route.kind === 'ask') {
      return { kind: 'ask', outcome: route.answer(json, context, request) } as const;
    }
    return { kind: 'call', parsing: route.parse(json, context, request), context } as const;
  };
  // Values that are not counted yet keep the bytes: a rejection counts them.
  if (body?.values !== undefined) body.bytes = undefined;
  return json.bytes > restedBytes ? inTurn(authorized.work, 'body', read) : read();
}

/** Longer bodies are decoded and parsed with a pause between the two steps. */
const restedBytes = 16 * largeBytes;

const replayed = { [headerNames.idempotentReplayed]: 'true' } as const;

function withHeaders(answer: Answer, { headersOf }: ParsedCall, log: RequestLog): Answer {
  if (headersOf === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, ...headersOf(log.servedBy) } };
}

/** The body requests streaming, which the app may not use. */
function notStreaming(): CallError {
  const message =
    'Streaming is off for this app; remove `stream`, or ask the operator for `streaming: true`.';
  return new CallError('NOT_IMPLEMENTED', message, { param: 'stream' });
}

/** Throws without a route, or if the route is unavailable. */
function available(
  { request, dialect, match }: AuthorizedRequest,
  app: App,
  { isStreaming, routes }: Pick<DispatchParts, 'isStreaming' | 'routes'>,
) {
  const route = match?.route;
  if (route?.kind === 'stream') {
    if (!isStreaming(app)) throw new CallError('NOT_IMPLEMENTED', route.why);
    if (request.method === 'POST') return route;
  } else if (route !== undefined && route.kind !== 'open') return route;
  throw routes.noRoute(request, dialect, isStreaming(app));
}
