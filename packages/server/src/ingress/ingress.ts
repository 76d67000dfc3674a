import { type GatewayErrorName, headerNames } from '@model-gateway/contract';
import { createRequestLog, emptyRequestLog, type RequestLog } from '../calls/model/request-log.ts';
import { noRouteName } from '../domain/ingress.ts';
import type { Limits } from '../domain/limits.ts';
import type { Plans } from '../domain/plan.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import { createInFlight } from '../lib/in-flight.ts';
import type { AnsweredRequest, Observer } from '../lib/observer.ts';
import { createOneShot } from '../lib/one-shot.ts';
import { traceIdIn } from '../tracing/ids.ts';
import type { RequestTrace } from '../tracing/request-trace.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Access, Authorized } from './access.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import type { Dispatch } from './dispatch.ts';
import type { Answer } from './exchange/answer.ts';
import type { Dialect } from './exchange/dialect.ts';
import { caughtRefusal, type Refusal, refused } from './exchange/refusal.ts';
import type { IncomingRequest } from './exchange/request.ts';
import type { RouteTable } from './exchange/route-table.ts';
import { knownPathOf } from './exchange/wrong-base.ts';
import { createInTime } from './in-time.ts';

/** Checks keys, rate limits, size and time. Never throws. */
export interface Ingress {
  handle(request: IncomingRequest): Promise<Answer>;
  /**
   * For malformed input. The known part of `path` selects the API format; `remote` is the client's
   * network.
   */
  refuse(name: GatewayErrorName, path?: string, remote?: string): Answer;
  /** For methods that Node's parser does not support; no key can be checked. */
  refuseMethod(method: string, path: string, remote?: string): Answer;
  readonly bodyBytesMax: number;
  idle(): Promise<void>;
  /** `/health` then reports the shutdown, and connections are not kept alive. */
  drain(): void;
  endAll(): void;
  isDraining(): boolean;
  inFlight(): number;
}

export interface IngressParts {
  /** The current configuration; each request reads it once. */
  readonly live: { readonly config: { readonly plans: Plans } };
  readonly routes: RouteTable;
  readonly access: Pick<Access, 'authorize'>;
  readonly dispatch: Dispatch;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly observer: Pick<Observer, 'requestAnswered'>;
  readonly tracing: Pick<Tracing, 'begin'>;
}

const commonHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

const malformed = {
  ...{ requestId: undefined, method: '', path: '', route: noRouteName, tookMs: 0 },
} as const satisfies Partial<AnsweredRequest>;

export function createIngress(parts: IngressParts): Ingress {
  const { access, clock, dispatch, ids, limits, live, observer, routes, tracing } = parts;
  const running = createInFlight();
  const inTime = createInTime({ clock, gatewayMs: limits.gatewayMs });
  let isDraining = false;
  return {
    ...{ handle, idle: running.idle, inFlight: running.count },
    ...createUnseenRefusals(parts, () => isDraining),
    bodyBytesMax: limits.bodyBytes,
    drain() {
      isDraining = true;
    },
    endAll: inTime.endAll,
    isDraining: () => isDraining,
  };

  async function handle(request: IncomingRequest): Promise<Answer> {
    const { method, path } = request;
    const requestId = ids.next('req');
    const match = routes.find(method, path);
    if (match?.route.kind === 'open')
      return withHeaders(match.route.answer(isDraining), { requestId, isDraining });
    const startedMs = clock.monotonic();
    const log: RequestLog = { ...emptyRequestLog };
    const dialect = match?.route.dialect ?? routes.dialectOf(path);
    const { plans } = live.config;
    const received = { request, requestId, match, dialect, plans, log, startedMs };
    let answer: Answer;
    let trace: RequestTrace | undefined;
    running.enter();
    try {
      const decided = access.authorize(received, log);
      const entry = decided instanceof Promise ? await decided : decided;
      if (log.keyId !== undefined) {
        trace = beginTrace(tracing, received);
        request.onKey();
      }
      if (!('permit' in entry)) answer = dialect.refuse(entry, request);
      else if (inTime.isEnding) answer = refuseTooLate(entry, received);
      else {
        const callerDisconnected = createOneShot();
        request.whenDisconnected(callerDisconnected.fire);
        const one = { ...entry, ...received, trace, callerDisconnected };
        answer = await inTime.answer(one, dispatch(one));
      }
    } catch (error) {
      // An internal fault ends only the request that causes it.
      answer = dialect.refuse(caughtRefusal(error, log), request);
    }
    const whole = withHeaders(answer, { requestId, isDraining, log, dialect });
    const answered = () => {
      const record = answeredRequest(received, answer, clock.monotonic());
      observer.requestAnswered?.(record);
      trace?.answered(record);
      running.leave();
    };
    if (answer.stream === undefined) answered();
    else answer.stream.whenEnded(answered);
    return whole;
  }
}

/** For input that never became a request: counted, and logged by network. */
function createUnseenRefusals(
  { ids, observer, routes }: Pick<IngressParts, 'ids' | 'observer' | 'routes'>,
  isDraining: () => boolean,
): Pick<Ingress, 'refuse' | 'refuseMethod'> {
  return {
    refuse(name, path, remote) {
      return refuseUnseen(refused(name), routes.dialectOf(path ?? ''), remote, createRequestLog());
    },
    refuseMethod(method, path, remote) {
      const dialect = routes.dialectOf(path);
      const log = { ...createRequestLog(), code: 'NOT_FOUND' };
      return refuseUnseen(routes.noRoute({ method, path }, dialect, false), dialect, remote, log);
    },
  };

  function refuseUnseen(
    refusal: Refusal,
    dialect: Dialect,
    remote: string | undefined,
    facts: RequestLog,
  ): Answer {
    const answer = dialect.refuse(refusal);
    const { status } = answer;
    observer.requestAnswered?.({ ...malformed, remote, status, refusal: answer.refusal, facts });
    const head = { requestId: ids.next('req'), isDraining: isDraining(), dialect };
    return withHeaders(answer, head);
  }
}

type ReceivedRequest = Omit<AuthorizedRequest, keyof Authorized | 'callerDisconnected' | 'trace'>;

function refuseTooLate({ permit }: Authorized, { dialect, request }: ReceivedRequest): Answer {
  permit.release();
  return dialect.refuse(refused('GATEWAY_TIMEOUT'), request);
}

/** Rejections without a key create no span, or unauthenticated clients could fill the queue. */
function beginTrace(
  { begin }: Pick<Tracing, 'begin'>,
  { request, log, startedMs }: ReceivedRequest,
) {
  const trace = begin(request, startedMs);
  log.traceId = trace && traceIdIn(trace.spanReference);
  log.recordedTraceId = trace?.isSampled === true ? log.traceId : undefined;
  return trace;
}

function answeredRequest(
  received: ReceivedRequest,
  answer: Answer,
  nowMs: number,
): AnsweredRequest {
  const { request, match } = received;
  return {
    requestId: received.requestId,
    method: request.method,
    // Path parameters might contain a user's name, so the log has the route's pattern.
    path: match?.route.path ?? knownPathOf(request.path) ?? noRouteName,
    route: received.log.route ?? match?.route.name ?? noRouteName,
    remote: request.remote,
    facts: received.log,
    status: answer.status,
    refusal: answer.refusal,
    tookMs: nowMs - received.startedMs,
  };
}

/** An id can contain characters that headers cannot. */
function headerText(id: string): string {
  return /^[\x21-\x7e]+$/.test(id) ? id : encodeURIComponent(id);
}

function withHeaders(
  answer: Answer,
  facts: {
    readonly requestId: string;
    readonly isDraining: boolean;
    readonly log?: RequestLog;
    readonly dialect?: Dialect;
  },
): Answer {
  // Otherwise a caller with a kept connection sends its next request to an ended process.
  const headers: Record<string, string> = { ...commonHeaders };
  if (facts.isDraining) headers.connection = 'close';
  const { callId, servedBy } = facts.log ?? {};
  if (callId !== undefined) headers[headerNames.callId] = callId;
  if (servedBy !== undefined) headers[headerNames.servedBy] = headerText(servedBy);
  headers[headerNames.requestId] = facts.requestId;
  const whole = { ...answer, headers: Object.assign(headers, answer.headers) };
  return facts.dialect?.withRequestId?.(whole, facts.requestId) ?? whole;
}
