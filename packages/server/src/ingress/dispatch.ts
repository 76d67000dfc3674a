import assert from 'node:assert';
import { headerNames } from '@model-gateway/contract';
import { CallError } from '../calls/call-error.ts';
import type { RequestLog } from '../calls/request-log.ts';
import type { CallRunner } from '../calls/run.ts';
import { noRouteName } from '../domain/ingress.ts';
import type { Limits } from '../domain/limits.ts';
import type { App } from '../domain/registered-app.ts';
import type { Run } from '../domain/run.ts';
import type { OneShotSource } from '../lib/one-shot.ts';
import type { RouteMatch } from '../lib/router.ts';
import { largeBytes, type RequestWork, type Work } from '../lib/work.ts';
import type { RequestTrace } from '../tracing/request-trace.ts';
import type { Access, Authorized } from './access.ts';
import { adoptionOf } from './adoption.ts';
import { checkBodyHeaders, readJson, valuesIn } from './body/read-json.ts';
import { noAppOf } from './caller.ts';
import type { Dialect, ParsedCall, RequestHead } from './dialects/dialect.ts';
import { encodeInTurn } from './encode-in-turn.ts';
import type { Answer } from './http/answer.ts';
import { droppedBytesMax } from './http/body-reader.ts';
import type { IncomingRequest, UnreadBody } from './http/request.ts';
import type { Bodies } from './limits/bodies.ts';
import { caughtRefusal, type GatewayRefusal, limited, refused } from './refusal.ts';
import { rejectRun } from './reject-key.ts';
import type { Route, RouteTable } from './route-table.ts';
import type { Streams } from './stream/streams.ts';

/** A request with a permit. */
export interface AuthorizedRequest extends Authorized {
  readonly requestId: string;
  readonly request: IncomingRequest;
  readonly dialect: Dialect;
  /** Undefined where no route takes it. */
  readonly match: RouteMatch<Route> | undefined;
  /** Comes when no caller waits for the answer any more. */
  readonly callerGone: OneShotSource;
  readonly log: RequestLog;
  /** Where it stands in its caller's trace; undefined where it is in none. */
  readonly trace: RequestTrace | undefined;
  /** When it came, by the clock that does not go back. */
  readonly startedMs: number;
}

/** Answers every request that has a permit; never rejects. */
export type Dispatch = (authorized: AuthorizedRequest) => Promise<Answer>;

/** What requests are answered with. */
export interface DispatchParts {
  readonly access: Pick<Access, 'chargeRefused'>;
  readonly bodies: Pick<Bodies, 'read'>;
  readonly runner: Pick<CallRunner, 'run'>;
  readonly streams: Pick<Streams, 'answer'>;
  readonly work: Work;
  readonly routes: Pick<RouteTable, 'noRoute'>;
  /** Whether an app's answers are told as they come, where it asks for that. */
  readonly isStreaming: (app: App) => boolean;
  readonly limits: Limits;
}

/**
 * Body, app, route, then what the route does: the order of checks, and the one boundary that turns
 * errors into answers. Source: contract, section 2.
 */
export function createDispatch(parts: DispatchParts): Dispatch {
  const { access, bodies, limits } = parts;
  return dispatch;

  async function dispatch(authorized: AuthorizedRequest): Promise<Answer> {
    const { request, dialect, caller, permit, callerGone, log } = authorized;
    const { id: keyId, customerId: app } = caller.key;
    const route = authorized.match?.route.name ?? noRouteName;
    const work: RequestWork = { ...parts.work, app, keyId, route };
    let body: Uint8Array | undefined;
    try {
      const byPlan = authorized.refusal === undefined ? undefined : await authorized.refusal;
      if (byPlan !== undefined) return dialect.refuse(byPlan, request);
      const read = await bodies.read(request, { keyId, permit, callerGone });
      if (typeof read === 'string') return dialect.refuse(unread(authorized, read), request);
      body = read;
      const isLarge = body !== undefined && body.byteLength > largeBytes;
      if (isLarge) await work.turn();
      const startedMs = work.nowMs();
      // It may have waited for its turn until its caller had left.
      const isGone = isLarge && callerGone.hasFired();
      const answering = isGone ? undefined : answerTo(parts, { ...authorized, work }, body);
      work.note('body', startedMs);
      if (answering === undefined) return dialect.refuse(refused('BAD_REQUEST'), request);
      const answer = await answering;
      return answer.status < 400 ? answer : charged(authorized, body, answer);
    } catch (error) {
      return charged(authorized, body, dialect.refuse(caughtRefusal(error, log), request));
    }
  }

  /** Why a body was not read to its end. */
  function unread({ request, caller, log }: AuthorizedRequest, read: UnreadBody): GatewayRefusal {
    if (read === 'too-long') {
      const { announcedBytes = limits.bodyBytes } = request;
      // What comes of it is read and dropped, up to this.
      const readMax = limits.bodyBytes + droppedBytesMax;
      access.chargeRefused(caller, { bytes: Math.min(announcedBytes, readMax), values: 0 });
      return refused('REQUEST_TOO_LONG');
    }
    if (read === 'no-room') return limited(log, 'body-bytes');
    // A client that has left does not read it.
    return refused(read === 'late' ? 'REQUEST_TIMEOUT' : 'BAD_REQUEST');
  }

  /** A request that was read, and led to no call, is paid for by its key's rate. */
  function charged(
    { caller, log }: AuthorizedRequest,
    body: Uint8Array | undefined,
    answer: Answer,
  ): Answer {
    const isRefused = answer.status < 500 && log.callId === undefined;
    if (isRefused && body !== undefined) {
      access.chargeRefused(caller, { bytes: body.byteLength, values: valuesIn(body) });
    }
    return answer;
  }
}

/** A request whose body has been read. */
interface ReadRequest extends AuthorizedRequest {
  readonly work: RequestWork;
}

/** What a request is answered with whose body has been read. Throws what it is refused with. */
async function answerTo(
  parts: DispatchParts,
  authorized: ReadRequest,
  body: Uint8Array | undefined,
): Promise<Answer> {
  const { request, requestId, dialect, caller, permit, callerGone, log, work } = authorized;
  const { app } = caller;
  if (app === undefined) throw noAppOf(caller, log);
  log.app = app.name;
  const found = available(authorized, app, parts);
  if (found.kind === 'stream') log.route = found.streamedName;
  const { run } = caller;
  if (run !== undefined && !isForRun(authorized, run)) {
    return dialect.refuse(rejectRun(log), request);
  }
  const idempotencyKey = dialect.idempotencyKey(inRun(request, run), body);
  if (found.kind === 'report') {
    return dialect.encodeReport(await found.report(app, authorized.match?.parameters ?? [], body));
  }
  const bodyHead = {
    isTypeRepeated: request.isRepeated('content-type'),
    type: request.header('content-type'),
    encoding: request.header('content-encoding'),
  };
  checkBodyHeaders(bodyHead);
  const byRoute = found.kind === 'stream' ? dialect.stream.request(request) : undefined;
  const json = readJson(bodyHead.type, body);
  const { name } = found;
  const context = {
    requestId,
    app,
    keyId: caller.key.id,
    remote: request.remote,
    trace: authorized.trace,
    run,
    route: name,
    idempotencyKey,
    permit,
    callerGone,
    log,
    work,
    dialect: dialect.name,
    names: dialect.names,
    stream: byRoute,
    adoption:
      app.adoptRetries && idempotencyKey === undefined ? adoptionOf(authorized, body) : undefined,
  };
  if (found.kind === 'ask') {
    const told = await found.answer(json, context, request);
    if (told.kind === 'refused') return dialect.refuse(told, request);
    const answer = dialect.encodeReport(told.report, told.status);
    return told.isReplayed ? { ...answer, headers: replayed } : answer;
  }
  const parsing = found.parse(json, context, request);
  const parsed = parsing instanceof Promise ? await parsing : parsing;
  if (parsed.kind === 'refused') return dialect.refuse(parsed, request);
  const { stream = byRoute } = parsed;
  if (stream !== byRoute && !parts.isStreaming(app)) throw notStreaming();
  context.stream = stream;
  const call = { ...parsed, context };
  if (stream !== undefined)
    return withHeaders(await parts.streams.answer(authorized, call), parsed, log);
  const result = await parts.runner.run(call);
  assert(result.kind !== 'live', 'who asks for no stream gets none');
  if (result.kind === 'failed') caughtRefusal(result.error, log);
  const answer = await encodeInTurn(result, { dialect, request, work });
  return parsed.headersOf === undefined ? answer : withHeaders(answer, parsed, log);
}

const replayed = { [headerNames.idempotentReplayed]: 'true' } as const;

function withHeaders(answer: Answer, { headersOf }: ParsedCall, log: RequestLog): Answer {
  if (headersOf === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, ...headersOf(log.servedBy) } };
}

/** A run asks for calls, and for little else. */
function isForRun({ match }: AuthorizedRequest, run: Run): boolean {
  const route = match?.route;
  if (route?.kind !== 'report' && route?.kind !== 'ask') return true;
  return route.isForRun?.(run, match?.parameters ?? []) === true;
}

/** The same request in another run is another one. */
function inRun(request: IncomingRequest, run: Run | undefined): RequestHead {
  if (run === undefined) return request;
  const { method, path, header, isRepeated } = request;
  return { method, path: `${path}\n${run.id}`, header, isRepeated };
}

/** A body asks for a stream on a route that answers at once as well. */
function notStreaming(): CallError {
  const message =
    'Streaming is not available; ask without `stream`, or ask the operator for `streaming: true`.';
  return new CallError('NOT_IMPLEMENTED', message, { param: 'stream' });
}

/** The route of a request, which may be none, or none that is available. */
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
